//! Experiments on disk as the page is told of them.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::common::Running;
use serde_json::json;

#[test]
fn experiments_are_listed_opened_and_replayed() {
    let dir = tempfile::tempdir().unwrap();
    let results = dir.path().join("results");
    crate::common::experiment(&results);
    // A folder without a store is no experiment, one with a broken store says so.
    std::fs::create_dir(results.join("empty")).unwrap();
    std::fs::create_dir(results.join("broken")).unwrap();
    std::fs::write(results.join("broken/lab.sqlite"), "no database at all").unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.enter();
    client.ask(&json!({"ask": "experiments"}));
    let list = client.told("experiments")["experiments"].clone();
    let names: Vec<_> = list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["broken", "thinking"]);
    assert!(list[0]["error"].is_string() && list[1]["error"].is_null());
    assert_eq!(
        (&list[1]["games"], &list[1]["left"], &list[1]["playing"]),
        (&json!(4), &json!(0), &json!(false))
    );

    client.ask(&json!({"ask": "standings", "experiment": "thinking"}));
    let rows = client.told("standings")["rows"].clone();
    let row = &rows[0];
    assert_eq!((&row["games"], &row["state"]), (&json!(4), &json!("complete")));
    let sum = ["wins", "draws", "losses"].iter().map(|key| row[*key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum, 4);

    client.ask(&json!({"ask": "games", "experiment": "thinking", "pairing": row["pairing"], "skip": 1}));
    let games = client.told("games");
    assert_eq!((&games["of"], games["games"].as_array().unwrap().len()), (&json!(4), 3));
    let game = &games["games"][0];
    client.ask(
        &json!({"ask": "replay", "experiment": "thinking", "pairing": row["pairing"], "game": game["game"]}),
    );
    let tree = client.told("tree");
    assert_eq!(tree["width"], 5);
    // The root and a node for each move.
    assert_eq!(tree["nodes"].as_array().unwrap().len() as u64, 1 + game["moves"].as_u64().unwrap());

    for message in [
        json!({"ask": "standings", "experiment": "broken/../thinking"}),
        json!({"ask": "games", "experiment": "thinking", "pairing": 99}),
        json!({"ask": "replay", "experiment": "thinking", "pairing": row["pairing"], "game": 99}),
    ] {
        client.ask(&message);
        assert_eq!(client.told("error")["kind"], "unknown", "{message}");
    }
    let mut stream = TcpStream::connect(server.address).unwrap();
    let host = server.address;
    write!(stream, "GET /lab/report?name=thinking HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<h1>Does thinking help?</h1>"), "{page}");
    assert!(
        page.to_lowercase()
            .contains("content-security-policy: default-src 'none'; style-src 'unsafe-inline'")
    );
}
