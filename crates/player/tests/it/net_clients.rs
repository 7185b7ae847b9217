//! What KaTrain and boards that speak GTP read of a search with a network, field by field; with KataGo's b6c96 from the data
//! folder, and with a small network of random weights.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis_support::{self, Live};
use crate::engine_support::{engine_with, output};
use model::net::katago::KataGoNet;
use model::net::sample;
use player::engine::Options;
use player::nets::{self, NetFile};
use serde_json::{Value, json};

/// A network of random weights whose version tells everything.
fn small() -> NetFile {
    let net = Arc::new(KataGoNet::new(sample::conv_graph(9, 6, 1)));
    NetFile {
        path: PathBuf::from("folder/small.bin.gz"),
        n_bytes: 0,
        hash: 7,
        origin: None,
        net,
        value: None,
    }
}

/// KataGo's smallest network, if there is a data folder.
fn b6c96() -> Option<NetFile> {
    let Some(data) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set, it should name the data folder");
        return None;
    };
    Some(nets::load(&Path::new(&data).join("nets/g170-b6c96-s175395328-d26788732.bin.gz")).unwrap())
}

fn service(net: NetFile) -> Live {
    let mut options = analysis_support::options(1);
    options.settings.net = Some(net.loaded());
    let recipe = player::recipes::parse("katago").unwrap();
    Live::start(player::analysis::Options { recipe, net: Some(net), ..options })
}

/// The final answer to a question as KaTrain 1.20 puts it.
fn katrain(net: NetFile, side: usize, moves: &Value, visits: u64) -> Value {
    let mut live = service(net);
    live.send(&json!({
        "rules": "japanese", "priority": 0, "analyzeTurns": [moves.as_array().unwrap().len()], "maxVisits": visits,
        "komi": 6.5, "boardXSize": side, "boardYSize": side, "includeOwnership": true, "includeMovesOwnership": true,
        "includePolicy": true, "initialStones": [], "initialPlayer": "B", "moves": moves,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04, "maxTime": 60.0},
        "reportDuringSearchEvery": 1, "id": "QUERY:1",
    }));
    let answers = live.end();
    assert!(answers.iter().all(|answer| answer.get("error").is_none()), "{answers:?}");
    let mut finals = answers.into_iter().filter(|answer| answer["isDuringSearch"] == false);
    let answer = finals.next().unwrap();
    assert!(finals.next().is_none() && answer["rootInfo"]["visits"] == visits, "{}", answer["rootInfo"]);
    answer
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().filter(|x| x.is_finite()).unwrap_or_else(|| panic!("{key} in {value}"))
}

/// Whether every field that KaTrain reads is there and may be true.
fn check(answer: &Value, side: usize, n_stones: usize) {
    let (root, area) = (&answer["rootInfo"], side * side);
    assert!((0.0..=1.0).contains(&number(root, "winrate")), "{root}");
    assert!(number(root, "scoreLead").abs() < area as f64, "{root}");
    // Leads of positions differ little; games do not.
    assert!(number(root, "scoreStdev") + 1e-4 > number(root, "rawScoreSelfplayStdev"), "{root}");
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let policy = numbers(&answer["policy"]);
    assert_eq!((policy.len(), policy.iter().filter(|&&p| p < 0.0).count()), (area + 1, n_stones));
    assert!((policy.iter().filter(|p| **p > 0.0).sum::<f64>() - 1.0).abs() < 1e-3);
    let owners = numbers(&answer["ownership"]);
    assert!(owners.len() == area && owners.iter().all(|owner| owner.abs() <= 1.0));
    let infos = answer["moveInfos"].as_array().unwrap();
    for (order, info) in infos.iter().enumerate() {
        assert_eq!((&info["order"], &info["pv"][0]), (&json!(order), &info["move"]));
        for key in ["winrate", "lcb", "prior"] {
            assert!((0.0..=1.0).contains(&number(info, key)), "{key} in {info}");
        }
        for key in ["scoreLead", "scoreMean", "scoreSelfplay", "scoreStdev", "utility", "utilityLcb"] {
            number(info, key);
        }
        assert_eq!(numbers(&info["ownership"]).len(), area);
        assert!(info["visits"].as_u64() > Some(0) && info.get("humanPrior").is_none());
        let at = info["move"].as_str().unwrap();
        let at = if at == "pass" { area } else { point(at, side) };
        // Where a pass is not looked at, the others share its part.
        let is_policy = |p: f64| (number(info, "prior") - p).abs() < 1e-3;
        let without_pass = policy[at] / (1.0 - policy[area]);
        assert!(is_policy(policy[at]) || is_policy(without_pass), "a prior is the policy's: {info}");
    }
    assert!(!infos.is_empty());
}

/// The index of a vertex in rows from the top.
fn point(text: &str, side: usize) -> usize {
    let column = "ABCDEFGHJKLMNOPQRST".find(&text[..1]).unwrap();
    (side - text[1..].parse::<usize>().unwrap()) * side + column
}

#[test]
fn katrain_reads_every_field_of_a_network() {
    let moves = json!([["B", "C3"], ["W", "B2"], ["B", "pass"]]);
    check(&katrain(small(), 5, &moves, 25), 5, 2);
    let Some(net) = b6c96() else { return };
    let moves = json!([["B", "Q16"], ["W", "D4"], ["B", "Q3"]]);
    let answer = katrain(net.clone(), 19, &moves, 20);
    check(&answer, 19, 3);
    assert!((0.3..0.7).contains(&number(&answer["rootInfo"], "winrate")), "{}", answer["rootInfo"]);
    // Three moves to nothing win, whoever sees it.
    let ahead = json!([["B", "Q16"], ["W", "pass"], ["B", "D4"], ["W", "pass"], ["B", "Q4"]]);
    let ahead = katrain(net, 19, &ahead, 20);
    assert!(number(&ahead["rootInfo"], "winrate") > 0.9 && number(&ahead["rootInfo"], "scoreLead") > 15.0);
}

/// The numbers behind the last of a key in a line of reports.
fn told(line: &str, key: &str) -> Vec<f64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().rposition(|word| *word == key).unwrap_or_else(|| panic!("{key} in {line}"));
    words[at + 1..].iter().map_while(|word| word.parse().ok()).collect()
}

/// The last report of `kata-genmove_analyze` with everything, and what `kata-raw-nn` says before.
fn analyzed(net: NetFile, setup: &str, visits: u64) -> (String, String) {
    let settings = mcts::Settings { net: Some(net.loaded()), ..mcts::Settings::default() };
    let player = player::recipes::player("katago", &settings).unwrap();
    let options = Options { net: Some(net), playouts: Some(visits), ..Options::default() };
    let keys = "100000 rootInfo true ownership true pvVisits true movesOwnership true";
    let input = format!("{setup}\nkata-raw-nn 0\nkata-genmove_analyze b {keys}");
    let text = output(&mut engine_with(Box::new(player), options), input.as_bytes());
    let report = text.lines().rfind(|line| line.starts_with("info ")).unwrap().to_string();
    (text, report)
}

#[test]
fn boards_are_told_everything_of_a_network() {
    let (raw, report) = analyzed(small(), "komi 0.5", 30);
    for key in
        ["visits", "utility", "winrate", "scoreMean", "scoreStdev", "scoreLead", "prior", "lcb", "order"]
    {
        assert_eq!(told(&report, key).len(), 1, "{key} in {report}");
    }
    assert_eq!((told(&report, "ownership").len(), told(&report, "movesOwnership").len()), (25, 25));
    assert!(!told(&report, "pvVisits").is_empty() && told(&report, "rootInfo").is_empty(), "{report}");
    let [mean, square] = ["whiteScoreSelfplay", "whiteScoreSelfplaySq"].map(|key| told(&raw, key)[0]);
    let stdev = (square - mean * mean).max(0.0).sqrt();
    assert!(told(&report, "scoreStdev")[0] > stdev - 0.01, "{stdev}: {report}");
    assert!(!report.contains("nan") && !report.contains("inf "), "{report}");
}

#[test]
fn the_empty_board_is_as_even_as_the_network_says() {
    let Some(net) = b6c96() else { return };
    let (raw, report) = analyzed(net, "boardsize 19\nkomi 7.5", 50);
    let by_itself = -told(&raw, "whiteLead")[0];
    let lead = told(report.split(" rootInfo ").nth(1).unwrap(), "scoreLead")[0];
    assert!((lead - by_itself).abs() < 3.0, "{lead} after a search, {by_itself} before");
}
