//! `tengen tune` from outside: a small run, kill -9 and continuation, refusals.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A fresh folder with a file to tune by.
fn folder(name: &str, file: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tune-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("tune.toml"), file).unwrap();
    dir
}

fn command(dir: &Path, out: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(["tune", "tune.toml", "--json", "--out", out]).current_dir(dir).stdin(Stdio::null());
    command
}

const CLOP: &str = "recipe = \"goyui-bma\"\nopponents = [\"goyui-uct\"]\nmethod = \"clop\"\ngames = 40\nparallel = 2\n\
                    [terms]\nsize = 5\nkomi = 24.5\nplayouts = 20\nseed = 3\n\
                    [parameters.mixer.prior]\nlow = 1\nhigh = 1000\nscale = \"log\"\n";

fn result(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// The lines of finished games that are complete.
fn n_games(dir: &Path, out: &str) -> usize {
    let text = fs::read_to_string(dir.join(out).join("games.jsonl")).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

#[test]
fn killed_runs_go_on_and_end_like_others() {
    let dir = folder("kill", CLOP);
    let whole = command(&dir, "whole").output().unwrap();
    let expected = result(&whole);
    assert_eq!(expected["games"], 40);
    let text = String::from_utf8_lossy(&whole.stdout).into_owned();
    assert!(text.contains("best: goyui-bma mixer.prior="), "{text}");
    // Killed whenever some more games have ended, whatever it is doing then.
    let begun = Instant::now();
    let mut n_kills = 0;
    for aim in [3, 11, 20, 33] {
        let mut child = command(&dir, "parts").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while n_games(&dir, "parts") < aim && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(120), "it plays no games");
            sleep(Duration::from_millis(2));
        }
        n_kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(n_kills > 0, "it was too quick to be killed");
    let parts = command(&dir, "parts").output().unwrap();
    assert_eq!(result(&parts), expected, "after {n_kills} kills");
    assert_eq!(n_games(&dir, "parts"), 40);
    // A run that is complete says the same again without a game.
    assert_eq!(result(&command(&dir, "parts").output().unwrap()), expected);
    for file in ["result.json", "best.recipe", "report.html", "report.md", "report-mixer-prior.svg"] {
        assert!(dir.join("parts").join(file).exists(), "{file}");
    }
}

#[test]
fn files_that_cannot_be_meant_are_refused() {
    for (from, to, expected) in [
        (
            "mixer.prior",
            "mixer.priro",
            "the recipe has no parameter `mixer.priro`; did you mean `mixer.prior`?",
        ),
        ("low = 1", "low = -1", "tune.toml, line 12: low = -1: `mixer.prior` takes"),
        (
            "[parameters.mixer.prior]\nlow = 1\nhigh = 1000\nscale = \"log\"",
            "[parameters.pick]",
            "only numbers can be tuned",
        ),
        ("method = \"clop\"", "method = \"hope\"", "tune.toml, line 3"),
    ] {
        let dir = folder("refused", &CLOP.replace(from, to));
        let output = command(&dir, "out").output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(expected), "{error}");
        assert!(!dir.join("out").exists(), "nothing is made for a file that cannot be meant");
    }
    let dir = folder("missing", CLOP);
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["tune", "none.toml"])
        .current_dir(&dir)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read none.toml"));
}
