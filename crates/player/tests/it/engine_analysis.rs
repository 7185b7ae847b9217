//! Analysis as clients ask for it: reports that go on until a further line, moves thought about in the open, and what
//! GoGui's menu wants.

use std::time::{Duration, Instant};

use crate::engine_support::{Live, Puppet, check, engine, output};
use goban::{Rules, Size};
use player::engine::{Engine, Options};
use player::recipes;

/// Our search on a 9×9 board; 50 simulations for a move.
fn searching() -> Engine {
    let player = recipes::player("default", &mcts::Settings::default()).unwrap();
    let options = Options { playouts: Some(50), ..Options::default() };
    let mut engine = Engine::new(Box::new(player), options, Size::square(9).unwrap(), Rules::CHINESE);
    engine.position_mut().set_komi(6.5).unwrap();
    engine
}

/// The value behind a key of the first move of a report.
fn value<'a>(report: &'a str, key: &str) -> Option<&'a str> {
    let mut words = report.split_whitespace();
    words.find(|word| *word == key)?;
    words.next()
}

/// The moves of a report, in order.
fn moves(report: &str) -> Vec<&str> {
    report.split("info move ").skip(1).map(|part| part.split(' ').next().unwrap()).collect()
}

#[test]
fn timed_any_line_ends_an_analysis_and_is_then_answered() {
    let mut live = Live::start(searching());
    for (command, end, answer) in [
        ("31 lz-analyze 20", "32 name\n", Some("=32 Tengen")),
        ("31 lz-analyze b 20", "32 play b D4\n", Some("=32")),
        ("31 kata-analyze 10 ownership true", "32 stop\n", Some("=32")),
        ("31 kata-analyze W 50", "32 known_command known_command\n", Some("=32 true")),
        ("31  kata-analyze black 100", "# interrupt\n", None),
        ("31 lz-analyze 10 avoid b D4,Q9 1 avoid w pass 1", "\n", None),
        ("31 lz-analyze interval 1", "no_such\n", Some("? unknown command")),
    ] {
        live.send(&format!("{command}\n"));
        if command.contains("Q9") {
            assert_eq!(live.reply().split(':').next(), Some("?31 syntax error"), "there is no Q on 9×9");
            continue;
        }
        assert_eq!(live.line(), "=31\n", "{command}");
        assert!(live.line().starts_with("info move "), "{command}");
        let start = Instant::now();
        live.send(end);
        while live.line() != "\n" {}
        // A few milliseconds as a rule; the machine may be busy.
        assert!(start.elapsed() < Duration::from_secs(2), "{command} ended after {:?}", start.elapsed());
        if let Some(answer) = answer {
            assert_eq!(live.reply(), answer, "{command}");
        }
    }
}

#[test]
fn timed_the_end_of_the_input_ends_an_analysis() {
    let mut live = Live::start(searching());
    live.send("kata-analyze 100000\n");
    assert_eq!(live.line(), "=\n");
    assert!(live.line().starts_with("info move "));
    let start = Instant::now();
    live.end();
    assert!(start.elapsed() < Duration::from_secs(2), "ended after {:?}", start.elapsed());
}

#[test]
fn who_does_not_wait_still_sees_a_report() {
    let output = output(&mut searching(), b"1 lz-analyze 100000\n2 kata-analyze b\n3 name");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(
        (lines[0], lines[2], lines[3], lines[5], lines[6]),
        ("=1", "", "=2", "", "=3 Tengen"),
        "{output}"
    );
    assert!(lines[1].starts_with("info move ") && lines[4].starts_with("info move "), "{output}");
}

#[test]
fn reports_hold_what_clients_read() {
    let mut live = Live::start(searching());
    live.send("play b E5\nkata-analyze w 5 ownership true movesOwnership true pvVisits true rootInfo true\n");
    assert_eq!((live.reply().as_str(), live.line().as_str()), ("=", "=\n"));
    let mut report = live.line();
    while value(&report, "visits").unwrap().parse::<u32>().unwrap() < 20 {
        report = live.line();
    }
    live.send("stop\n");
    assert!(!report.contains("nan") && !report.contains("inf "), "{report}");
    for key in ["winrate", "prior", "lcb"] {
        let rate: f32 = value(&report, key).unwrap().parse().unwrap();
        assert!((0.0..=1.0).contains(&rate) && value(&report, key).unwrap().contains('.'), "{key} {rate}");
    }
    for key in ["scoreMean", "scoreLead", "scoreStdev", "utility", "order"] {
        assert!(value(&report, key).unwrap().parse::<f32>().unwrap().abs() < 100.0, "{key}");
    }
    let (_, owners) = report.split_once(" ownership ").unwrap();
    let owners: Vec<f32> = owners.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!(owners.len() == 81 && owners.iter().all(|owner| owner.abs() <= 1.0));
    // White sees the point under Black's stone as the enemy's.
    assert!(owners[40] < 0.0, "{}", owners[40]);
    let first = report.split(" info ").next().unwrap();
    let (line, rest) = first.split_once(" pv ").unwrap().1.split_once(" pvVisits ").unwrap();
    let (visits, after) = rest.split_once(" movesOwnership ").unwrap();
    assert_eq!(line.split(' ').count(), visits.split(' ').count());
    assert_eq!(after.split_whitespace().take_while(|word| word.parse::<f32>().is_ok()).count(), 81);
    let root = report.split_once(" rootInfo ").unwrap().1;
    let total: u32 = value(root, "visits").unwrap().parse().unwrap();
    let of_moves =
        report.split("info move ").skip(1).map(|part| value(part, "visits").unwrap().parse::<u32>().unwrap());
    assert_eq!(of_moves.sum::<u32>(), total);
    let orders: Vec<usize> = report
        .split("info move ")
        .skip(1)
        .map(|part| value(part, "order").unwrap().parse().unwrap())
        .collect();
    assert_eq!(orders, (0..orders.len()).collect::<Vec<_>>());
}

#[test]
fn moves_are_avoided_and_allowed() {
    let mut engine = searching();
    let text =
        output(&mut engine, b"lz-genmove_analyze b 100000 allow b C3,G7 1 avoid b G7 1\nundo\nreg_genmove b");
    let report = text.lines().find(|line| line.starts_with("info")).unwrap();
    assert_eq!(moves(report), ["C3"]);
    assert!(text.contains("\nplay C3\n"), "{text}");
    let mut live = Live::start(engine);
    live.send("kata-analyze b 5 avoid b E5,D4 1 avoid w C3 1 minmoves 200\n");
    assert_eq!(live.line(), "=\n");
    let report = live.line();
    // 81 points without two; Black is behind by komi, so that he may not pass.
    assert_eq!(moves(&report).len(), 79, "{report}");
    assert!(!moves(&report).contains(&"E5") && moves(&report).contains(&"C3"));
    live.send("lz-analyze b 5 maxmoves 2\n");
    while live.line() != "\n" {}
    assert_eq!(live.line(), "=\n");
    assert!(moves(&live.line()).len() <= 2);
    live.send("boardsize 2\n");
    while live.line() != "\n" {}
    assert_eq!(live.reply(), "=");
    live.send("7 lz-analyze 5 avoid b A1,A2,B1,B2,pass 1\n");
    assert!(live.reply().starts_with("?7 cannot analyze: no legal move is left to look at"));
}

#[test]
fn moves_are_thought_about_in_the_open() {
    let text = output(
        &mut searching(),
        b"1 lz-genmove_analyze b 1\n2 kata-genmove_analyze w ownership true\n3 kata-genmove_analyze\n\
          4 cgos-genmove_analyze white\n5 move_history",
    );
    let replies: Vec<&str> = text.trim_end().split("\n\n").collect();
    let mut played = Vec::new();
    for (idx, reply) in replies[..4].iter().enumerate() {
        let lines: Vec<&str> = reply.lines().collect();
        assert_eq!(lines[0], format!("={}", idx + 1));
        let vertex = lines.last().unwrap().strip_prefix("play ").unwrap();
        let report = lines[lines.len() - 2];
        if idx < 3 {
            assert_eq!(moves(report)[0], vertex, "the move that is played comes first");
        } else {
            let report: serde_json::Value = serde_json::from_str(report).unwrap();
            assert_eq!(report["moves"][0]["move"], vertex);
            assert!(report["visits"].as_u64().unwrap() >= 50 && report["winrate"].is_f64());
            assert_eq!(report["ownership"].as_str().map(str::len), Some(81), "a letter for each point");
        }
        played.push(vertex);
    }
    let history: Vec<String> = played
        .iter()
        .zip(["black", "white", "black", "white"])
        .rev()
        .map(|(v, c)| format!("{c} {v}"))
        .collect();
    assert_eq!(replies[4], format!("=5 {}", history.join("\n")));
    let first: u32 = value(replies[0].lines().rev().nth(1).unwrap(), "winrate").unwrap().parse().unwrap();
    assert!(first <= 10_000);
    assert!(replies[1].contains(" ownership ") && !replies[0].contains("scoreMean"));
}

#[test]
fn a_game_that_a_pass_wins_needs_no_search() {
    let text = output(&mut searching(), b"play b E5\nplay w pass\nkata-genmove_analyze b");
    assert!(text.contains("info move pass visits 0 ") && text.ends_with("\nplay pass\n\n"), "{text}");
}

#[test]
fn an_analysis_goes_on_where_the_last_one_ended() {
    let mut live = Live::start(searching());
    let visits = |report: &str| {
        value(&report[report.find("rootInfo").unwrap()..], "visits").unwrap().parse::<u64>().unwrap()
    };
    live.send("kata-analyze 2 rootInfo true\n");
    assert_eq!(live.line(), "=\n");
    let mut before = 0;
    while before < 100 {
        before = visits(&live.line());
    }
    live.send("kata-analyze 2 rootInfo true\n");
    let mut line = live.line();
    while line != "\n" {
        before = visits(&line);
        line = live.line();
    }
    assert_eq!(live.line(), "=\n");
    assert!(visits(&live.line()) > before);
}

#[test]
fn who_only_gives_moves_says_so() {
    check(
        &mut engine(Puppet::playing(&["C3", "B2"])),
        "> lz-analyze 10
        ? cannot analyze: it only gives moves
        > kata-genmove_analyze b 10
        =
        play C3
        > tengen-value
        ? the player does not show its analysis",
    );
}

#[test]
fn goguis_menu_is_answered() {
    let mut engine = searching();
    let text = output(&mut engine, b"gogui-analyze_commands");
    let known = output(&mut engine, b"list_commands");
    for line in text.trim_start_matches("= ").lines().filter(|line| !line.is_empty()) {
        let [kind, label, command] = line.split('/').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let kinds = ["gfx", "string", "varc", "pspairs", "param", "dboard", "plist", "none"];
        assert!(kinds.contains(&kind) && !label.is_empty(), "{line}");
        let name = command.split(' ').next().unwrap();
        assert!(known.lines().any(|known| known.trim_start_matches("= ") == name), "{line}");
    }
    let text = output(
        &mut engine,
        b"play b E5\ntengen-gfx w\ntengen-value w\ntengen-pv w\ntengen-policy w\ntengen-winrate w\nlast_move",
    );
    let replies: Vec<&str> =
        text.trim_end().split("\n\n").map(|reply| reply.trim_start_matches("= ")).collect();
    assert!(replies[1].starts_with("VAR w ") && replies[1].contains("\nINFLUENCE "), "{text}");
    assert!(replies[2].starts_with("White wins ") && replies[2].contains("50 visits"), "{text}");
    let first = replies[3].split(' ').next().unwrap();
    assert!(replies[1].starts_with(&format!("VAR w {first}")), "one search answers all: {text}");
    let policy: Vec<&str> = replies[4].split(' ').collect();
    let sum: f32 = policy.chunks(2).map(|pair| pair[1].parse::<f32>().unwrap()).sum();
    assert!((sum - 100.0).abs() < 10.0, "{text}");
    assert_eq!(replies[6], "black E5", "nothing was played");
    check(
        &mut engine,
        "> tengen-param
        = [bool] live_graphics 0
        [string] playouts 50
        [string] seconds
        > tengen-param live_graphics 1
        =
        > tengen-param playouts 20
        =
        > tengen-param playouts none
        ? syntax error: expected an integer number of playouts, got \"none\"
        > tengen-param
        = [bool] live_graphics 1
        [string] playouts 20
        [string] seconds",
    );
}
