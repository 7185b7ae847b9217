//! Whatever a client sends, in whatever order: an answer, never an accident.

use crate::engine_support::output;
use goban::{Rng, Rules, Size};
use player::engine::{Engine, Options, registry};
use player::recipes;

const WORDS: [&str; 42] = [
    "b",
    "w",
    "black",
    "White",
    "green",
    "a1",
    "B2",
    "c3",
    "D4",
    "e5",
    "j9",
    "t19",
    "z25",
    "i5",
    "pass",
    "resign",
    "0",
    "1",
    "2",
    "3",
    "5",
    "9",
    "19",
    "25",
    "-1",
    "7.5",
    "1e9",
    "1e300",
    "nan",
    "99999999999999999999",
    "none",
    "absolute",
    "byoyomi",
    "canadian",
    "fischer-capped",
    "japanese",
    "tromp-taylor",
    "{\"ko\":\"SIMPLE\"}",
    "suicide",
    "true",
    "dead",
    "é",
];

/// A line with a few arguments; what touches files or makes noise is left out.
fn random_line(names: &[&str], rng: &mut Rng) -> String {
    // Moves and small boards often, so that games get somewhere.
    let often = ["play", "play", "genmove", "undo", "boardsize", "clear_board", "gogui-play_sequence"];
    let n_often = if rng.below(2) == 0 { often.len() } else { 0 };
    let name = match n_often {
        0 => names[rng.below(names.len() as u32) as usize],
        n => often[rng.below(n as u32) as usize],
    };
    let mut line = name.to_string();
    for _ in 0..rng.below(5) {
        line.push(' ');
        line.push_str(WORDS[rng.below(WORDS.len() as u32) as usize]);
    }
    line
}

#[test]
fn every_line_has_an_answer() {
    let left_out = ["loadsgf", "printsgf", "gomill-savesgf", "quit", "echo_err", "cgos-gameover"];
    let registry = registry(&Options::default()).unwrap();
    let names: Vec<&str> =
        registry.catalog().iter().map(|info| info.name).filter(|name| !left_out.contains(name)).collect();
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let lines: Vec<String> = (0..300).map(|_| random_line(&names, &mut rng)).collect();
        let player = recipes::player("default", &mcts::Settings::default()).unwrap();
        let options = Options { playouts: Some(2), ..Options::default() };
        let mut engine = Engine::new(Box::new(player), options, Size::square(5).unwrap(), Rules::CHINESE);
        let text = output(&mut engine, lines.join("\n").as_bytes());
        let replies: Vec<&str> = text.split("\n\n").filter(|reply| !reply.is_empty()).collect();
        assert_eq!(replies.len(), lines.len(), "seed {seed}");
        for (line, reply) in lines.iter().zip(replies) {
            assert!(
                reply.starts_with(['=', '?']) && !reply.contains("internal error"),
                "seed {seed}: {line}: {reply}"
            );
        }
    }
}
