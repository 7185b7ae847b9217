//! `tengen train`: factors and models fitted to games, and what is refused.

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
        (vec!["--games", "1"], "one game on 9x9"),
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

/// The trainers of models that rank moves.
const TRAINERS: [&str; 6] =
    ["bt --by mm", "bt --by sgd", "tm", "full-ranking --by bt", "full-ranking --by tm", "latent --factors 2"];

/// The output of a command that succeeds.
fn printed(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// What a command that fails complains about.
fn complaint(command: &mut Command) -> String {
    String::from_utf8(command.assert().failure().get_output().stderr.clone()).unwrap()
}

#[test]
fn every_trainer_writes_a_model_that_predicts() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["games.sgf", "model.rank"].map(|name| folder.path().join(name));
    fs::write(&games, GAMES).unwrap();
    for trainer in TRAINERS {
        let mut command = tengen();
        command.arg("train").args(trainer.split(' ')).args(["--rounds", "2", "--common", "2", "--out"]);
        let text = printed(command.arg(&out).arg(&games));
        assert!(text.contains("round   2: log loss") && text.contains("; 1 game more to judge by"), "{text}");
        assert!(!folder.path().join("model.rank.part").exists());
        let model = format!("model:{}", out.display());
        let table = printed(tengen().args(["predict", "--with", &model]).arg(&games));
        assert!(table.contains("microseconds a position: model:"), "{table}");
    }
}

#[test]
fn a_training_that_was_killed_ends_as_an_undisturbed_one() {
    let folder = tempfile::tempdir().unwrap();
    let [games, whole, killed] =
        ["games.sgf", "whole.rank", "killed.rank"].map(|name| folder.path().join(name));
    fs::write(&games, GAMES).unwrap();
    let train = |trainer: &str, out: &std::path::Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"));
        command.arg("train").args(trainer.split(' ')).args(["--rounds", "400", "--common", "2", "--out"]);
        command.arg(out).arg(&games).stdout(std::process::Stdio::null());
        command
    };
    for trainer in ["bt --by mm", "latent"] {
        assert!(train(trainer, &whole).status().unwrap().success());
        let mut child = train(trainer, &killed).spawn().unwrap();
        let part = folder.path().join("killed.rank.part");
        while !part.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        // On Unix this is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(train(trainer, &killed).status().unwrap().success());
        assert_eq!(fs::read(&whole).unwrap(), fs::read(&killed).unwrap(), "{trainer}");
        fs::remove_file(&killed).unwrap();
    }
}

#[test]
fn damaged_and_foreign_files_of_rankings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out, part] =
        ["games.sgf", "model.rank", "model.rank.part"].map(|name| folder.path().join(name));
    fs::write(&games, GAMES).unwrap();
    let train = |args: &[&str]| {
        let mut command = tengen();
        command.args(["train", "bt", "--rounds", "1", "--out"]).arg(&out).args(args).arg(&games);
        command
    };
    for (args, expected) in [
        (&["--features", "plaice"][..], "there is no feature `plaice`"),
        (&["--games", "1"], "one game on 9x9"),
        (&["--rounds", "0"], "--rounds 0: expected at least 1"),
        (&["--prior=-1"], "--prior -1: expected 0 or more"),
        (&["--by", "guess"], "guess"),
    ] {
        let mut command = tengen();
        command.args(["train", "bt", "--out"]).arg(&out).args(args).arg(&games);
        let text = complaint(&mut command);
        assert!(text.contains(expected), "{args:?}: {text}");
    }
    fs::write(&part, "something else").unwrap();
    assert!(
        complaint(&mut train(&[])).contains("model.rank.part cannot be continued; remove it to start again")
    );
    fs::remove_file(&part).unwrap();
    printed(&mut train(&[]));
    let mut bytes = fs::read(&out).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&out, &bytes).unwrap();
    assert!(complaint(&mut train(&[])).contains("is not a ranking model"));
    let model = format!("model:{}", out.display());
    let text = complaint(tengen().args(["predict", "--with", &model]).arg(&games));
    assert!(text.contains("the file is damaged"), "{text}");
}
