use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::*;

const KIND: LogKind =
    LogKind { name: "count", entry: "counted thing", free: &["program"], elsewhere: "another --file" };

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct CountedThing {
    n: u32,
}

fn header(seed: u32) -> Value {
    json!({"tengen-count": 1, "program": "0.1", "seed": seed})
}

fn open(path: &Path, header: &Value) -> Result<(Log, Vec<CountedThing>), LogError> {
    Log::open(path, &KIND, header)
}

fn numbers(path: &Path) -> Vec<u32> {
    open(path, &header(1)).unwrap().1.iter().map(|counted| counted.n).collect()
}

fn refusal(path: &Path, header: &Value) -> String {
    let before = fs::read(path).unwrap();
    let error = open(path, header).map(|_| ()).unwrap_err().to_string();
    assert_eq!(fs::read(path).unwrap(), before, "a refused file stays as it is: {error}");
    error
}

#[test]
fn a_log_continues_wherever_it_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let (mut log, entries) = open(&path, &header(1)).unwrap();
    assert!(entries.is_empty() && is_begun(&path));
    for n in 0..3 {
        log.append(&CountedThing { n }).unwrap();
    }
    drop(log);
    let whole = fs::read(&path).unwrap();
    let ends: Vec<usize> =
        whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1).collect();
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let n_whole = ends[1..].iter().filter(|end| **end <= cut).count() as u32;
        let (mut log, entries) = open(&path, &header(1)).unwrap();
        assert_eq!(entries, (0..n_whole).map(|n| CountedThing { n }).collect::<Vec<_>>(), "cut at {cut}");
        for n in n_whole..3 {
            log.append(&CountedThing { n }).unwrap();
        }
        drop(log);
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn one_writer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let (mut log, _) = open(&path, &header(1)).unwrap();
    log.append(&CountedThing { n: 7 }).unwrap();
    assert!(matches!(open(&path, &header(1)), Err(LogError::InUse { .. })));
    // A reader sees what is there.
    let (read_header, entries) = read::<Value, CountedThing>(&path, &KIND).unwrap().unwrap();
    assert_eq!((read_header, entries), (header(1), vec![CountedThing { n: 7 }]));
    drop(log);
    assert_eq!(numbers(&path), [7]);
}

#[test]
fn damage_is_refused_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let first = header(1).to_string();
    for (text, line) in [
        (format!("{first}\n{{\"n\":1}}\nbad\n{{\"n\":2}}\n"), 3),
        (format!("{first}\n\n{{\"n\":2}}\n"), 2),
        (format!("{first}\n{{\"n\":1}}\n{{\"n\":-2}}\n{{\"n\":"), 3),
        ("shopping list\n".to_string(), 1),
        ("milk".to_string(), 1),
        ("{\"other\":1}\n".to_string(), 1),
    ] {
        fs::write(&path, &text).unwrap();
        let error = refusal(&path, &header(1));
        assert!(error.contains(&format!("log.jsonl, line {line}: ")), "{text}: {error}");
    }
    fs::write(&path, [0xff, 0xfe, b'\n']).unwrap();
    assert!(refusal(&path, &header(1)).contains("line 1: "));
}

#[test]
fn other_settings_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    drop(open(&path, &header(1)).unwrap());
    let error = refusal(&path, &header(2));
    assert!(error.contains("seed is 1 there, 2 here") && !error.contains("program"), "{error}");
    // What is for information only may differ.
    let mut newer = header(1);
    newer["program"] = json!("0.2");
    assert!(open(&path, &newer).is_ok());
}

#[test]
fn a_result_that_could_not_be_written_leaves_no_half_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let (mut log, _) = open(&path, &header(1)).unwrap();
    log.append(&CountedThing { n: 1 }).unwrap();
    // As after a write that the disk had no room for.
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"n\"").unwrap();
    log.append(&CountedThing { n: 2 }).unwrap();
    drop(log);
    assert_eq!(numbers(&path), [1, 2]);
}
