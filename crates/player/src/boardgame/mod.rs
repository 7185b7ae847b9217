//! Board games beside Go, for people and programs: names, moves as text, drawings, records, players, and the protocol.
//! A game is a file here that implements [`BoardGame`] for its `mcts::Game` and has a [`GameEntry`], and a word in the list at
//! the end of this file. Everything else asks a [`Tabletop`], a game under way of which nobody knows the rules.
//!
//! The first player is called Black and the second White, whatever the pieces look like.
//!
//! Modules in reading order: this file (what a game tells of itself, and the list), `hex`, `connect_four`, `gomoku` (the games), [`go`] (Go for those who
//! treat all games alike, such as self-play; not in the list, since matches and pages have rules of their own for it), [`tabletop`] (a game under way), [`record`] (games as SGF), [`thinker`] (a search over any of them), [`opponent`] (who
//! plays), [`outside`] (a program of its own), [`contest`] (a game between two), [`engine`] (a player behind GTP or HTP).

pub mod contest;
pub mod engine;
pub mod go;
pub mod opponent;
pub mod outside;
pub mod record;
pub mod tabletop;
pub mod thinker;

use std::fmt;
use std::sync::Arc;

use mcts::{Action, Outcome};

pub use contest::{Contest, play_contest};
pub use opponent::{BoardDecision, Opponent, RandomOpponent, SearchOpponent};
pub use outside::OutsideOpponent;
pub use tabletop::{BoardEnding, Tabletop};
pub use thinker::Thinker;

/// A board game for people: sizes, moves as text, drawings and records, beyond the rules that a search needs.
pub trait BoardGame: mcts::Kit {
    /// The game's number in records, SGF's `GM`.
    const GM: u32;

    /// Columns and rows.
    fn size(&self) -> [usize; 2];

    /// Whether an action may be played now.
    fn is_legal(&self, action: Action) -> bool;

    /// A move as people write it.
    fn show(&self, action: Action) -> String;

    /// Reads a move, legal or not.
    ///
    /// # Errors
    /// Names the text and says what was expected.
    fn parse(&self, text: &str) -> Result<Action, String>;

    /// The board as lines of text.
    fn draw(&self) -> String;

    /// How the game stands if it ends here without its rules' doing: drawn, where nobody can count it.
    fn standing(&self) -> Outcome {
        Outcome { win: 0.5, ..Outcome::default() }
    }

    /// Whose each point is as the board stands, in rows from the top: 1 Black's, −1 White's, 0 nobody's. Empty where points do not count.
    fn owners(&self) -> Vec<i8> {
        Vec::new()
    }

    /// A move as records have it.
    fn in_record(&self, action: Action) -> String {
        self.show(action)
    }

    /// Reads a move of a record.
    ///
    /// # Errors
    /// Names the text and says what was expected.
    fn of_record(&self, text: &str) -> Result<Action, String> {
        self.parse(text)
    }

    /// What records say of a size: SGF's `SZ`.
    fn sgf_size(&self) -> String {
        match self.size() {
            [width, height] if width == height => width.to_string(),
            [width, height] => format!("{width}:{height}"),
        }
    }
}

/// A game as a word of options and files.
#[derive(Debug)]
pub struct GameEntry {
    /// The word.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The game's number in records, [`BoardGame::GM`].
    pub gm: u32,
    /// The recipe that plays it when nobody says.
    pub recipe: &'static str,
    /// Makes the empty board.
    pub open: OpenBoard,
}

/// Makes the empty board of a size, columns and rows, or of the usual one, under switches such as `swap=false`. An error names
/// what does not suit the game.
pub type OpenBoard = fn(Option<[usize; 2]>, &[(&str, &str)]) -> Result<Box<dyn Tabletop>, String>;

/// A game that somebody wants to play: which, how large, under which switches.
#[derive(Clone)]
pub struct GameChoice {
    start: Arc<dyn Tabletop>,
}

impl GameChoice {
    /// Reads `go`, for which there is no choice here, or another game with its switches: `hex`, `hex,swap=false`.
    ///
    /// # Errors
    /// Names what is unknown, and says what was expected.
    pub fn parse(text: &str, size: Option<[usize; 2]>) -> Result<Option<Self>, String> {
        let mut words = text.split(',').map(str::trim);
        let name = words.next().unwrap_or_default();
        let mut switches = Vec::new();
        for word in words {
            let switch = word.split_once('=');
            switches.push(switch.ok_or_else(|| {
                format!("\"{word}\" in \"{text}\" is not a switch; expected KEY=VALUE such as swap=false")
            })?);
        }
        if name == "go" {
            return match switches.first() {
                None => Ok(None),
                Some((key, _)) => {
                    Err(format!("go has no switch \"{key}\"; its rules have an option of their own"))
                }
            };
        }
        let Some(entry) = find(name) else {
            let known: Vec<&str> =
                std::iter::once("go").chain(GAMES.iter().map(|entry| entry.name)).collect();
            return Err(format!("\"{name}\" is not a game; expected {}", known.join(", ")));
        };
        Ok(Some(Self { start: (entry.open)(size, &switches)?.into() }))
    }

    /// The game's entry in the list.
    pub fn entry(&self) -> &'static GameEntry {
        self.start.entry()
    }

    /// An empty board.
    pub fn board(&self) -> Box<dyn Tabletop> {
        self.start.fresh()
    }

    /// The size as text: `11x11`.
    pub fn size(&self) -> String {
        self.start.size_text()
    }
}

impl fmt::Display for GameChoice {
    /// The name with every switch: `hex,swap=true`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.start.text())
    }
}

impl fmt::Debug for GameChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} {}", self.size())
    }
}

impl PartialEq for GameChoice {
    fn eq(&self, other: &Self) -> bool {
        (self.to_string(), self.size()) == (other.to_string(), other.size())
    }
}

/// The game whose records have this number, SGF's `GM`.
pub fn of_record(gm: &str) -> Option<&'static GameEntry> {
    GAMES.iter().copied().find(|entry| entry.gm.to_string() == gm)
}

/// The game of this name.
pub fn find(name: &str) -> Option<&'static GameEntry> {
    GAMES.iter().copied().find(|entry| entry.name == name)
}

/// Declares the files of the games and their list.
macro_rules! games {
    ($($file:ident)*) => {
        $(mod $file;)*
        /// All games beside Go.
        pub static GAMES: &[&GameEntry] = &[$(&$file::ENTRY),*];
    };
}

games! { hex connect_four gomoku }

/// A text that names no cell of a board whose last one is `last`.
fn no_cell(text: &str, last: &str) -> String {
    format!("\"{text}\" is not a cell of this board; expected a1 to {last}")
}

/// A switch that a game does not have.
fn no_switch(game: &str, key: &str, expected: &str) -> String {
    format!("{game} has no switch \"{key}\"; expected {expected}")
}

/// A board on which a game is not played, whose sides may be from the least to the most.
fn wrong_size(game: &str, [least, most]: [usize; 2], [width, height]: [usize; 2]) -> String {
    format!("{game} is played on boards from {least}x{least} to {most}x{most}, not {width}x{height}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_names_sizes_and_switches() {
        assert_eq!(GameChoice::parse("go", None), Ok(None));
        let hex = GameChoice::parse("hex", None).unwrap().unwrap();
        assert_eq!((hex.to_string(), hex.size()), ("hex,swap=true".to_string(), "11x11".to_string()));
        let small = GameChoice::parse("hex, swap=false", Some([5, 5])).unwrap().unwrap();
        assert_eq!((small.to_string(), small.size()), ("hex,swap=false".to_string(), "5x5".to_string()));
        let four = GameChoice::parse("connect-four", Some([7, 6])).unwrap().unwrap();
        assert_eq!((four.to_string(), four.size()), ("connect-four".to_string(), "7x6".to_string()));
        assert!(hex != small && hex == hex.clone());
        for (text, size, expected) in [
            ("chess", None, "\"chess\" is not a game"),
            ("hex,swap", None, "\"swap\" in \"hex,swap\" is not a switch"),
            ("hex,swap=maybe", None, "swap=maybe: expected true or false"),
            ("hex,komi=7", None, "hex has no switch \"komi\""),
            ("hex", Some([20, 20]), "not 20x20"),
            ("hex", Some([5, 6]), "not 5x6"),
            ("connect-four", Some([8, 8]), "not 8x8"),
            ("connect-four,swap=true", None, "connect-four has no switch \"swap\""),
            ("go,swap=true", None, "go has no switch \"swap\""),
        ] {
            let error = GameChoice::parse(text, size).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let error = GameChoice::parse("chess", None).unwrap_err();
        assert!(GAMES.iter().all(|entry| error.contains(entry.name)), "{error}");
    }

    /// What holds for every game of the list, so that a new one is covered when its word is added.
    #[test]
    fn every_game_is_played_to_its_end_by_its_own_texts() {
        for entry in GAMES {
            for seed in 0..20 {
                let mut board = (entry.open)(None, &[]).unwrap();
                let mut rng = goban::Rng::new(seed);
                while board.ended().is_none() {
                    let moves = board.legal_moves();
                    let action = moves[rng.below(moves.len() as u32) as usize];
                    let text = board.show(action);
                    assert_eq!(board.parse(&text), Ok(action), "{}", entry.name);
                    assert_eq!(board.parse(&text.to_uppercase()), Ok(action), "{}", entry.name);
                    board.play(action).unwrap();
                }
                assert!(board.legal_moves().is_empty() && board.play(Action(0)).is_err(), "{}", entry.name);
                let record = board.record(&record::RecordFacts::default()).unwrap();
                let tree = &sgf::Collection::parse(&record).unwrap().games[0];
                let mut copy = board.fresh();
                copy.follow(tree, None).unwrap();
                assert_eq!((copy.plays(), copy.draw()), (board.plays(), board.draw()), "{}", entry.name);
                while copy.undo() {}
                assert_eq!((copy.plays().len(), copy.draw()), (0, board.fresh().draw()), "{}", entry.name);
                assert!(crate::recipes::parse(entry.recipe).is_ok(), "{}", entry.name);
            }
        }
    }

    #[test]
    fn no_game_reads_the_records_of_another() {
        for of in GAMES {
            let record = (of.open)(None, &[]).unwrap().record(&record::RecordFacts::default()).unwrap();
            let tree = &sgf::Collection::parse(&record).unwrap().games[0];
            let gm = tree.value(tree.root(), "GM").unwrap().simple_text();
            assert_eq!(of_record(&gm).map(|entry| entry.name), Some(of.name));
            for by in GAMES {
                let is_read = (by.open)(None, &[]).unwrap().follow(tree, None).is_ok();
                assert_eq!(is_read, of.name == by.name, "{} by {}", of.name, by.name);
            }
        }
    }
}
