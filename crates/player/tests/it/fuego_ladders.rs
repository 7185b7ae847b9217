//! The ladder reader against the verdicts of Fuego's regression tests, read from the data folder.

use std::path::Path;

use goban::tactics::ladder::{MAX_NODES, status};
use goban::{Color, Ko, Position, Rules, Vertex, with_board};
use player::record::{load, position_of};
use sgf::Game;

/// The position of a record before the move of a number, or at its end.
fn position(path: &Path, before_move: Option<usize>) -> Position {
    let tree = load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let game = Game::new(&tree).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rules = Rules { ko: Ko::Simple, ..Rules::default() };
    position_of(&game, rules, before_move).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The verdict on the chain at a vertex, as Fuego writes it.
fn read(position: &Position, vertex: Vertex) -> String {
    let found = with_board!(position.board(), |board| status(board, board.point(vertex), MAX_NODES));
    format!("[{found:?}]").to_lowercase()
}

#[test]
fn verdicts_are_those_of_fuego() {
    let Some(data) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set, it should name the data folder");
        return;
    };
    let folder = Path::new(&data).join("positions/fuego/regression");
    let script = std::fs::read_to_string(folder.join("ladder.tst")).unwrap();
    let mut now: Option<Position> = None;
    let mut asked: Option<(&str, String)> = None;
    let (mut n_tests, mut failures) = (0, Vec::new());
    for line in script.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let vertex = |name: &str| now.as_ref().unwrap().size().parse_vertex(name).unwrap();
        match *words {
            ["loadsgf", file, ref number @ ..] => {
                let number = number.first().map(|number| number.parse().unwrap());
                now = Some(position(&folder.join(file), number));
            }
            ["play", color, name] => {
                let vertex = vertex(name);
                now.as_mut().unwrap().play(Color::parse(color).unwrap(), vertex).unwrap();
            }
            // The reader answers both commands: it needs no second, static opinion.
            [number, "go_ladder" | "go_static_ladder", name] => {
                asked = Some((number, read(now.as_ref().unwrap(), vertex(name))));
            }
            ["#?", expected] => {
                let (number, found) = asked.take().expect("an answer follows its question");
                n_tests += 1;
                if found != expected {
                    failures.push(format!("{number}: found {found}, Fuego says {expected}"));
                }
            }
            _ => assert!(
                words.is_empty() || words[0].starts_with('#') || words[0] == "go_param_rules",
                "{line}"
            ),
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
    assert_eq!(n_tests, 13);
}
