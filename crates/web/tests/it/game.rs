//! Games against Tengen over the WebSocket, without a browser.

use crate::common::{Running, spot};
use serde_json::{Value, json};

#[test]
fn a_game_survives_a_restart_of_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let (session, before) = {
        let server = Running::start(dir.path(), |_| {});
        let mut client = server.enter();
        client.new_game(5, 1);
        let game = client.play(12, 0);
        (client.session.clone(), game["moves"].clone())
    };
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.connect();
    let game = client.hello(Some(&session));
    assert_eq!((client.session.as_str(), &game["moves"]), (session.as_str(), &before));
    // Somebody who merely guesses a name gets a new one.
    let mut stranger = server.connect();
    stranger.hello(Some("00000000000000000000000000000000"));
    assert!(stranger.session != session && !stranger.session.starts_with("000000"));
}

#[test]
fn a_whole_game_is_played_counted_and_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.enter();
    client.new_game(5, 1);
    client.play(12, 0);
    client.ask(&json!({"ask": "hint"}));
    assert_eq!(client.told("hint")["ply"], 2);
    client.ask(&json!({"ask": "undo"}));
    client.wait("undone", |message| message["tell"] == "game" && message["moves"] == json!([]));
    let mut game = client.play(12, 0);
    // Whoever passes and passes sees Tengen take the board, and pass when it has it.
    while game["phase"] == "playing" {
        let ply = game["moves"].as_array().unwrap().len();
        assert!(ply < 200, "the game does not end");
        game = client.play(-1, ply);
    }
    assert_eq!(game["phase"], "counting");
    if game["thinking"] == true {
        game = client.wait("judgement", |message| message["tell"] == "game" && message["thinking"] == false);
    }
    let score = &game["score"];
    let points = |side: &str| score[side]["points"].as_f64().unwrap();
    assert!(points("black") + points("white") <= 25.5, "{score}");
    client.ask(&json!({"ask": "accept"}));
    let over = client.wait("result", |message| message["phase"] == "over");
    assert_eq!(over["result"], score["result"]);
    client.ask(&json!({"ask": "save-game"}));
    let sgf = client.told("record")["sgf"].as_str().unwrap().to_string();
    assert!(sgf.contains(&format!("RE[{}]", over["result"].as_str().unwrap())), "{sgf}");
    let base64 = base64(sgf.as_bytes());
    client.ask(&json!({"ask": "load-game", "sgf": base64, "color": "black", "level": 1}));
    let again = client.told("game");
    assert_eq!(again["stones"], over["stones"]);
    assert_eq!(again["moves"], over["moves"]);
}

#[test]
fn studies_and_surveys_tell_what_they_find() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.enter();
    client.ask(
        &json!({"ask": "study", "number": 5, "spot": spot(9), "recipes": ["uct", "default"], "playouts": 300,
                       "detail": true, "watch": [0]}),
    );
    let mut last: [Option<Value>; 2] = [None, None];
    while last.iter().any(|report| report.as_ref().is_none_or(|report| report["done"] != true)) {
        let report = client.told("report");
        let idx = report["search"].as_u64().unwrap() as usize;
        last[idx] = Some(report);
    }
    for report in last.iter().flatten() {
        assert_eq!((&report["simulations"], &report["number"]), (&json!(300), &json!(5)));
        assert_eq!(report["ownership"].as_array().unwrap().len(), 81);
    }
    let best = last[0].as_ref().unwrap()["arms"][0][0].clone();
    client.ask(&json!({"ask": "open", "number": 5, "search": 0, "line": [best]}));
    assert_eq!(client.told("branch")["line"], json!([best]));

    let mut game = spot(5);
    game["steps"] = json!([["black", 12], ["white", 11], ["black", 13]]);
    client.ask(&json!({"ask": "survey", "number": 6, "spot": game, "playouts": 50}));
    let plies: Vec<u64> = (0..4).map(|_| client.told("survey")["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [0, 1, 2, 3]);
    let review = client.wait("review", |message| message["tell"] == "review" && message["done"] == true);
    assert_eq!((&review["number"], &review["share"]), (&json!(6), &json!(1.0)));
    // About a second, whatever that is on this machine.
    client.ask(&json!({"ask": "survey", "number": 7, "spot": game, "time": 1}));
    let review = client.wait("review", |message| message["tell"] == "review" && message["done"] == true);
    assert!(review["number"] == 7 && review["playouts"].as_u64().unwrap() > 50, "{review}");
    for (message, kind) in [
        (json!({"ask": "study", "number": 7, "spot": spot(9), "recipes": []}), "invalid"),
        (json!({"ask": "study", "number": 7, "spot": spot(9), "recipes": ["x.recipe"]}), "invalid"),
        (
            json!({"ask": "study", "number": 7, "spot": spot(9), "recipes": ["uct"], "playouts": 1e7 as u64}),
            "invalid",
        ),
        (json!({"ask": "study", "number": 7, "spot": spot(90), "recipes": ["uct"]}), "invalid"),
        (json!({"ask": "survey", "number": 8, "spot": spot(9)}), "invalid"),
        (json!({"ask": "survey", "number": 8, "spot": spot(9), "playouts": 9, "time": 9}), "invalid"),
        (json!({"ask": "survey", "number": 8, "spot": spot(9), "time": 0.5}), "invalid"),
        (json!({"ask": "open", "number": 99, "search": 0, "line": []}), "unknown"),
        (json!({"ask": "standings", "experiment": "none"}), "unknown"),
    ] {
        client.ask(&message);
        let error = client.told("error");
        assert!(error["kind"] == kind && error["ask"] == message["ask"], "{message}: {error}");
    }
    client.ask(&json!({"ask": "experiments"}));
    assert_eq!(client.told("experiments")["experiments"], json!([]));
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
