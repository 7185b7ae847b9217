//! Every command of the engine by script, and a check that none is left out.

use crate::engine_support::{Puppet, check, engine, engine_with, output};
use player::engine::{Options, registry};

/// The scripts, one per group. A reply is compared line by line; see `check`.
const SCRIPTS: [(&str, &str); 12] = [
    ("basic", include_str!("scripts/basic.gtp")),
    ("legality", include_str!("scripts/legality.gtp")),
    ("handicap", include_str!("scripts/handicap.gtp")),
    ("timing", include_str!("scripts/timing.gtp")),
    ("score", include_str!("scripts/score.gtp")),
    ("rules", include_str!("scripts/rules.gtp")),
    ("query", include_str!("scripts/query.gtp")),
    ("session", include_str!("scripts/session.gtp")),
    // The puppet has nothing to show; what a search shows is tested in `engine_analysis`.
    ("analysis", include_str!("scripts/analysis.gtp")),
    ("gogui", include_str!("scripts/gogui.gtp")),
    ("gomill", include_str!("scripts/gomill.gtp")),
    ("servers", include_str!("scripts/servers.gtp")),
];

#[test]
fn scripts_are_answered_as_written() {
    for (name, script) in SCRIPTS {
        println!("script {name}");
        check(&mut engine(Puppet::playing(&["C3", "pass", "resign", "D4"])), script);
    }
}

#[test]
fn every_command_is_in_a_script() {
    // Those that work on files or depend on options have tests of their own.
    let elsewhere = ["loadsgf", "printsgf", "gomill-savesgf", "help", "list_commands", "quit"];
    let timely = ["cputime", "gomill-cpu_time"];
    let words: Vec<&str> = SCRIPTS.iter().flat_map(|(_, script)| script.split_whitespace()).collect();
    for info in registry(&Options::default()).unwrap().catalog().iter() {
        let known =
            elsewhere.contains(&info.name) || timely.contains(&info.name) || words.contains(&info.name);
        assert!(known, "no script calls {}", info.name);
        assert!(!info.doc.is_empty() && info.doc.ends_with('.'), "{}: {:?}", info.name, info.doc);
    }
}

#[test]
fn processor_time_is_a_number() {
    let text = output(&mut engine(Puppet::playing(&[])), b"cputime\ngomill-cpu_time");
    for reply in text.split("\n\n").filter(|reply| !reply.is_empty()) {
        let seconds: f64 = reply.strip_prefix("= ").unwrap().parse().unwrap();
        assert!(seconds > 0.0 && seconds < 1e6);
    }
}

#[test]
fn chat_is_there_only_when_asked_for() {
    let options = Options {
        has_chat: true,
        name: "Leela".to_string(),
        version: "0.17".to_string(),
        ..Options::default()
    };
    check(
        &mut engine_with(Puppet::playing(&["C3"]), options),
        "
        > name
        = Leela
        > version
        = 0.17
        > kgs-chat game somebody hello there
        = I am Leela 0.17, a program, and know one word: ask me why I played my last move.
        > genmove b
        = C3
        > kgs-chat private somebody Why?
        = I was told so
        > kgs-chat loud somebody why
        ? syntax error: expected kind of chat (game, private), got \"loud\"
        ",
    );
}

#[test]
fn help_tells_of_every_command() {
    let text = output(&mut engine(Puppet::playing(&[])), b"help\nlist_commands\nhelp gg-undo");
    let replies: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(replies[0].lines().count(), replies[1].lines().count());
    assert!(replies[1].starts_with("= protocol_version\n"));
    assert_eq!(replies[2], "= gg-undo [N]: Takes back the last N moves, or none if there are fewer.");
}
