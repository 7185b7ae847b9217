//! `tengen train rollout` and `train balance`: the weights of the policy `bt`.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn tengen() -> Command {
    Command::cargo_bin("tengen").unwrap()
}

/// Runs a command to its end without disturbance and once more with `kill -9` in between, and compares the files.
fn check_kills(folder: &Path, args: &[&str]) {
    let command = |name: &str| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tengen"));
        command.arg("train").args(args).arg("--out").arg(folder.join(name));
        command.stdout(std::process::Stdio::null());
        command
    };
    assert!(command("whole").status().unwrap().success());
    let mut n_killed = 0;
    for _ in 0..3 {
        let mut child = command("cut").spawn().unwrap();
        let part = folder.join("cut.part");
        let before = fs::read(&part).ok();
        // Until it has written something new, or has ended.
        while fs::read(&part).ok() == before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // On Unix this is the signal that nothing can catch.
        child.kill().unwrap();
        n_killed += u32::from(!child.wait().unwrap().success());
    }
    assert!(n_killed > 0, "it was over before the first blow");
    assert!(command("cut").status().unwrap().success());
    assert_eq!(fs::read(folder.join("whole")).unwrap(), fs::read(folder.join("cut")).unwrap());
    assert!(!folder.join("cut.part").exists());
}

/// A list of 5×5 games that differ in komi.
const GAME: &str = ".5\t0\tB+R\t?/?\tours\t-\tccbcdbdcbbcdcb\n";

#[test]
fn fitted_weights_are_the_same_after_kills_and_are_played_by() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("games.txt");
    fs::write(&list, (0..60).map(|n| format!("5\t{n}{GAME}")).collect::<String>()).unwrap();
    let list = list.to_str().unwrap();
    check_kills(folder.path(), &["rollout", list, "--size", "5", "--rounds", "300"]);
    let weights = folder.path().join("whole");
    let players = ["--a", "policy:bt:weights=file", "--b", "policy:bt:temperature=2"];
    let matched = |extra: &[&str]| {
        let terms = ["--size", "5", "--komi", "0.5", "--games", "2", "--parallel", "1"];
        tengen().arg("match").args(players).args(terms).args(extra).assert()
    };
    matched(&["--playout-weights", weights.to_str().unwrap()]).success();
    let complaint =
        |extra: &[&str]| String::from_utf8(matched(extra).failure().get_output().stderr.clone()).unwrap();
    assert!(complaint(&[]).contains("give one by --playout-weights FILE"), "{}", complaint(&[]));
    let other = complaint(&["--playout-weights", list]);
    assert!(other.contains("not a file of playout weights"), "{other}");
}

#[test]
fn balanced_weights_are_the_same_after_kills() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("games.txt");
    fs::write(&list, (0..12).map(|n| format!("5\t{n}{GAME}")).collect::<String>()).unwrap();
    let label = |name: &str, seed: &str| {
        let out = folder.path().join(name);
        let terms = ["--positions", "6", "--playouts", "40", "--seed", seed];
        tengen().args(["accuracy", "label"]).arg(&list).args(terms).arg("--out").arg(&out).assert().success();
        out
    };
    let (learned, kept) = (label("learned", "1"), label("kept", "2"));
    let (learned, kept) = (learned.to_str().unwrap(), kept.to_str().unwrap());
    for form in ["full", "two-step"] {
        let terms = ["--values", "5", "--slopes", "5", "--judge", "3", "--rounds", "40", "--form", form];
        check_kills(folder.path(), &[&["balance", learned, "--kept", kept], &terms[..]].concat());
    }
    let refused = |args: &[&str], expected: &str| {
        let out = folder.path().join("refused");
        let run = tengen().args(["train", "balance"]).args(args).arg("--out").arg(out).assert().failure();
        let complaint = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(complaint.contains(expected), "{complaint}");
    };
    refused(&[learned, "--kept", kept, "--alpha", "0"], "--alpha 0: expected a number above 0");
    refused(&[learned, "--kept", kept, "--values", "0"], "--values 0: expected 1 to");
    refused(&[learned, "--kept", kept, "--from", learned], "not a file of playout weights");
    refused(&[list.to_str().unwrap(), "--kept", kept], "games.txt");
}
