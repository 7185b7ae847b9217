//! The JSON analysis protocol when questions are wrong, too many, or nobody reads the answers.

use std::io::{self, BufReader, Cursor, Write, pipe};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::analysis_support::{Live, ask, options};
use player::analysis::ask::{Fault, Viewer};
use player::analysis::read::QueryReader;
use player::analysis::{Options, serve};
use serde_json::{Value, json};

#[test]
fn malformed_lines_break_nothing() {
    let mut live = Live::start(options(1));
    live.send(&ask("before", json!([]), json!({ "maxVisits": 200 })));
    let deep = "[".repeat(100_000);
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(5 << 20));
    for text in [
        "{",
        "nonsense",
        "[]",
        "3",
        "\"id\"",
        "{}",
        "{\"id\":7}",
        "{\"id\":\"1\"}",
        "{\"id\":null}",
        &deep,
        &long,
        "\u{fffd}",
    ] {
        live.send_text(text);
    }
    live.input.as_mut().unwrap().write_all(b"\xff\xfe\n\r\n\n   \n").unwrap();
    live.send(&ask("after", json!([]), json!({})));
    let all = live.end();
    let errors: Vec<&Value> = all.iter().filter(|answer| answer.get("error").is_some()).collect();
    assert_eq!(errors.len(), 13, "{errors:?}");
    assert!(errors.iter().all(|error| error["error"].as_str().unwrap().contains("expected")
        || error["error"].as_str().unwrap().contains("must be")));
    for id in ["before", "after"] {
        assert_eq!(
            all.iter().filter(|answer| answer["id"] == id && answer["isDuringSearch"] == false).count(),
            1,
            "{id}"
        );
    }
}

#[test]
fn faults_name_the_field() {
    let mut reader = QueryReader::new(30, Viewer::Black);
    let mut fault = |more: Value| -> Fault {
        let line = ask("7", json!([["B", "C3"]]), more).to_string();
        reader.read(line.as_bytes()).map(|_| ()).unwrap_err()
    };
    for (more, field, part) in [
        (json!({ "boardXSize": 1 }), "boardXSize", "1"),
        (json!({ "boardYSize": 26 }), "boardYSize", "26"),
        (json!({ "boardXSize": "9" }), "boardXSize", "\"9\""),
        (json!({ "boardYSize": null }), "boardYSize", "missing"),
        (json!({ "rules": "chess" }), "rules", "chess"),
        (json!({ "rules": { "ko": "NEVER" } }), "rules", "NEVER"),
        (json!({ "rules": 5 }), "rules", "got 5"),
        (json!({ "whiteHandicapBonus": "2N" }), "whiteHandicapBonus", "2N"),
        (json!({ "komi": "much" }), "komi", "\"much\""),
        (json!({ "komi": 1e30 }), "komi", "expected a number"),
        (json!({ "moves": [["B", "C3"], ["W", "C3"]] }), "moves", "Illegal move 1: C3"),
        (json!({ "moves": 3 }), "moves", "expected a list of moves"),
        (json!({ "moves": [["B", "A1"], ["B", "Z9"]] }), "moves", "entry 1 is [\"B\",\"Z9\"]"),
        (json!({ "moves": [["B", "Z9"]] }), "moves", "5x5 board"),
        (json!({ "moves": [["X", "A1"]] }), "moves", "\"X\" is not a colour: expected \"B\" or \"W\""),
        (json!({ "moves": [["B", 5]] }), "moves", "5 is not a point"),
        (json!({ "moves": [["B"]] }), "moves", "entry 0 is [\"B\"]: expected a colour and a point"),
        (json!({ "moves": null }), "moves", "missing"),
        (json!({ "moves": vec![["B", "pass"]; 4001] }), "moves", "at most 4000"),
        (json!({ "initialStones": [["B", "pass"]] }), "initialStones", "entry 0 is a pass"),
        (json!({ "initialStones": vec![["B", "A1"]; 26] }), "initialStones", "26 stones"),
        (json!({ "initialStones": [["B", "A1"], ["W", "B1"], ["W", "A2"]] }), "initialStones", "A1"),
        (json!({ "initialStones": [["B", "D4"], ["W", "D4"]] }), "initialStones", "entry 1: D4 has a stone"),
        (json!({ "initialPlayer": "G" }), "initialPlayer", "\"G\""),
        (json!({ "analyzeTurns": [2] }), "analyzeTurns", "at most 1"),
        (json!({ "analyzeTurns": [] }), "analyzeTurns", "0 turns"),
        (json!({ "analyzeTurns": [-1] }), "analyzeTurns", "[-1]"),
        (json!({ "analyzeTurns": vec![0; 4002] }), "analyzeTurns", "4002 turns"),
        (json!({ "priorities": [1, 2] }), "priorities", "2 priorities for 1"),
        (json!({ "priority": "high" }), "priority", "\"high\""),
        (json!({ "maxVisits": 0 }), "maxVisits", "at least 1"),
        (json!({ "maxVisits": 1.5 }), "maxVisits", "1.5"),
        (json!({ "includePolicy": "yes" }), "includePolicy", "true or false"),
        (json!({ "reportDuringSearchEvery": -1 }), "reportDuringSearchEvery", "positive"),
        (json!({ "avoidMoves": [{ "player": "B", "moves": ["A1"] }] }), "avoidMoves", "untilDepth"),
        (
            json!({ "avoidMoves": [{ "player": "B", "moves": ["Z9"], "untilDepth": 1 }] }),
            "avoidMoves",
            "entry 0 is {\"player\":\"B\",\"moves\":[\"Z9\"]",
        ),
        (json!({ "allowMoves": 3 }), "allowMoves", "a list of objects"),
        (json!({ "overrideSettings": [] }), "overrideSettings", "an object"),
        (
            json!({ "overrideSettings": { "reportAnalysisWinratesAs": "GREEN" } }),
            "overrideSettings.reportAnalysisWinratesAs",
            "SIDETOMOVE",
        ),
        (json!({ "overrideSettings": { "maxTime": "long" } }), "overrideSettings.maxTime", "\"long\""),
    ] {
        let fault = fault(more.clone());
        assert_eq!((fault.field.as_str(), fault.id.as_deref()), (field, Some("7")), "{more}: {}", fault.why);
        assert!(fault.why.contains(part), "{more}: {}", fault.why);
        assert!(fault.why.len() < 400);
    }
    for (line, part) in [
        ("nonsense {", "\"nonsense {\" is not JSON"),
        ("[1]", "got [1]"),
        ("{\"id\":7}", "got 7"),
        ("{\"id\":\"a\",\"action\":\"dance\"}", "got \"dance\""),
    ] {
        let fault = reader.read(line.as_bytes()).map(|_| ()).unwrap_err();
        assert!(fault.why.contains(part), "{line}: {}", fault.why);
    }
    // What means nothing to us is said once.
    let odd = ask(
        "8",
        json!([]),
        json!({ "rootPolicyTemperature": 1.1, "overrideSettings": { "antiMirror": true } }),
    )
    .to_string();
    assert_eq!(reader.read(odd.as_bytes()).unwrap().1.len(), 2);
    assert_eq!(reader.read(odd.as_bytes()).unwrap().1.len(), 0);
}

#[test]
fn too_many_questions_are_refused() {
    let mut live = Live::start(options(1));
    live.send(&ask("holds", json!([]), json!({ "maxVisits": 10_000_000, "priority": 9 })));
    let moves: Vec<Value> = (0..3999).map(|n| json!([if n % 2 == 0 { "B" } else { "W" }, "pass"])).collect();
    let turns: Vec<usize> = (0..4000).collect();
    for n in 0..6 {
        live.send(&ask(
            &format!("q{n}"),
            moves.clone().into(),
            json!({ "analyzeTurns": turns, "maxVisits": 1 }),
        ));
    }
    let error = live.next();
    assert!(error["error"].as_str().unwrap().contains("at most 20000"), "{error}");
    live.send(&json!({ "action": "terminate_all", "id": "end" }));
    let n_finals = live.end().iter().filter(|answer| answer["isDuringSearch"] == false).count();
    assert_eq!(n_finals, 1 + 5 * 4000);
}

#[test]
fn nobody_is_searched_for_when_nobody_reads() {
    let (service_input, mut input) = pipe().unwrap();
    let (output, service_output) = pipe().unwrap();
    drop(output);
    let thread = thread::spawn(move || serve(options(2), BufReader::new(service_input), service_output));
    let ponder =
        ask("ponder", json!([]), json!({ "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.01 }));
    input.write_all(format!("{ponder}\n").as_bytes()).unwrap();
    // The input stays open: it is the output that tells.
    let error = thread.join().unwrap().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn timed_the_end_of_the_input_may_end_all() {
    let mut live = Live::start(Options { quits_at_once: true, ..options(1) });
    for n in 0..20 {
        live.send(&ask(&n.to_string(), json!([]), json!({ "maxVisits": 100_000 })));
    }
    let start = Instant::now();
    let all = live.end();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(all.iter().filter(|answer| answer["isDuringSearch"] == false).count(), 20);
}

/// A reader of answers who takes his time.
struct Slow(Arc<Mutex<Vec<u8>>>);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        thread::sleep(Duration::from_millis(2));
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_is_left_to_tell_at_the_end() {
    let ponder = |n: u32| format!("{}\n", ask(&n.to_string(), json!([]), json!({ "maxVisits": 10_000_000 })));
    let questions: String = (0..50).map(ponder).collect();
    let told = Arc::new(Mutex::new(Vec::new()));
    serve(options(1), Cursor::new(questions.into_bytes()), Slow(Arc::clone(&told))).unwrap();
    // Whoever called may leave at once: what is not told by now never will be.
    let told = String::from_utf8(told.lock().unwrap().clone()).unwrap();
    assert_eq!(told.matches("\"isDuringSearch\":false").count(), 50, "{told}");
}
