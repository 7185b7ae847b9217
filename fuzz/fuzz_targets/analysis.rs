//! Invariant: every line gets an answer without a panic. A fault says in one JSON object what is wrong and names the
//! question if it has a name; an action says back the very object that asked; a question's turns are among its moves,
//! every position it asks for can be reached, and no setting is out of its range.
#![no_main]

use goban::Color;
use libfuzzer_sys::fuzz_target;
use player::analysis::ask::{Ask, Query, Viewer};
use player::analysis::read::Reader;
use serde_json::Value;

/// The visits of a question that names none.
const MAX_VISITS: u64 = 500;

/// The name of a question, as JSON says it, read a second time on purpose.
fn id_of(line: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(line).ok()?;
    Some(value.as_object()?.get("id")?.as_str()?.to_owned())
}

fn check_query(query: &Query) {
    assert!((1..=1_000_000_000).contains(&query.max_visits), "{} visits", query.max_visits);
    assert!(query.max_time.is_none_or(|seconds| seconds.is_finite() && seconds >= 0.0));
    assert!(query.pv_len >= 1 && !query.turns.is_empty());
    // A long game has many positions, and the first and the last of them show what the others would.
    for turn in query.turns.iter().take(2).chain(query.turns.last()) {
        let position = query.position(turn.number);
        assert_eq!(position.plays().len(), turn.number, "every move up to the turn is played");
        let score = position.score();
        assert!(score.margin().is_finite());
    }
    for color in Color::BOTH {
        let _ = query.question(color);
    }
    let _ = query.is_open_ended();
}

fuzz_target!(|bytes: &[u8]| {
    let mut reader = Reader::new(MAX_VISITS, Viewer::Black);
    for line in bytes.split(|&byte| byte == b'\n') {
        match reader.read(line) {
            Err(fault) => {
                assert!(!fault.why.is_empty());
                let told = fault.to_json();
                assert!(told["error"].is_string() && !told.to_string().contains('\n'), "{told}");
                if let Some(id) = fault.id {
                    assert_eq!(id_of(line), Some(id), "a fault names the question that was asked");
                }
            }
            Ok((Ask::Action { echo, .. }, warnings)) => {
                assert!(warnings.is_empty());
                let asked: Value = serde_json::from_slice(line).expect("it was read");
                assert_eq!(Value::Object(echo), asked);
            }
            Ok((Ask::Query(query), warnings)) => {
                assert_eq!(id_of(line).as_ref(), Some(&query.id));
                let is_told =
                    |warning: &Value| warning["warning"].is_string() && warning["id"] == query.id.as_str();
                assert!(warnings.iter().all(is_told), "{warnings:?}");
                check_query(&query);
            }
        }
    }
});
