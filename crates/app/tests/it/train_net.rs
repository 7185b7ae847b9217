//! `tengen train net`: a real process that is killed goes on to the same network, and what is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};

/// Rows of short games on 5×5 in `a.rows`, and some more in `h.rows`.
fn rows(folder: &Path) {
    let mut text = String::new();
    for n in 0..100u8 {
        let point = |turn: u8| {
            format!("{}{}", char::from(b'a' + (turn + n) % 5), char::from(b'a' + (2 * turn + n / 5) % 5))
        };
        let moves: String = (0..5).map(point).collect();
        text += &format!("5\t7\t0\tB+R\t?\tmade\t-\t{moves}\n");
    }
    fs::write(folder.join("games.txt"), text).unwrap();
    let words = "train rows --games games.txt --size 5 --licence CC0 --out a.rows --held-out h.rows";
    let run = cargo_bin_cmd!("tengen").current_dir(folder).args(words.split(' ')).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// The words of a run of a tiny network.
const WORDS: &str = "train net --rows a.rows --held-out h.rows --net b1c8 --batch 16 --warm-up 5 --learning-rate 0.01 \
                     --curve-every 5 --checkpoint-points 2";

fn words(more: &str) -> Vec<String> {
    format!("{WORDS} {more}").split_whitespace().map(str::to_string).collect()
}

/// Standard output, standard error and whether `tengen train net` succeeded.
fn run(folder: &Path, more: &str) -> (String, String, bool) {
    let output = cargo_bin_cmd!("tengen").current_dir(folder).args(words(more)).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

#[test]
fn a_run_that_was_killed_ends_with_the_same_network() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    rows(folder);
    let (out, errors, is_good) = run(folder, "--steps 300 --out straight");
    assert!(is_good, "{errors}");
    assert!(out.contains("step     300: held out: policy ") && out.contains("held out: top-1 "), "{out}");
    assert!(out.ends_with("straight/latest.net\n"), "{out}");

    // Killed twice as soon as it has come past another checkpoint; `Child::kill` is a SIGKILL.
    for after in [1, 8] {
        let mut child = Command::new(cargo_bin("tengen"))
            .current_dir(folder)
            .args(words("--steps 300 --out broken"))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        let n_lines =
            || fs::read_to_string(folder.join("broken/curve.csv")).map_or(0, |text| text.lines().count());
        while n_lines() < 2 * after + 2 && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (out, errors, is_good) = run(folder, "--steps 300 --threads 2 --out broken");
    assert!(is_good, "{errors}");
    assert!(out.contains("going on after step "), "{out}");
    for name in ["latest.net", "checkpoint"] {
        let read = |run: &str| fs::read(folder.join(run).join(name)).unwrap();
        assert!(read("straight") == read("broken"), "{name}");
    }
    let info = cargo_bin_cmd!("tengen")
        .current_dir(folder)
        .args(["net", "info", "broken/latest.net"])
        .output()
        .unwrap();
    let info = String::from_utf8(info.stdout).unwrap();
    for part in [
        "trained on   5x5\n",
        "steps        300\n",
        "licence      CC0\n",
        "data         ",
        "shape        b1c8\n",
    ] {
        assert!(info.contains(part), "{part}: {info}");
    }

    let (_, errors, is_good) = run(folder, "--steps 400 --out broken");
    assert!(!is_good && errors.contains("steps is 300 there and 400 now"), "{errors}");
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    rows(folder);
    fs::create_dir(folder.join("thesis")).unwrap();
    fs::write(folder.join("thesis/thesis.tex"), "precious").unwrap();
    for (more, expected) in [
        ("--steps 0 --out x", "at least 1"),
        ("--steps 5 --out thesis", "thesis: the folder is not empty and holds no run"),
        ("--steps 5 --out x --rows games.txt", "games.txt: this is not a file of rows"),
        ("--steps 5 --out x --rows missing.rows", "missing.rows: "),
        ("--steps 5 --out x --seed -1", "--seed"),
    ] {
        // Of options that are given twice the last counts.
        let (_, errors, is_good) = run(folder, more);
        assert!(!is_good && errors.contains(expected), "{more}: {errors}");
    }
    let refused = |more: &str, expected: &str| {
        let words = format!("train net --rows a.rows --steps 5 --out x {more}");
        let output = cargo_bin_cmd!("tengen").current_dir(folder).args(words.split(' ')).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(expected), "{more}: {errors}");
    };
    refused("--net 6x64", "write b6c64 for 6 blocks of 64 channels");
    refused("--batch 0", "expected a whole number from 1 to 65536");
    refused("--learning-rate 0", "expected a number above 0");
    refused("--average 1", "expected a share from 0 to below 1");
    refused("--optimiser lion", "expected adam or sgd");
    refused("--name a/b", "expected letters, digits");
    assert!(!folder.join("x").exists());
}
