//! A game in the terminal as a beginner plays it: typed lines in, a readable board out.

use assert_cmd::Command;

/// The whole output for these typed lines.
fn play(args: &[&str], typed: &str) -> String {
    let output = Command::cargo_bin("tengen").unwrap().args(args).write_stdin(typed).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{out}\n{err}");
    assert!(!out.contains('\x1b'), "no colour codes in a pipe");
    out
}

const QUICK: [&str; 7] = ["play", "--size", "5", "--playouts", "30", "--seed", "3"];

#[test]
fn bad_input_is_answered_with_help_and_costs_nothing() {
    let out = play(&QUICK, "banana\nI3\nc3\nc3\nundo\nundo\nscore\nhelp\nquit\n");
    for part in [
        "\"banana\" is not a point of a 5x5 board",
        "It is not a command either; type help for all commands.",
        "\"I3\" is not a point",
        ".(X).",
        "C3 cannot be played: there is a stone already.",
        "There is no move of yours to take back.",
        "White: 0 stones + 0 points surrounded + 7.5 komi = 7.5",
        "undo        take back your last move",
    ] {
        assert!(out.contains(part), "{part:?} in:\n{out}");
    }
}

/// A board that is filled by a third after Tengen's second move, and that White wins by komi however it is played.
const SMALL: [&str; 9] = ["play", "--size", "3", "--komi", "9", "--playouts", "30", "--seed", "3"];

#[test]
fn two_passes_end_the_game_and_it_can_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    // White is ahead by komi, so he answers the second pass with a pass; the first comes too early.
    let out = play(&SMALL, &format!("b2\npass\npass\nsave {}\n", file.display()));
    assert!(out.contains("Result: "), "{out}");
    let sgf = std::fs::read_to_string(&file).unwrap();
    assert!(sgf.starts_with("(;GM[1]FF[4]") && sgf.contains(";B[bb];W["), "{sgf}");
    assert!(sgf.contains(";B[];W[])"), "{sgf}");
}

/// On a board that komi wins as it stands a pass of Tengen would end the game; against a person it plays on.
#[test]
fn nobody_passes_early_against_a_person() {
    let base = ["play", "--size", "5", "--seed", "3"];
    for strength in [["--level", "1"], ["--level", "9"], ["--playouts", "300"]] {
        for typed in ["pass\nquit\n", "c3\npass\nquit\n"] {
            let out = play(&[&base[..], &strength].concat(), typed);
            assert!(!out.contains("Result: "), "{strength:?}, {typed:?}: {out}");
        }
    }
    let refused = |args: &[&str]| {
        let output = Command::cargo_bin("tengen").unwrap().args(args).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["play", "--level", "14"]).contains("--level \"14\" is not a level"));
    assert!(refused(&["play", "--level", "3", "--recipe", "uct"]).contains("cannot be used with"));
    assert!(refused(&["gtp", "--game", "hex", "--level", "3"]).contains("--level: hex"));
    assert!(refused(&["analysis", "--level", "x"]).contains("is not a level"));
}

#[test]
fn a_recipe_that_cannot_play_on_the_board_is_refused_before_the_first_move() {
    let mut command = Command::cargo_bin("tengen").unwrap();
    let args = ["play", "--size", "19", "--recipe", "models=mc+gauss mixer=linear", "--playouts", "5"];
    let output = command.args(args).write_stdin("E5\nquit\n").output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("`gauss` cannot be used here") && err.contains("362"), "{err}");
    assert!(!output.status.success() && output.stdout.is_empty());
}

/// Two passes or a resignation are not the end for somebody who thinks better of it.
#[test]
fn after_the_end_undo_goes_on() {
    let out = play(&SMALL, "b2\npass\npass\nundo\nresign\nundo\nscore\nquit\n");
    let results: Vec<&str> = out.lines().filter(|line| line.contains("Result: ")).collect();
    assert_eq!(results.len(), 2, "{out}");
    assert!(results[1].contains("Result: W+R."), "{out}");
    // The stone at B2 still stands after both, and the board is counted once more.
    let (_, after) = out.rsplit_once("Result: ").unwrap();
    assert!(after.contains('X') && after.contains("9 komi"), "{out}");
}

/// Slips at the last prompt lose nothing, and no file of somebody else is replaced.
#[test]
fn the_last_prompt_asks_until_the_game_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (taken, file) = (folder.path().join("taken.sgf"), folder.path().join("game.sgf"));
    std::fs::write(&taken, "mine").unwrap();
    let typed = format!(
        "c3\nresign\nsav x\nsave\nsave {}/nowhere/x.sgf\nsave {}\nSAVE {}\n",
        folder.path().display(),
        taken.display(),
        file.display()
    );
    let out = play(&QUICK, &typed);
    for part in ["The game is over.", "Where to?", "Not saved: cannot write", "exists already", "Saved to"] {
        assert!(out.contains(part), "{part:?} in:\n{out}");
    }
    assert_eq!(std::fs::read_to_string(&taken).unwrap(), "mine");
    assert!(std::fs::read_to_string(&file).unwrap().contains("RE[W+R]"));
}

#[test]
fn bytes_that_are_no_text_are_bad_moves() {
    let output = Command::cargo_bin("tengen")
        .unwrap()
        .args(QUICK)
        .write_stdin(&b"\xff\xfe\n\x1b[D\nc3\nquit\n"[..])
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && out.contains("\"?[D\" is not a point") && out.contains(".(X)."),
        "{out}"
    );
}

#[test]
fn the_end_of_input_leaves_quietly() {
    let out = play(&QUICK, "c3\n");
    assert!(out.ends_with("Black> \n"), "{out}");
}

#[test]
fn a_white_player_with_a_handicap_against_him_moves_first() {
    let out = play(
        &["play", "--size", "9", "--handicap", "2", "--color", "white", "--playouts", "10"],
        "e5\nquit\n",
    );
    assert!(out.contains("(O)"), "{out}");
    assert!(out.contains("You are White, Tengen is Black."), "{out}");
}

#[test]
fn wrong_options_say_what_was_expected() {
    for (args, part) in [
        (&["play", "--size", "1"][..], "each side must be 2 to 25"),
        (&["play", "--size", "30"], "each side must be 2 to 25"),
        (&["play", "--game", "hex", "--size", "30"], "hex is played on boards from 2x2 to 19x19, not 30x30"),
        (&["play", "--komi", "-300"], "--komi -300: expected at most the points of the board, 81"),
        (&["play", "--size", "nine"], "expected 9, 13, 19 or WIDTHxHEIGHT"),
        (&["play", "--rules", "chinse"], "chinese"),
        (&["play", "--playouts", "0"], "'--playouts <PLAYOUTS>': expected a whole number, at least 1"),
        (&["play", "--threads", "0"], "--threads 0: expected 1 to 256"),
        (&["play", "--recipe", "none.recipe"], "none.recipe"),
        (&["play", "--handicap", "1"], "one stone is no handicap"),
        (&["play", "--recipe", "defualt"], "default"),
        (&["play", "--color", "green"], "expected black or white"),
    ] {
        let output = Command::cargo_bin("tengen").unwrap().args(args).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(part), "{args:?}: {part:?} in {error}");
    }
}
