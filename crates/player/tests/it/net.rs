//! What clients are told of a network: `kata-raw-nn` over GTP, raw values and policies in the JSON protocol. The network is a
//! small one of random weights.

use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis_support::{self, Live, ask};
use crate::engine_support::{Puppet, engine, engine_with, output};
use model::net::katago::KataGoNet;
use model::net::sample;
use player::engine::Options;
use player::nets::NetFile;
use serde_json::{Value, json};

fn net(version: u32) -> NetFile {
    let net = Arc::new(KataGoNet::new(sample::conv_graph(version, 6, 1)));
    NetFile {
        path: PathBuf::from("folder/small.bin.gz"),
        n_bytes: 0,
        hash: 7,
        origin: None,
        net,
        value: None,
    }
}

/// What an engine with a network answers.
fn reply(version: u32, input: &str) -> String {
    let options = Options { net: Some(net(version)), ..Options::default() };
    output(&mut engine_with(Puppet::playing(&[]), options), input.as_bytes())
}

/// The numbers behind a key, as many as there are before the next key.
fn numbers<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let mut words = text.split_whitespace().skip_while(|word| *word != key).skip(1).peekable();
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    std::iter::from_fn(|| words.next_if(is_number)).collect()
}

fn number(text: &str, key: &str) -> f64 {
    let [number] = numbers(text, key)[..] else { panic!("{key} in {text}") };
    number.parse().unwrap()
}

#[test]
fn a_raw_evaluation_has_katagos_keys() {
    let text = reply(9, "play b C3\nkata-raw-nn 0");
    let answer = text.split("\n\n").nth(1).unwrap();
    assert!(answer.starts_with("= symmetry 0\nwhiteWin 0."), "{answer}");
    let sum: f64 = ["whiteWin", "whiteLoss", "noResult"].map(|key| number(answer, key)).iter().sum();
    assert!((sum - 1.0).abs() < 1e-5);
    for key in ["whiteLead", "whiteScoreSelfplay", "whiteScoreSelfplaySq"] {
        assert!(number(answer, key).is_finite());
    }
    for key in ["varTimeLeft", "shorttermWinlossError", "shorttermScoreError"] {
        assert!(number(answer, key) > 0.0, "{key}");
        assert_eq!(number(&reply(8, "kata-raw-nn 0"), key), -1.0, "version 8 does not tell it");
    }
    let policy = numbers(answer, "policy");
    assert_eq!((policy.len(), policy[12]), (25, "NAN"), "there is a stone on C3");
    let probabilities = policy.iter().map(|p| p.parse::<f64>().unwrap()).filter(|p| !p.is_nan());
    assert!((probabilities.sum::<f64>() + number(answer, "policyPass") - 1.0).abs() < 1e-4);
    let owners = numbers(answer, "whiteOwnership");
    assert!(owners.len() == 25 && owners.iter().all(|owner| owner.parse::<f64>().unwrap().abs() <= 1.0));
}

#[test]
fn symmetries_are_those_of_the_board() {
    let all = reply(8, "kata-raw-nn all");
    let numbers: Vec<&str> = all.lines().filter(|line| line.contains("symmetry")).collect();
    assert_eq!((numbers.len(), numbers[0], numbers[7]), (8, "= symmetry 0", "symmetry 7"));
    assert_eq!(all.trim_end().split("\n\n").count(), 1, "no empty line: {all}");
    let flat = reply(8, "rectangular_boardsize 5 3\nkata-raw-nn ALL\nkata-raw-nn 4");
    assert_eq!(flat.lines().filter(|line| line.contains("symmetry ") && !line.starts_with('?')).count(), 4);
    assert!(flat.contains("? symmetry 4 exchanges rows and columns"), "{flat}");
    for (word, why) in [("8", "must be at least 0 and at most 7"), ("", "missing symmetry"), ("x", "integer")]
    {
        let text = reply(8, &format!("kata-raw-nn {word}"));
        assert!(text.starts_with("? ") && text.contains(why), "{text}");
    }
    let without = output(&mut engine(Puppet::playing(&[])), b"kata-raw-nn 0\nknown_command kata-raw-nn");
    assert!(without.starts_with("? unknown command") && without.contains("= false"), "{without}");
}

/// A service whose recipe asks a network.
fn live() -> Live {
    let net = net(9);
    let recipe = player::recipes::parse("katago").unwrap();
    let mut options = analysis_support::options(1);
    options.settings.net = Some(net.loaded());
    Live::start(player::analysis::Options { recipe, net: Some(net), ..options })
}

#[test]
fn answers_tell_raw_values_and_the_policy() {
    let mut live = live();
    let view = |whose: &str| json!({ "includePolicy": true, "overrideSettings": { "reportAnalysisWinratesAs": whose } });
    live.send(&ask("b", json!([["B", "C3"]]), view("BLACK")));
    live.send(&ask("w", json!([["B", "C3"]]), view("WHITE")));
    live.send(&json!({ "id": "m", "action": "query_models" }));
    let answers = live.end();
    let of = |id: &str| answers.iter().find(|answer| answer["id"] == id).unwrap();
    let raw = |id: &str, key: &str| {
        of(id)["rootInfo"][key].as_f64().unwrap_or_else(|| panic!("{key}: {answers:?}"))
    };
    assert!((raw("b", "rawWinrate") + raw("w", "rawWinrate") - 1.0).abs() < 1e-5);
    for key in ["rawLead", "rawScoreSelfplay"] {
        assert!((raw("b", key) + raw("w", key)).abs() < 1e-5 && raw("b", key) != 0.0, "{key}");
    }
    for key in
        ["rawScoreSelfplayStdev", "rawNoResultProb", "rawStWrError", "rawStScoreError", "rawVarTimeLeft"]
    {
        assert!(raw("b", key) == raw("w", key) && raw("b", key) > 0.0, "{key}");
    }
    let policy: Vec<f64> =
        of("b")["policy"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
    assert_eq!((policy.len(), policy[12]), (26, -1.0));
    assert!((policy.iter().sum::<f64>() + 1.0 - 1.0).abs() < 1e-4, "{policy:?}");
    let model = &of("m")["models"][0];
    assert_eq!((&model["name"], &model["internalName"]), (&json!("small"), &json!("sample-net_1")));
    assert_eq!((&model["version"], &model["usesHumanSLProfile"]), (&json!(9), &Value::Bool(false)));
}

#[test]
fn settings_of_human_like_networks_are_refused_by_name() {
    let mut live = live();
    live.send(&ask("h", json!([]), json!({ "overrideSettings": { "humanSLProfile": "rank_5k" } })));
    live.send(&ask("n", json!([]), json!({})));
    let answers = live.end();
    let refused = answers.iter().find(|answer| answer["id"] == "h").unwrap();
    assert_eq!(refused["field"], "overrideSettings.humanSLProfile");
    assert!(
        refused["error"].as_str().unwrap().starts_with("human-like networks are not supported"),
        "{refused}"
    );
    let answered = answers.iter().find(|answer| answer["id"] == "n").unwrap();
    assert!(answered["rootInfo"]["rawWinrate"].is_number() && answered.get("policy").is_none());
}
