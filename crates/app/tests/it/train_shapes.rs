//! `tengen train shapes`: the weights of local shapes, learned in self-play.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn tengen() -> Command {
    Command::cargo_bin("tengen").unwrap()
}

/// The command that learns shapes on 4×4, its file in `folder`.
fn shapes(folder: &Path, name: &str, games: &str) -> std::process::Command {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tengen"));
    command.args(["train", "shapes", "--size", "4", "--komi", "0.5", "--lambda", "0.5", "--alpha", "0.3"]);
    command.args(["--every", "40", "--measure", "2", "--games", games, "--out"]).arg(folder.join(name));
    command.stdout(std::process::Stdio::null());
    command
}

#[test]
fn a_run_of_shapes_that_is_killed_and_goes_on_ends_with_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    const GAMES: &str = "2010";
    assert!(shapes(folder.path(), "whole", GAMES).status().unwrap().success());
    let mut n_killed = 0;
    for _ in 0..3 {
        let mut child = shapes(folder.path(), "cut", GAMES).spawn().unwrap();
        let run = folder.path().join("cut.run");
        let before = fs::read(&run).ok();
        // Until it has written something new, or has ended.
        while fs::read(&run).ok() == before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // On Unix this is the signal that nothing can catch.
        child.kill().unwrap();
        n_killed += u32::from(!child.wait().unwrap().success());
    }
    assert!(n_killed > 0, "the games were over before the first blow");
    assert!(shapes(folder.path(), "cut", GAMES).status().unwrap().success());
    for suffix in ["", ".run", ".csv"] {
        let read = |name: &str| fs::read(folder.path().join(format!("{name}{suffix}"))).unwrap();
        assert!(read("whole") == read("cut"), "the files {suffix:?} differ");
    }
    let curve = fs::read_to_string(folder.path().join("whole.csv")).unwrap();
    assert_eq!(curve.lines().count(), 1 + 2010usize.div_ceil(40), "{curve}");
    assert!(curve.starts_with("games,uniform,mogo,black,moves\n40,"), "{curve}");
}

#[test]
fn learned_shapes_are_used_and_others_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    assert!(shapes(folder.path(), "file", "20").status().unwrap().success());
    let bytes = fs::read(&file).unwrap();
    let matched = |file: &Path| {
        let players = ["--a", "policy:shapes", "--b", "policy:uniform"];
        let terms = ["--size", "4", "--komi", "0.5", "--games", "2", "--parallel", "1"];
        tengen().arg("match").args(players).args(terms).arg("--shapes").arg(file).assert()
    };
    matched(&file).success();
    let complaint =
        |file: &Path| String::from_utf8(matched(file).failure().get_output().stderr.clone()).unwrap();
    let other = folder.path().join("other");
    assert!(complaint(&other).contains("--shapes"), "{}", complaint(&other));
    fs::write(&other, "(;SZ[9])").unwrap();
    assert!(complaint(&other).contains("not a file of local shapes"), "{}", complaint(&other));
    fs::write(&other, &bytes[..bytes.len() - 1]).unwrap();
    assert!(complaint(&other).contains("damaged"), "{}", complaint(&other));
}

#[test]
fn a_run_of_shapes_is_not_gone_on_with_by_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let learn = |args: &[&str]| {
        let mut command = tengen();
        let fixed = ["train", "shapes", "--size", "3", "--games", "4", "--measure", "1", "--out"];
        command.args(fixed).arg(folder.path().join("file")).args(args).assert()
    };
    learn(&[]).success();
    let complaint =
        |args: &[&str]| String::from_utf8(learn(args).failure().get_output().stderr.clone()).unwrap();
    for (args, expected) in [
        (["--seed", "2"], "seed 1 in the file and 2 here"),
        (["--alpha", "0"], "expected a number above 0, at most 100"),
        (["--lambda", "1.5"], "expected a number from 0 to 1"),
        (["--komi", "inf"], "--komi inf: expected a number of points"),
    ] {
        assert!(complaint(&args).contains(expected), "{}", complaint(&args));
    }
    let run = folder.path().join("file.run");
    let bytes = fs::read(&run).unwrap();
    fs::write(&run, &bytes[..bytes.len() / 2]).unwrap();
    assert!(complaint(&[]).contains("damaged"), "{}", complaint(&[]));
    fs::write(&run, "precious").unwrap();
    assert!(complaint(&[]).contains("is not a run of the trainer of shapes"), "{}", complaint(&[]));
    fs::write(&run, bytes).unwrap();
    fs::write(folder.path().join("file"), "precious").unwrap();
    assert!(complaint(&[]).contains("is not a file of local shapes"), "{}", complaint(&[]));
}
