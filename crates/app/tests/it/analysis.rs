//! `tengen analysis` as tools start it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Sends everything at once, closes the input, and waits for the end.
fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("analysis")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who does not start does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Black has two eyes and more than half of the board; White is to move.
const QUESTION: &str = concat!(
    r#"{"id":"a","moves":[["B","C3"]],"rules":"tromp-taylor","komi":0.5,"boardXSize":5,"boardYSize":5,"initialStones":["#,
    r#"["B","A3"],["B","B3"],["B","D3"],["B","E3"],["B","A2"],["B","C2"],["B","E2"],"#,
    r#"["B","A1"],["B","B1"],["B","C1"],["B","D1"],["B","E1"]]}"#
);

fn answers(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn katrains_command_line_is_understood() {
    let args = [
        "-model",
        "m.bin.gz",
        "-config",
        "c.cfg",
        "-human-model",
        "h.bin.gz",
        "-override-config",
        "homeDataDir=/nowhere,maxVisits=20,reportAnalysisWinratesAs=SIDETOMOVE",
    ];
    let output = run(&args, &format!("{QUESTION}\n"));
    assert!(output.status.success(), "{output:?}");
    let [answer] = &answers(&output)[..] else { panic!("{output:?}") };
    assert_eq!((&answer["rootInfo"]["visits"], &answer["isDuringSearch"]), (&20.into(), &false.into()));
    // That is White's.
    assert!(answer["rootInfo"]["winrate"].as_f64().unwrap() < 0.5);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("-model") && !errors.contains("what()") && !errors.contains("Uncaught"),
        "{errors}"
    );
}

#[test]
fn our_own_options_come_first() {
    let args = [
        "--max-visits",
        "12",
        "--winrates-as",
        "white",
        "--threads",
        "1",
        "--recipe",
        "uct",
        "-analysis-threads",
        "2",
    ];
    let output =
        run(&args, &format!("{QUESTION}\n{{\"id\":\"v\",\"action\":\"query_version\"}}\nnonsense\n"));
    assert!(output.status.success(), "{output:?}");
    let answers = answers(&output);
    assert_eq!(answers.len(), 3);
    let of = |key: &str| answers.iter().find(|answer| answer.get(key).is_some()).unwrap();
    assert_eq!(of("rootInfo")["rootInfo"]["visits"], 12);
    assert!(of("rootInfo")["rootInfo"]["winrate"].as_f64().unwrap() < 0.5);
    assert_eq!(of("version")["version"], env!("CARGO_PKG_VERSION"));
    assert!(of("error")["error"].as_str().unwrap().contains("is not JSON"));
}

#[test]
fn what_cannot_be_is_refused() {
    for (args, part) in [
        (&["--recpie", "uct"][..], "--recpie"),
        (&["--winrates-as", "green"], "expected black, white or sidetomove"),
        (&["--recipe", "no-such"], "no-such"),
        (&["-override-config", "maxVisits=none"], "-override-config maxVisits=none"),
        (&["katago"], "unexpected argument \"katago\""),
    ] {
        let output = run(args, "");
        assert!(!output.status.success(), "{args:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(part), "{args:?}: {errors}");
    }
}
