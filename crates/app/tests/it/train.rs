//! `tengen train`: factors fitted to games, and what is refused.

use assert_cmd::Command;
use std::fs;

fn tengen() -> Command {
    Command::cargo_bin("tengen").unwrap()
}

/// Two short games on 9×9, the second beginning as the first.
const GAMES: &str = "(;SZ[9];B[ee];W[ec];B[gc];W[eg];B[ge];W[cc];B[cg];W[df];B[cf];W[ce];B[cd];W[dd])
(;SZ[9];B[ee];W[ec];B[cc];W[cd];B[dc];W[dd];B[eb];W[fc];B[fb];W[gb])";

#[test]
fn factors_are_fitted_and_written_with_their_origin() {
    let folder = tempfile::tempdir().unwrap();
    let (games, out) = (folder.path().join("games.sgf"), folder.path().join("gammas.txt"));
    fs::write(&games, GAMES).unwrap();
    let mut command = tengen();
    let run = command
        .args(["train", "gammas", "--epochs", "2", "--positions", "20", "--out"])
        .arg(&out)
        .arg(&games);
    let printed = String::from_utf8(run.assert().success().get_output().stdout.clone()).unwrap();
    assert!(printed.contains("epoch  2: log loss"), "{printed}");
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.starts_with("# Fitted by `tengen train gammas --size 9"), "{written}");
    assert!(written.contains("\nplace 5 5 ") && written.contains("\nlast 2 "), "{written}");
}

#[test]
fn circles_are_written_too_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out, circles] =
        ["games.sgf", "gammas.txt", "circles.bin"].map(|name| folder.path().join(name));
    fs::write(&games, GAMES).unwrap();
    let mut command = tengen();
    let run = command
        .args(["train", "gammas", "--common", "2", "--out"])
        .arg(&out)
        .arg("--circles")
        .arg(&circles)
        .arg(&games);
    let printed = String::from_utf8(run.assert().success().get_output().stdout.clone()).unwrap();
    assert!(printed.starts_with("1 game, 1 more to judge by;"), "{printed}");
    let bytes = fs::read(&circles).unwrap();
    assert!(!bytes.is_empty() && bytes.len() % 6 == 0, "{}", bytes.len());
    assert!(fs::read_to_string(&out).unwrap().contains("\nunknown "));
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (games, out) = (folder.path().join("games.sgf"), folder.path().join("gammas.txt"));
    fs::write(&games, GAMES).unwrap();
    for (args, expected) in [
        (vec!["--epochs", "0"], "--epochs 0: expected at least 1"),
        (vec!["--games", "1"], "one game on 9x9; expected at least 2"),
        (vec!["--size", "13"], "no game on 13x13 could be read"),
        (vec!["--size", "0"], "--size 0"),
    ] {
        let run =
            tengen().args(["train", "gammas", "--out"]).arg(&out).arg(&games).args(args).assert().failure();
        let complaint = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(complaint.contains(expected), "{complaint}");
    }
    assert!(!out.exists());
}
