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
    let page = get(server.address, "/lab/report?name=thinking");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<h1>Does thinking help?</h1>"), "{page}");
    assert!(
        page.to_lowercase()
            .contains("content-security-policy: default-src 'none'; style-src 'unsafe-inline'")
    );
}

#[test]
fn runs_of_self_play_are_listed_told_and_replayed() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    crate::common::self_play(&runs);
    std::fs::create_dir(runs.join("empty")).unwrap();
    std::fs::create_dir(runs.join("broken")).unwrap();
    std::fs::write(runs.join("broken/run.toml"), "gmae = 1").unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.enter();
    client.ask(&json!({"ask": "runs"}));
    let list = client.told("runs")["runs"].clone();
    let names: Vec<_> = list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["broken", "crosses"]);
    assert!(list[0]["error"].as_str().unwrap().contains("gmae") && list[1]["error"].is_null(), "{list}");
    assert_eq!((&list[1]["newest"], &list[1]["working"]), (&json!(2), &json!(false)));

    client.ask(&json!({"ask": "run", "run": "crosses"}));
    let told = client.told("run");
    let games = told["games"].as_array().unwrap();
    assert!(games.len() > 5 && games.len() <= 40, "{}", games.len());
    assert_eq!(games[0]["game"], told["run"]["games"], "the last game comes first");
    client.ask(&json!({"ask": "run-game", "run": "crosses", "game": games[1]["game"]}));
    let game = client.told("run-game");
    let frames = game["frames"].as_array().unwrap();
    assert_eq!(frames.len() as u64, 1 + games[1]["moves"].as_u64().unwrap());
    let stones = |frame: &serde_json::Value| frame["board"].as_str().unwrap().matches(['X', 'O']).count();
    assert!(frames.iter().enumerate().all(|(ply, frame)| stones(frame) == ply), "{game}");
    assert!(frames[0]["last"].is_null() && frames[1]["last"].is_string());

    for message in [
        json!({"ask": "run", "run": "broken/../crosses"}),
        json!({"ask": "run", "run": "empty"}),
        json!({"ask": "run-game", "run": "crosses", "game": 0}),
    ] {
        client.ask(&message);
        assert_eq!(client.told("error")["kind"], "unknown", "{message}");
    }
    let page = get(server.address, "/runs/report?name=crosses");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<h1>Noughts and crosses</h1>"), "{page}");
    for part in ["Elo above random weights", "games that begin so", "The latest games", "steps-per-net = 5"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(get(server.address, "/runs/report?name=empty").starts_with("HTTP/1.1 404"));
}

/// The whole answer to a request.
fn get(address: std::net::SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    page
}
