//! Networks that visitors choose, over the WebSocket.

use crate::common::{Client, Running, nets, spot};
use serde_json::{Value, json};
use tempfile::TempDir;

fn start(dir: &TempDir) -> Running {
    let folder = dir.path().join("nets");
    Running::start(dir.path(), |config| config.nets = Some(folder))
}

/// A study without an end.
fn study(client: &mut Client, number: u64, net: Option<&str>) {
    let recipes = ["default"];
    client.ask(&json!({"ask": "study", "number": number, "spot": spot(7), "recipes": recipes, "net": net}));
}

fn report_of(message: &Value, number: u64) -> bool {
    message["tell"] == "report" && message["number"] == number
}

#[test]
fn networks_are_listed_and_found_by_name_alone() {
    let dir = tempfile::tempdir().unwrap();
    nets(&dir.path().join("nets"));
    let server = start(&dir);
    let mut client = server.enter();
    client.ask(&json!({"ask": "nets"}));
    let list = client.told("nets")["nets"].clone();
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|net| net["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["tengen", "broken", "one", "two"]);
    assert!(list[1]["error"].is_string() && list[2]["error"].is_null(), "{list}");
    assert_eq!(list[2]["about"], "3 blocks, 6 channels");
    let path = dir.path().join("nets/one.bin").display().to_string();
    for name in ["../nets/one", "one.bin", path.as_str(), "three", ""] {
        study(&mut client, 1, Some(name));
        let error = client.told("error");
        assert_eq!((&error["ask"], &error["kind"]), (&json!("study"), &json!("unknown")), "{name}: {error}");
    }
    study(&mut client, 1, Some("broken"));
    let error = client.told("error");
    assert!(error["message"].as_str().unwrap().contains(list[1]["error"].as_str().unwrap()), "{error}");
    // Nobody is told where files are.
    assert!(!error["message"].as_str().unwrap().contains(&dir.path().display().to_string()), "{error}");
}

#[test]
fn a_network_is_changed_while_it_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    nets(&dir.path().join("nets"));
    let server = start(&dir);
    let mut client = server.enter();
    let over = std::cell::RefCell::new(Vec::new());
    for (number, net) in (1..).zip([Some("one"), Some("two"), None, Some("one"), Some("two")]) {
        study(&mut client, number, net);
        if let Some(net) = net {
            let raw = client.wait("raw", |message| message["tell"] == "raw" && message["number"] == number);
            let policy: Vec<f64> =
                raw["policy"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
            assert_eq!((&raw["net"], policy.len()), (&json!(net), 50));
            assert!((policy.iter().sum::<f64>() - 1.0).abs() < 0.01, "{raw}");
        }
        // Those before end in order and nothing is told of one after its end. What they told before may still come.
        let report = client.wait("report", |message| {
            assert_ne!(message["tell"], "error", "{message}");
            if message["tell"] == "report" && message["number"] != number {
                let mut over = over.borrow_mut();
                assert!(!over.contains(&message["number"]), "{message}");
                if message["done"] == true {
                    over.push(message["number"].clone());
                }
            }
            report_of(message, number) && message["simulations"].as_u64() > Some(0)
        });
        // Every move that a network was asked about has its probability.
        assert_eq!(report["arms"][0][4].is_null(), net.is_none(), "{report}");
    }
    client.ask(&json!({"ask": "stop"}));
    client.wait("end", |message| report_of(message, 5) && message["done"] == true);
}

#[test]
fn a_survey_asks_the_network_and_recipes_that_do_not_refuse_it() {
    let dir = tempfile::tempdir().unwrap();
    nets(&dir.path().join("nets"));
    let server = start(&dir);
    let mut client = server.enter();
    let mut game = spot(5);
    game["steps"] = json!([["black", 12], ["white", 6]]);
    client.ask(&json!({"ask": "survey", "number": 1, "spot": game, "playouts": 10, "net": "one"}));
    let glance = client.wait("survey", |message| message["tell"] == "survey" && message["ply"] == 2);
    assert_eq!(glance["of"], json!(3));
    let last = client.wait("review", |message| message["tell"] == "review" && message["done"] == true);
    assert_eq!((&last["playouts"], last["win"].as_array().unwrap().len()), (&json!(10), 3));
    let ask = |recipes: Value, net: Value| json!({"ask": "study", "number": 2, "spot": spot(5), "recipes": recipes, "net": net, "playouts": 20, "detail": true});
    client.ask(&ask(json!(["uct", "light"]), json!("one")));
    assert!(client.told("error")["message"].as_str().unwrap().contains("asks a network"));
    client.ask(&ask(json!(["katago"]), Value::Null));
    assert!(client.told("error")["message"].as_str().unwrap().contains("net"));
    client.ask(&ask(json!(["katago", "uct"]), json!("one")));
    for search in [0, 1] {
        client.wait("end", |message| {
            report_of(message, 2) && message["search"] == search && message["done"] == true
        });
    }
}

#[test]
fn a_game_against_a_network_that_goes_away() {
    let dir = tempfile::tempdir().unwrap();
    nets(&dir.path().join("nets"));
    let terms = |level: usize, net: &str| {
        json!({"ask": "new-game", "size": 5, "color": "black", "komi": 0.5, "rules": "chinese", "handicap": 0,
               "level": level, "net": net})
    };
    let session = {
        let server = start(&dir);
        let mut client = server.enter();
        client.ask(&terms(7, "one"));
        assert!(client.told("error")["message"].as_str().unwrap().contains("expected 1 to 6"));
        client.ask(&terms(1, "three"));
        assert_eq!(client.told("error")["kind"], "unknown");
        client.ask(&terms(2, "one"));
        client.wait("new game", |message| message["tell"] == "game" && message["net"] == "one");
        let game = client.play(12, 0);
        assert!(game["trouble"].is_null(), "{game}");
        client.ask(&json!({"ask": "hint"}));
        assert_eq!(client.told("hint")["ply"], 2);
        client.ask(&json!({"ask": "save-game"}));
        assert!(client.told("record")["sgf"].as_str().unwrap().contains("PW[Tengen, one, 10 visits a move]"));
        client.session.clone()
    };
    std::fs::remove_file(dir.path().join("nets/one.bin")).unwrap();
    let server = start(&dir);
    let mut client = server.connect();
    let game = client.hello(Some(&session));
    assert_eq!((&game["net"], game["moves"].as_array().unwrap().len()), (&json!("one"), 2));
    let free = game["stones"].as_str().unwrap().find('.').unwrap();
    client.ask(&json!({"ask": "move", "point": free, "ply": 2}));
    let stuck = client.wait("trouble", |message| message["tell"] == "game" && !message["trouble"].is_null());
    assert!(stuck["trouble"].as_str().unwrap().contains("the network one is not"), "{stuck}");
    assert_eq!(stuck["thinking"], false);
    // When it is back, so is Tengen.
    nets(&dir.path().join("nets"));
    client.ask(&json!({"ask": "undo"}));
    client.wait("undone", |message| message["tell"] == "game" && message["trouble"].is_null());
    client.play(free as i32, 2);
}
