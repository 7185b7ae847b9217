//! `tengen conform`: our own engine, GNU Go where there is one, and engines with bad manners.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

const TENGEN: &str = env!("CARGO_BIN_EXE_tengen");

fn conform(options: &[&str], engine: &[&str]) -> Output {
    Command::new(TENGEN).arg("conform").args(options).args(engine).output().unwrap()
}

fn report(options: &[&str], engine: &[&str]) -> (i32, Value) {
    let options = [&["--json"], options].concat();
    let output = conform(&options, engine);
    let code = output.status.code().unwrap();
    let value = serde_json::from_slice(&output.stdout);
    (code, value.unwrap_or_else(|error| panic!("{error}: {output:?}")))
}

/// The titles of the checks of a level that failed, with what came.
fn failed(report: &Value, level: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap();
    let bad = checks.iter().filter(|check| check["level"] == level && check["outcome"] == "fail");
    bad.map(|check| format!("{}: {}", check["check"].as_str().unwrap(), check["got"].as_str().unwrap()))
        .collect()
}

/// The engine with bad manners that players are tested with.
fn fake() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../player/tests/engines/fake.sh").display().to_string()
}

#[test]
fn our_own_engine_does_everything_that_it_must() {
    let engine = [TENGEN, "gtp", "--playouts", "50"];
    let (code, report) = report(&[], &engine);
    assert_eq!(failed(&report, "MUST"), Vec::<String>::new());
    assert_eq!(code, 0);
    let version = player::engine::version();
    assert_eq!((&report["name"], &report["version"]), (&"Tengen".into(), &version.into()));
    assert!(report["must"]["passed"].as_u64().unwrap() > 60, "{}", report["must"]);
    assert_eq!(failed(&report, "WANT"), Vec::<String>::new());
}

/// Knows one board and no clock.
const SIMPLE: &str = r#"while read word rest; do case "$word" in
list_commands) printf '= final_score\nlz-genmove_analyze\n\n' ;;
boardsize) if [ "$rest" = 19 ]; then printf '= \n\n'; else printf '? unacceptable size\n\n'; fi ;;
33) printf '=33\ninfo move D4 visits 1 winrate 5000 pv D4\nplay D4\n\n' ;;
final_score) printf '= W+0.5\n\n' ;;
time_settings) printf '? unknown command\n\n' ;;
*) printf '= \n\n' ;;
esac; done"#;

#[test]
fn what_an_engine_does_not_know_is_not_asked_of_it() {
    for title in ["final_score is", "lz-genmove_analyze b 20"] {
        let (code, report) = report(&["--size", "19", "--only", title], &["sh", "-c", SIMPLE]);
        assert_eq!((code, &report["must"]["passed"]), (0, &1.into()), "{report}");
    }
}

#[test]
fn gnu_go_is_judged_sensibly() {
    let gnugo = "/usr/games/gnugo";
    if !Path::new(gnugo).exists() {
        println!("skipped: there is no {gnugo}");
        return;
    }
    let (code, report) = report(&["--patience", "30"], &[gnugo, "--mode", "gtp", "--level", "1"]);
    let musts = failed(&report, "MUST");
    // It knows neither tabs at the end of a line nor CGOS; it certainly plays Go.
    assert_eq!(code, i32::from(!musts.is_empty()));
    assert!(musts.len() <= 4, "{musts:?}");
    assert_eq!(report["name"], "GNU Go");
    let passed = |title: &str| {
        let checks = report["checks"].as_array().unwrap();
        checks.iter().any(|check| check["check"] == title && check["outcome"] == "pass")
    };
    for title in [
        "protocol_version is exactly 2",
        "genmove puts its stone on the board",
        "undo takes back one move",
        "quit answers, and the process ends within a second",
    ] {
        assert!(passed(title), "{title}");
    }
    let wants = failed(&report, "WANT");
    assert!(wants.iter().any(|title| title.starts_with("lists lz-analyze")), "{wants:?}");
}

#[test]
fn a_report_says_what_was_sent_what_came_and_who_suffers() {
    let script = fake();
    let output = conform(&["--only", "occupied"], &["sh", &script, "good"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in [
        "Fake 1.0 (sh ",
        "FAIL MUST an occupied point: exactly ? illegal move",
        ">         play w e5",
        "came      =",
        "expected  ? to \"play w e5\"",
        "suffers   gomill",
        "MUST  0 hold, 1 fail",
        "1 fault would break it",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

#[test]
fn timed_engines_that_hang_flood_or_die_are_survived_and_gone() {
    let dir = tempfile::tempdir().unwrap();
    let script = fake();
    for (manner, words) in [
        ("hangs-at-start", "nothing within"),
        ("exits-at-start", "no licence found"),
        ("welcomes", "Welcome to Fake"),
        ("dies-at-setup", "no room"),
        ("stays-with-child", "it was still there"),
        ("goes-mute", "the engine died"),
    ] {
        let mark = format!("TENGEN_CONFORM={}-{manner}", std::process::id());
        let start = Instant::now();
        let log = dir.path().join(manner);
        let log = log.display().to_string();
        let options = ["--patience", "0.5", "--start", "0.5"];
        let (code, report) = report(&options, &["env", &mark, "sh", &script, manner, &log]);
        assert_eq!(code, 1, "{manner}");
        let musts = failed(&report, "MUST");
        assert!(musts.iter().any(|text| text.contains(words)), "{manner}: {musts:?}");
        assert!(start.elapsed() < Duration::from_secs(60), "{manner} took {:?}", start.elapsed());
        assert_nothing_left(&mark);
    }
}

#[test]
fn timed_floods_are_cut_off() {
    let start = Instant::now();
    for flood in ["yes '= 2'", "head -c 20000000 /dev/zero | tr '\\0' x; sleep 60", "yes ''"] {
        let (code, report) =
            report(&["--patience", "0.5", "--start", "0.5", "--only", "framing"], &["sh", "-c", flood]);
        assert_eq!(code, 1, "{flood}");
        assert_eq!(report["must"]["passed"], 0, "{flood}");
    }
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// The processes that carry the mark are gone, or soon will be.
fn assert_nothing_left(mark: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let has_mark = |dir: &Path| {
            let environ = fs::read(dir.join("environ")).unwrap_or_default();
            environ.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
        };
        let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let left: Vec<_> = all.filter(|dir| has_mark(dir)).collect();
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "left are {left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn bad_input_is_named() {
    let text = |options: &[&str], engine: &[&str]| {
        let output = conform(options, engine);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, error) = text(&[], &["no-such-program"]);
    assert!(code == 2 && error.contains("cannot start \"no-such-program\""), "{error}");
    assert!(text(&["--size", "8"], &["true"]).1.contains("expected a side from 9 to 25"));
    assert!(text(&["--only", "zzz"], &["true"]).1.contains("no check has this text"));
    assert_eq!(text(&[], &[]).0, 2);
    let list = conform(&["--list"], &[]);
    let list = String::from_utf8(list.stdout).unwrap();
    assert!(
        list.lines().count() > 120 && list.starts_with("MUST framing: protocol_version is exactly 2"),
        "{list}"
    );
}
