//! A Zero run as a process: it begins, is killed, goes on, and tells how far it is.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Tic-Tac-Toe, by a tiny network.
const FILE: &str = r#"
title = "Noughts and crosses"
game = "gomoku,row=3"
size = 3
net = "b1c8"
[play]
visits = 12
fast-visits = 4
full-share = 0.5
start-share = 0.3
start-moves = 3
[learn]
first-positions = 100
steps-per-net = 10
[optimise]
batch = 16
[trial]
games = 2
visits = 4
[machine]
memory = 8
"#;

fn tengen() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
}

fn run(words: &[&str]) -> (bool, String) {
    let output = tengen().args(["train", "zero"]).args(words).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// The numbers of the games that are stored.
fn stored(folder: &Path) -> BTreeSet<u64> {
    let mut numbers = BTreeSet::new();
    for file in std::fs::read_dir(folder.join("games")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        // The last line may be half a line while the run is killed.
        let lists = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for game in lists.flat_map(|list| list.as_array().cloned().unwrap_or_default()) {
            assert!(numbers.insert(game["game"].as_u64().unwrap()), "a game is stored once: {game}");
        }
    }
    numbers
}

/// Waits until something is so.
fn wait(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(120), "nothing came of it in two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let (file, folder) = (dir.path().join("try.toml"), dir.path().join("run"));
    std::fs::write(&file, FILE).unwrap();
    let (file, out) = (file.to_str().unwrap(), folder.to_str().unwrap());
    let n_nets = || std::fs::read_to_string(folder.join("curves.csv")).map_or(0, |text| text.lines().count());

    let mut child =
        tengen().args(["train", "zero", file, "--out", out]).stdout(Stdio::null()).spawn().unwrap();
    wait(|| n_nets() >= 3);
    let (is_done, text) = run(&[out, "--status"]);
    assert!(is_done && text.contains("at work now") && text.contains("Noughts and crosses"), "{text}");
    let (is_done, text) = run(&[out]);
    assert!(!is_done && text.contains("a run works in this folder now"), "{text}");
    child.kill().unwrap();
    child.wait().unwrap();
    let before = stored(&folder);
    let nets = n_nets() - 1;
    assert!(before.len() > 20, "{before:?}");

    // It goes on by its folder, with another end, and keeps every game.
    let settings = std::fs::read_to_string(folder.join("run.toml")).unwrap();
    std::fs::write(folder.join("run.toml"), settings.replace("nets = 0", &format!("nets = {}", nets + 2)))
        .unwrap();
    let (is_done, text) = run(&[out]);
    assert!(
        is_done && text.contains("goes on with network") && text.contains("the run ends after"),
        "{text}"
    );
    let after = stored(&folder);
    assert!(after.is_superset(&before) && after.len() > before.len());
    let curve = std::fs::read_to_string(folder.join("curves.csv")).unwrap();
    let numbers: Vec<usize> =
        curve.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(numbers, (1..numbers.len() + 1).collect::<Vec<_>>(), "{curve}");
    let steps: Vec<u64> =
        curve.lines().skip(1).map(|line| line.split(',').nth(5).unwrap().parse().unwrap()).collect();
    assert!(steps.iter().zip(1..).all(|(&steps, n)| steps == 10 * n), "{curve}");
    let (is_done, text) = run(&[out, "--status"]);
    assert!(
        is_done && text.contains("not at work") && text.contains(&format!("{} games", after.len())),
        "{text}"
    );

    let (is_done, text) = run(&[out, "--report"]);
    assert!(is_done && text.contains("report.html"), "{text}");
    let report = std::fs::read_to_string(folder.join("report.md")).unwrap();
    for part in [
        "# Noughts and crosses",
        "## Strength",
        "## The latest games",
        "report-elo.svg",
        "steps-per-net = 10",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }

    // A network of the run plays its game.
    let net = folder.join("nets/0001.net");
    let words = ["explain", "--game", "gomoku,row=3", "--size", "3", "--playouts", "9", "--net"];
    let output = tengen().args(words).arg(&net).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn other_settings_are_refused_with_what_differs() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("try.toml"), dir.path().join("run"));
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let ended = format!("{FILE}[stop]\ngames = 1\n");
    std::fs::write(file, &ended).unwrap();
    let (is_done, text) = run(&[file, "--out", out]);
    assert!(is_done, "{text}");
    for (from, to, expected) in [
        ("visits = 12", "visits = 13", "play.visits is 12 there and 13 here"),
        ("b1c8", "b1c9", "net is \"b1c8\" there and \"b1c9\" here"),
        (
            "games = 2",
            "gamse = 2",
            "[trial]: unknown key `gamse`: `trial` has no such parameter; did you mean `games`?",
        ),
        ("title", "titel", "unknown key `titel`; did you mean `title`?"),
        ("size = 3", "size = 2", "gomoku is played on boards from 3x3"),
        ("b1c8", "large", "net = \"large\""),
        ("batch = 16", "batch = 0", "`batch=0` is out of range"),
    ] {
        std::fs::write(file, ended.replacen(from, to, 1)).unwrap();
        let (is_done, text) = run(&[file, "--out", out]);
        assert!(!is_done && text.contains(expected), "{to}: {text}");
    }
    let (is_done, text) = run(&[dir.path().to_str().unwrap()]);
    assert!(!is_done && text.contains("no run is there"), "{text}");
}
