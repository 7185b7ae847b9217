//! A visitor's games over the WebSocket: kept, listed, named, opened, gone on with and deleted.

use crate::common::{Client, Running};
use base64::Engine;
use serde_json::{Value, json};

fn list(client: &mut Client) -> Vec<Value> {
    client.ask(&json!({"ask": "my-games"}));
    client.told("my-games")["games"].as_array().unwrap().clone()
}

/// Asks and waits for the game on the table.
fn game(client: &mut Client, ask: &Value) -> Value {
    client.ask(ask);
    client.wait("game", |message| {
        assert_ne!(message["tell"], "error", "{message}");
        message["tell"] == "game"
    })
}

#[test]
fn no_game_destroys_another() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.enter();
    assert_eq!(list(&mut client), Vec::<Value>::new());
    client.new_game(5, 1);
    let first = client.play(12, 0);
    client.new_game(7, 1);
    let second = client.play(24, 0);
    assert_ne!(first["id"], second["id"]);
    let games = list(&mut client);
    let of = |games: &[Value], key: &str| games.iter().map(|game| game[key].clone()).collect::<Vec<_>>();
    assert_eq!(of(&games, "size"), [7, 5], "the last one first");
    assert_eq!(of(&games, "moves"), [2, 2]);
    assert_eq!(games[1]["stones"], first["stones"]);
    // Begun and thought better of: an empty board is not worth a place.
    client.new_game(9, 1);
    client.new_game(5, 2);
    assert_eq!(list(&mut client).len(), 3);

    let opened = game(&mut client, &json!({"ask": "open-game", "id": first["id"]}));
    assert_eq!((&opened["moves"], &opened["id"]), (&first["moves"], &first["id"]));
    assert_eq!(list(&mut client).len(), 2);
    client.ask(&json!({"ask": "name-game", "id": second["id"], "name": "  the <second> one "}));
    let named = client.wait("name", |message| {
        message["tell"] == "my-games" && message["games"].to_string().contains("the <second> one")
    });
    assert_eq!(named["games"][0]["id"], second["id"]);

    // All of it is there after a restart.
    let session = client.session.clone();
    drop((client, server));
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.connect();
    client.hello(Some(&session));
    assert_eq!(list(&mut client).len(), 2);
    let opened = game(&mut client, &json!({"ask": "open-game", "id": second["id"]}));
    assert_eq!((&opened["moves"], &opened["name"]), (&second["moves"], &json!("the <second> one")));

    // What is deleted is gone, and another lies on the table in its place.
    let next = game(&mut client, &json!({"ask": "delete-game", "id": second["id"]}));
    assert_ne!(next["id"], second["id"]);
    let games = list(&mut client);
    assert!(games.len() == 1 && !of(&games, "id").contains(&second["id"]));
    for (ask, kind) in [
        (json!({"ask": "open-game", "id": second["id"]}), "unknown"),
        (json!({"ask": "delete-game", "id": 77}), "unknown"),
        (json!({"ask": "name-game", "id": first["id"], "name": "x".repeat(61)}), "invalid"),
        (json!({"ask": "play-from", "ply": 77}), "invalid"),
    ] {
        client.ask(&ask);
        let error = client.told("error");
        assert!(error["kind"] == kind && error["ask"] == ask["ask"], "{ask}: {error}");
    }
    // Nobody else sees them.
    let mut stranger = server.enter();
    assert_eq!(list(&mut stranger), Vec::<Value>::new());
    stranger.ask(&json!({"ask": "open-game", "id": first["id"]}));
    // A stranger's own empty board may have that number, but never these moves.
    let answer = stranger.wait("answer", |message| message["tell"] == "error" || message["tell"] == "game");
    assert!(answer["tell"] == "error" || answer["moves"] == json!([]), "{answer}");
}

#[test]
fn there_is_room_for_so_many() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |config| config.bounds.games_of_session = 2);
    let mut client = server.enter();
    client.new_game(5, 1);
    client.play(12, 0);
    client.new_game(5, 1);
    let full = client.play(12, 0);
    client.ask(&json!({"ask": "new-game", "size": 5, "color": "black", "komi": 0.5, "rules": "chinese", "handicap": 0, "level": 1}));
    let error = client.told("error");
    assert!(error["kind"] == "busy" && error["message"].as_str().unwrap().contains("My games"), "{error}");
    // The game on the table is as it was.
    assert_eq!(game(&mut client, &json!({"ask": "open-game", "id": full["id"]}))["moves"], full["moves"]);
    let games = list(&mut client);
    client.ask(&json!({"ask": "delete-game", "id": games[1]["id"]}));
    client.told("my-games");
    client.new_game(5, 1);
}

#[test]
fn a_finished_record_opens_for_study() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.enter();
    // Whatever was told at the start has come by then.
    list(&mut client);
    let sgf = "(;GM[1]FF[4]SZ[9]KM[7.5]RU[Chinese]PB[Ann]PW[Ben]RE[B+R];B[ee];W[ec];B[gc])";
    let load = |sgf: &str| {
        let text = base64::engine::general_purpose::STANDARD.encode(sgf);
        json!({"ask": "load-game", "sgf": text, "color": "black", "level": 1})
    };
    let studied = game(&mut client, &load(sgf));
    assert_eq!((&studied["phase"], &studied["result"]), (&json!("over"), &json!("B+R")));
    assert_eq!((&studied["players"], &studied["thinking"]), (&json!(["Ann", "Ben"]), &json!(false)));
    // To go on from it is a game of its own; the record stays what it was.
    let next = game(&mut client, &json!({"ask": "play-from", "ply": 2}));
    assert_eq!(
        (&next["phase"], &next["color"], &next["result"]),
        (&json!("playing"), &json!("black"), &Value::Null)
    );
    assert_eq!(next["moves"].as_array().unwrap().len(), 2);
    assert_ne!(next["id"], studied["id"]);
    let again = game(&mut client, &json!({"ask": "open-game", "id": studied["id"]}));
    assert_eq!((&again["moves"], &again["result"]), (&studied["moves"], &json!("B+R")));
    // One without a result is gone on with.
    let open = game(&mut client, &load(&sgf.replace("RE[B+R]", "")));
    assert_eq!(open["phase"], "playing");
}

#[test]
fn whoever_is_taught_hears_of_a_blunder_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut client = server.enter();
    client.ask(&json!({"ask": "new-game", "size": 7, "color": "black", "komi": 8.5, "rules": "chinese", "handicap": 0,
                       "level": 1, "teach": true}));
    client.wait("game", |message| message["tell"] == "game" && message["teach"] == true);
    // The corner as the first move; Tengen waits for what becomes of it.
    client.ask(&json!({"ask": "move", "point": 0, "ply": 0}));
    let told = client.wait("lesson", |message| message["tell"] == "game" && !message["lesson"].is_null());
    let lesson = &told["lesson"];
    assert_eq!((told["moves"].as_array().unwrap().len(), &told["thinking"]), (1, &json!(false)), "{told}");
    // A mistake in the sense of a review: it costs 5 % or more, and the interval does not touch zero.
    let [best, played, low, high] =
        ["best", "played", "low", "high"].map(|key| lesson[key].as_f64().unwrap());
    assert!(best - played >= 0.05 && low > 0.0 && (low..=high).contains(&(best - played)), "{lesson}");
    assert!(lesson["played_line"][0] == 0 && lesson["best_line"][0] != 0, "{lesson}");
    // Taken back, played again, and let stand.
    client.ask(&json!({"ask": "undo"}));
    let back = client.wait("undone", |message| message["tell"] == "game" && message["moves"] == json!([]));
    assert!(back["lesson"].is_null());
    client.ask(&json!({"ask": "move", "point": 0, "ply": 0}));
    client.wait("lesson", |message| message["tell"] == "game" && !message["lesson"].is_null());
    client.ask(&json!({"ask": "play-on"}));
    client.wait("answer", |message| {
        message["tell"] == "game" && message["moves"].as_array().unwrap().len() == 2
    });
    // A good move is answered without a word, and so is any when nobody wants to be taught.
    client.ask(&json!({"ask": "teach", "on": false}));
    client.wait("end of teaching", |message| message["tell"] == "game" && message["teach"] == false);
    let game = client.play(48, 2);
    assert!(game["lesson"].is_null());
    client.ask(&json!({"ask": "play-on"}));
    assert_eq!(client.told("error")["kind"], "state");
    client.ask(&json!({"ask": "new-game", "size": 7, "color": "black", "komi": 8.5, "rules": "chinese", "handicap": 0,
                       "level": 1, "teach": true, "clock": {"main": 60, "period": 0, "periods": 0}}));
    assert!(client.told("error")["message"].as_str().unwrap().contains("without a clock"));
}
