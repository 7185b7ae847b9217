//! `tengen gtp` as clients start it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("gtp")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends everything at once, closes the input, and waits for the end.
fn run(args: &[&str], input: &str) -> Output {
    let mut child = start(args);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn answers(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_client_meets_tengen_on_a_full_board() {
    let version = player::engine::version();
    let text = answers(&[], "1 name\n2 version\n3 query_boardsize\n4 get_komi\n5 quit\n");
    assert_eq!(text, format!("=1 Tengen\n\n=2 {version}\n\n=3 19\n\n=4 7.5\n\n=5 \n\n"));
}

/// White is ahead by komi as the board stands: only a level does not answer the pass with a pass.
#[test]
fn the_level_is_set_by_option_and_by_command() {
    let game = "boardsize 5\nplay b c3\nplay w c2\nplay b pass\ngenmove w\nquit\n";
    let passes = |args: &[&str], before: &str| {
        let text = answers(args, &format!("{before}{game}"));
        text.trim_end().lines().rev().any(|line| line.eq_ignore_ascii_case("= pass"))
    };
    assert!(passes(&["--playouts", "30"], ""));
    assert!(!passes(&["--level", "9"], ""));
    assert!(!passes(&["--playouts", "30"], "level 2\n"));
    let text = answers(&["--size", "5"], "level 14\nlevel\nlevel 1\nquit\n");
    assert!(text.starts_with("? \"14\" is not a level"), "{text}");
}

#[test]
fn options_set_the_first_game_and_the_identity() {
    let args =
        ["--size", "9x7", "--komi", "-3.5", "--rules", "japanese", "--name", "Leela", "--version", "0.17"];
    let text = answers(&args, "name\nversion\nquery_boardsize\nget_komi\nkata-get-rules\nquit\n");
    assert!(text.starts_with("= Leela\n\n= 0.17\n\n= 9 7\n\n= -3.5\n\n= {"), "{text}");
    assert!(text.contains("TERRITORY"), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let args = ["--size", "7", "--playouts", "50", "--seed", "3", "--no-resign"];
    let script = "genmove b\ngenmove w\n".repeat(5) + "move_history\nquit\n";
    assert_eq!(answers(&args, &script), answers(&args, &script));
}

#[test]
fn chat_is_an_option() {
    let ask = "known_command kgs-chat\nquit\n";
    assert_eq!(answers(&[], ask), "= false\n\n= \n\n");
    assert_eq!(answers(&["--kgs-chat"], ask), "= true\n\n= \n\n");
}

#[test]
fn timed_the_end_of_the_input_ends_the_program_in_the_middle_of_a_thought() {
    let mut child = start(&["--size", "9", "--time", "3600"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"name\ngenmove b\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "= Tengen\n");
    let start = Instant::now();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn bad_options_are_refused_in_words() {
    let cases: [(&[&str], &str); 12] = [
        (&["--memory", "64Q"], "\"q\" is not a unit of memory"),
        (&["--memory", "10K"], "\"10K\" is too little for a tree"),
        (&["--threads", "0"], "--threads 0: expected 1 to 256"),
        (&["--threads", "-1"], "'--threads <THREADS>': expected a whole number of threads"),
        (&["--memory", "-64M"], "'--memory <SIZE>': \"-64M\" is too little"),
        (&["--size", "-9"], "'--size <SIZE>': \"-9\" is not a board size"),
        (&["--resign", "-1"], "'--resign <RATE|never>': \"-1\" is not a win rate"),
        (&["--recipe", "defualt"], "did you mean"),
        // What does not fit together is refused before a client relies on it.
        (&["--recipe", "select=puct"], "`puct` cannot be used here: it needs a static probability P(a)"),
        (&["--size", "30"], "each side must be 2 to 25"),
        (&["--rules", "chines"], "did you mean chinese"),
        (&["--time", "0"], "positive number of seconds"),
    ];
    for (args, expected) in cases {
        let output = run(args, "");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && stderr.contains(expected), "{args:?}: {stderr}");
        assert!(output.stdout.is_empty());
    }
}
