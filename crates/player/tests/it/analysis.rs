//! The JSON analysis protocol, as KaTrain and scripts speak it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::analysis_support::{Live, answers, ask, options};
use player::analysis::ask::{AnalysisRequest, Viewer};
use player::analysis::read::QueryReader;
use serde_json::{Value, json};

#[test]
fn katrain_reads_every_field_it_needs() {
    let mut live = Live::start(options(2));
    let request = r#"{"rules":"japanese","priority":-99,"analyzeTurns":[0],"maxVisits":25,"komi":6.5,"boardXSize":19,"boardYSize":19,"includeOwnership":true,"includeMovesOwnership":true,"includePolicy":true,"initialStones":[],"initialPlayer":"B","moves":[["B","K12"]],"overrideSettings":{"reportAnalysisWinratesAs":"BLACK","wideRootNoise":0.04,"maxTime":8.0},"reportDuringSearchEvery":1,"id":"QUERY:1"}"#;
    live.send_text(request);
    let warning = live.next();
    assert_eq!(warning["field"], "overrideSettings.wideRootNoise");
    assert!(warning["warning"].is_string() && warning["id"] == "QUERY:1" && warning.get("error").is_none());
    // The next move: pondering from it, cancelled when the player goes on.
    live.send_text(&request.replace("[0]", "[1]").replace("QUERY:1", "QUERY:2"));
    let mut finals = BTreeMap::new();
    while finals.len() < 2 {
        let answer = live.next();
        assert!(answer.get("warning").is_none() && answer.get("error").is_none(), "warned once: {answer}");
        if answer["isDuringSearch"] == false {
            finals.insert(answer["id"].as_str().unwrap().to_string(), answer);
        }
    }
    for (id, turn) in [("QUERY:1", 0), ("QUERY:2", 1)] {
        let answer = &finals[id];
        assert_eq!(answer["turnNumber"], turn);
        let root = &answer["rootInfo"];
        assert_eq!(root["visits"], 25);
        assert!(root["winrate"].is_f64() && root["scoreLead"].is_f64(), "{root}");
        assert_eq!(root["currentPlayer"], if turn == 0 { "B" } else { "W" });
        let (policy, owners) =
            (answer["policy"].as_array().unwrap(), answer["ownership"].as_array().unwrap());
        assert_eq!((policy.len(), owners.len()), (362, 361));
        // K12 is the tenth point of the eighth row; it is taken at turn 1.
        let at = 7 * 19 + 9;
        assert_eq!(policy[at].as_f64().unwrap() < 0.0, turn == 1);
        let sum: f64 = policy.iter().map(|p| p.as_f64().unwrap().max(0.0)).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        assert!(owners.iter().all(|owner| owner.as_f64().unwrap().abs() <= 1.0));
        let infos = answer["moveInfos"].as_array().unwrap();
        assert_eq!(infos.iter().map(|info| info["visits"].as_u64().unwrap()).sum::<u64>(), 25);
        for (order, info) in infos.iter().enumerate() {
            assert_eq!(info["order"], order);
            assert_eq!(info["pv"][0], info["move"]);
            for key in ["winrate", "scoreLead", "scoreMean", "scoreStdev", "prior", "lcb", "utility"] {
                assert!(info[key].is_f64(), "{key} {info}");
            }
            assert_eq!(info["ownership"].as_array().unwrap().len(), 361);
            assert!(info.get("pvVisits").is_none());
        }
    }
    // Black is to see Black's values, whoever moves: most of K12's neighbourhood is his.
    assert!(finals["QUERY:2"]["ownership"][7 * 19 + 9].as_f64().unwrap() > 0.0);
    live.end();
}

#[test]
fn two_hundred_questions_in_flight() {
    let mut live = Live::start(options(2));
    for n in 0..200 {
        let moves = [json!([]), json!([["B", "C3"]]), json!([["B", "C3"], ["W", "B2"]])];
        live.send(&ask(&format!("q{n}"), moves[n % 3].clone(), json!({ "maxVisits": 6, "priority": n % 5 })));
    }
    let mut n_finals = BTreeMap::new();
    for answer in live.end() {
        assert_eq!(
            (&answer["isDuringSearch"], &answer["rootInfo"]["visits"]),
            (&json!(false), &json!(6)),
            "{answer}"
        );
        *n_finals.entry(answer["id"].as_str().unwrap().to_string()).or_insert(0) += 1;
    }
    assert_eq!(n_finals.len(), 200);
    assert!(n_finals.values().all(|&n| n == 1));
}

#[test]
fn pondering_is_told_and_ended() {
    let mut live = Live::start(options(1));
    // Its priority keeps the others waiting.
    let ponder = json!({ "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.02, "priority": 7 });
    live.send(&ask("ponder", json!([]), ponder));
    live.send(&ask("waits", json!([["B", "C3"]]), json!({ "analyzeTurns": [0, 1] })));
    let mut before = 0;
    for _ in 0..3 {
        let partial = live.next();
        assert_eq!((&partial["id"], &partial["isDuringSearch"]), (&json!("ponder"), &json!(true)));
        let visits = partial["rootInfo"]["visits"].as_u64().unwrap();
        assert!(visits > before);
        before = visits;
    }
    let first = json!({ "action": "terminate", "terminateId": "waits", "turnNumbers": [0], "id": "t1" });
    let second = json!({ "action": "terminate", "terminateId": "ponder", "id": "t2" });
    let nobody = json!({ "action": "terminate", "terminateId": "nobody", "id": "t3" });
    [&first, &second, &nobody].iter().for_each(|action| live.send(action));
    let rest: Vec<Value> = live.end().into_iter().filter(|answer| answer["isDuringSearch"] != true).collect();
    for echo in [&first, &second, &nobody] {
        assert_eq!(rest.iter().filter(|answer| *answer == echo).count(), 1, "said back as it came");
    }
    let finals = |id: &str| rest.iter().filter(|a| a["id"] == id).cloned().collect::<Vec<_>>();
    let [ponder] = &finals("ponder")[..] else { panic!("{rest:?}") };
    assert!(ponder["rootInfo"]["visits"].as_u64().unwrap() >= before && ponder.get("noResults").is_none());
    let waits = finals("waits");
    assert_eq!(waits.len(), 2);
    let nothing = json!({ "id": "waits", "turnNumber": 0, "isDuringSearch": false, "noResults": true });
    assert!(waits.contains(&nothing), "{waits:?}");
    assert!(waits.iter().any(|answer| answer["turnNumber"] == 1 && answer["rootInfo"]["visits"] == 30));
}

#[test]
fn the_most_urgent_comes_first() {
    let mut live = Live::start(options(1));
    live.send(&ask(
        "all",
        json!([]),
        json!({ "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.01, "priority": 100 }),
    ));
    assert_eq!(live.next()["isDuringSearch"], true);
    for (id, priority) in [("a", 0), ("b", 5), ("c", -1), ("d", 5)] {
        live.send(&ask(id, json!([]), json!({ "maxVisits": 2, "priority": priority })));
    }
    let turns = json!({ "maxVisits": 2, "analyzeTurns": [0, 1], "priorities": [-7, 50] });
    live.send(&ask("e", json!([["B", "C3"]]), turns));
    live.send(&json!({ "action": "terminate_all", "turnNumbers": [99], "id": "none of them" }));
    live.send(&json!({ "action": "terminate", "terminateId": "all", "id": "end" }));
    let order: Vec<String> = live
        .end()
        .iter()
        .filter(|answer| answer["isDuringSearch"] == false)
        .map(|answer| format!("{}{}", answer["id"].as_str().unwrap(), answer["turnNumber"]))
        .collect();
    assert_eq!(order, ["all0", "e1", "b0", "d0", "a0", "c0", "e0"]);
}

#[test]
fn timed_an_urgent_question_does_not_wait_for_a_long_search() {
    let mut live = Live::start(options(1));
    live.send(&ask(
        "long",
        json!([]),
        json!({ "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.02, "priority": -1 }),
    ));
    assert_eq!(live.next()["id"], "long");
    live.send(&ask("urgent", json!([]), json!({ "maxVisits": 10 })));
    let start = Instant::now();
    while live.next()["id"] != "urgent" {}
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // The long one goes on where it was.
    let after = live.next();
    assert!(after["id"] == "long" && after["isDuringSearch"] == true);
    // At the end of the input it is told to end; nobody else would.
    let last = live.end().pop().unwrap();
    assert_eq!((&last["id"], &last["isDuringSearch"]), (&json!("long"), &json!(false)));
    assert!(last["rootInfo"]["visits"].as_u64() >= after["rootInfo"]["visits"].as_u64());
}

#[test]
fn a_short_question_is_answered_however_many_long_ones_wait() {
    const N_LONG: usize = 30;
    let mut live = Live::start(options(1));
    for idx in 0..N_LONG {
        live.send(&ask(&format!("long {idx}"), json!([]), json!({ "maxVisits": 1_000_000_000 })));
    }
    // Searches of a second or so, which take turns with what comes.
    for idx in 0..4 {
        live.send(&ask(&format!("middle {idx}"), json!([]), json!({ "maxVisits": 20_000 })));
    }
    for idx in 0..20 {
        let id = format!("short {idx}");
        live.send(&ask(&id, json!([]), json!({ "maxVisits": 20 })));
        // Nothing but middling ones comes in between.
        loop {
            let answer = live.next();
            if answer["id"] == id.as_str() {
                assert_eq!(answer["rootInfo"]["visits"], 20);
                break;
            }
            assert!(answer["id"].as_str().unwrap().starts_with("middle"), "{answer}");
        }
    }
    live.send(&json!({ "action": "terminate_all", "id": "end" }));
    let rest = live.end();
    let n_ended = rest.iter().filter(|a| a["id"].as_str().unwrap().starts_with("long")).count();
    assert_eq!(n_ended, N_LONG, "everybody has a last answer");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let question = ask("1", json!([["B", "C3"]]), json!({ "maxVisits": 60, "includePVVisits": true }));
    let all = answers(&[question.clone(), question]);
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["moveInfos"], all[1]["moveInfos"]);
    assert_eq!(all[0]["moveInfos"][0]["pvVisits"][0], all[0]["moveInfos"][0]["visits"]);
}

#[test]
fn values_are_those_of_whom_they_are_wanted() {
    // Black has two eyes and more than half of the board, whatever White does.
    let stones = ["A3", "B3", "D3", "E3", "A2", "C2", "E2", "A1", "B1", "C1", "D1", "E1"].map(|at| ["B", at]);
    let as_ = |viewer: &str| {
        let settings = json!({ "reportAnalysisWinratesAs": viewer });
        let more = json!({ "initialStones": stones, "includeOwnership": true, "overrideSettings": settings, "rules": "aga" });
        ask(viewer, json!([["B", "C3"]]), more)
    };
    let all = answers(&[as_("BLACK"), as_("WHITE"), as_("SIDETOMOVE")]);
    let of = |id: &str| all.iter().find(|answer| answer["id"] == id).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    for key in ["winrate", "scoreLead"] {
        let [black, white, mover] =
            ["BLACK", "WHITE", "SIDETOMOVE"].map(|id| number(&of(id)["rootInfo"][key]));
        let whole = if key == "winrate" { 1.0 } else { 0.0 };
        assert!((black + white - whole).abs() < 1e-5 && white == mover, "{key}: {black} {white} {mover}");
    }
    assert!(
        number(&of("BLACK")["rootInfo"]["winrate"]) > 0.5
            && number(&of("BLACK")["rootInfo"]["scoreLead"]) > 0.0
    );
    assert!(number(&of("BLACK")["ownership"][12]) > 0.0 && number(&of("WHITE")["ownership"][12]) < 0.0);
    let [first, other] = ["BLACK", "WHITE"].map(|id| of(id)["moveInfos"][0].clone());
    assert_eq!(first["move"], other["move"]);
    assert!((number(&first["scoreLead"]) + number(&other["scoreLead"])).abs() < 1e-5);
}

#[test]
fn moves_are_avoided_or_allowed() {
    let only = json!([{ "player": "B", "moves": ["A1", "pass"], "untilDepth": 1 }, { "player": "W", "moves": ["B2"], "untilDepth": 1 }]);
    let all = answers(&[
        ask("allow", json!([]), json!({ "allowMoves": only })),
        ask(
            "avoid",
            json!([]),
            json!({ "avoidMoves": [{ "player": "B", "moves": ["C3", "pass"], "untilDepth": 1 }], "includePolicy": true }),
        ),
        ask(
            "deep",
            json!([]),
            json!({ "avoidMoves": [{ "player": "W", "moves": ["A1"], "untilDepth": 9 }] }),
        ),
    ]);
    let of =
        |id: &str| all.iter().find(|answer| answer["id"] == id && answer.get("warning").is_none()).unwrap();
    let moves = |id: &str| -> Vec<String> {
        of(id)["moveInfos"]
            .as_array()
            .unwrap()
            .iter()
            .map(|info| info["move"].as_str().unwrap().to_string())
            .collect()
    };
    assert!(
        moves("allow").iter().all(|name| ["A1", "pass"].contains(&name.as_str()))
            && !moves("allow").is_empty()
    );
    // The middle is where everybody would play.
    assert!(!moves("avoid").contains(&"C3".to_string()) && !moves("avoid").is_empty());
    assert_eq!((&of("avoid")["policy"][12], &of("avoid")["policy"][25]), (&json!(-1.0), &json!(-1.0)));
    let warning = all.iter().find(|answer| answer.get("warning").is_some()).unwrap();
    assert!(warning["id"] == "deep" && warning["field"] == "avoidMoves", "{warning}");
}

#[test]
fn boards_stones_and_handicap() {
    let rules = json!({ "ko": "SIMPLE", "scoring": "AREA", "tax": "NONE", "suicide": false, "whiteHandicapBonus": "N" });
    let handicap = ask(
        "h",
        json!([]),
        json!({ "rules": rules, "initialStones": [["B", "B2"], ["B", "D4"]], "initialPlayer": "W" }),
    );
    let wide = ask(
        "w",
        json!([["W", "G2"]]),
        json!({ "boardXSize": 7, "boardYSize": 3, "includeOwnership": true, "komi": null }),
    );
    let all = answers(&[handicap, wide]);
    let of = |id: &str| all.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(of("h")["rootInfo"]["currentPlayer"], "W");
    assert_eq!(of("w")["ownership"].as_array().unwrap().len(), 21);
    assert_eq!(of("w")["rootInfo"]["currentPlayer"], "B");
    let mut reader = QueryReader::new(1, Viewer::Black);
    let (AnalysisRequest::Query(query), _) = reader
        .read(
            ask("h", json!([]), json!({ "initialStones": [["B", "B2"], ["B", "D4"]] }))
                .to_string()
                .as_bytes(),
        )
        .unwrap()
    else {
        panic!()
    };
    assert_eq!(query.position(0).handicap(), 2);
}

#[test]
fn timed_time_ends_a_search() {
    let start = Instant::now();
    let all = answers(&[ask(
        "1",
        json!([]),
        json!({ "maxVisits": 900_000, "overrideSettings": { "maxTime": 0.1 } }),
    )]);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(all.len(), 1);
    assert!(all[0]["rootInfo"]["visits"].as_u64().unwrap() < 900_000);
}

#[test]
fn actions_are_said_back() {
    let mut live = Live::start(options(1));
    live.send(&json!({ "id": "v", "action": "query_version" }));
    assert_eq!(
        live.next(),
        json!({ "id": "v", "action": "query_version", "version": "1.2", "git_hash": "<omitted>" })
    );
    live.send(&json!({ "id": "c", "action": "clear_cache" }));
    assert_eq!(live.next(), json!({ "id": "c", "action": "clear_cache" }));
    live.send(&json!({ "id": "m", "action": "query_models" }));
    assert!(live.next()["models"][0]["name"].is_string());
    live.send(&json!({ "id": "x", "action": "dance" }));
    let error = live.next();
    assert_eq!((&error["field"], &error["id"]), (&json!("action"), &json!("x")));
    live.end();
}
