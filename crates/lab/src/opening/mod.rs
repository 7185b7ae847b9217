//! How the games of a pairing begin: on an empty board, or with openings of which each is played twice, with the colours
//! swapped. Without openings two players who always answer alike would play the same game again and again, and one who
//! knows a good first move would be judged by it alone.
//!
//! In reading order: this file (a list of openings and where it comes from), [`records`] (openings on file), [`balanced`]
//! (openings that are made).

pub mod balanced;
pub mod records;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goban::Position;

use crate::game::{Terms, pair_of};
use crate::{Error, Result};
use balanced::Balance;

/// A position from which two games are played.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The file, or a number.
    pub name: String,
    /// Its stones and plays; komi and rules are those of the games.
    pub position: Position,
    /// What there is to say about it.
    pub comment: Option<String>,
}

/// The openings of a pairing; without any, every game begins on the empty board.
#[derive(Clone, Debug)]
pub struct Openings {
    text: String,
    list: Arc<[Opening]>,
}

impl Default for Openings {
    fn default() -> Self {
        Self::none()
    }
}

impl PartialEq for Openings {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.fingerprint() == other.fingerprint()
    }
}

impl Openings {
    /// Every game begins on the empty board.
    pub fn none() -> Self {
        Self { text: "none".to_string(), list: Arc::new([]) }
    }

    /// A list with a text that tells it from others.
    pub(crate) fn new(text: String, list: Vec<Opening>) -> Self {
        Self { text, list: list.into() }
    }

    /// True if every game begins on the empty board.
    pub fn is_none(&self) -> bool {
        self.list.is_empty()
    }

    /// The openings in their order.
    pub fn list(&self) -> &[Opening] {
        &self.list
    }

    /// What settings say of them: two lists with the same text and seed are the same.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How a game begins. Both games of a colour pair have the same opening; after the last comes the first again.
    pub fn of_game(&self, number: u64) -> Option<&Opening> {
        let n = self.list.len() as u64;
        (n > 0).then(|| &self.list[(pair_of(number) % n) as usize])
    }

    /// A number that depends on every stone and every play of every opening, and not on names, komi or rules.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        for Opening { position, .. } in self.list.iter() {
            let size = position.size();
            hash.add(&size.to_string());
            // The setups between plays show in the hashes of the positions.
            position.hashes().iter().for_each(|key| hash.add(&key.to_string()));
            position.plays().iter().for_each(|play| hash.add(&size.show(play.vertex)));
            hash.add(&position.to_play().to_string());
        }
        hash.0
    }
}

/// Fowler, Noll and Vo's hash 1a of 64 bits, the same on every machine and in every version.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a word; an end mark keeps `ab` `c` apart from `a` `bc`.
    fn add(&mut self, word: &str) {
        for byte in word.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Where openings come from, as text: `none`, a folder or a file of records, `balanced` or `balanced:N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// The empty board.
    None,
    /// Records in a file, or in a folder and the folders in it.
    Records(PathBuf),
    /// A number of them that are made, see [`balanced`].
    Balanced(usize),
}

/// How many balanced openings are made if nobody says.
const USUAL_N: usize = 50;

/// More than any match needs.
const MAX_N: usize = 10_000;

impl FromStr for OpeningSource {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "" => Err(Error::input(
                "no openings are named; expected none, balanced, balanced:N, or a folder of records",
            )),
            "none" => Ok(Self::None),
            "balanced" => Ok(Self::Balanced(USUAL_N)),
            text => match text.strip_prefix("balanced:") {
                Some(n) => match n.parse() {
                    Ok(n) if (1..=MAX_N).contains(&n) => Ok(Self::Balanced(n)),
                    _ => Err(Error::input(format!(
                        "\"{text}\": expected a number of openings from 1 to {MAX_N} after the colon"
                    ))),
                },
                None => Ok(Self::Records(PathBuf::from(text))),
            },
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Records(path) => write!(f, "{}", path.display()),
            Self::Balanced(n) => write!(f, "balanced:{n}"),
        }
    }
}

/// Who makes openings, where that takes a while.
pub struct OpeningWork<'a> {
    /// Searches at the same time; the openings do not depend on it.
    pub parallel: usize,
    /// What [`Openings::to_sgf`] gave earlier; it is used if it was made for the same games.
    pub kept: Option<&'a str>,
    /// Set by anybody to end the work.
    pub stop: &'a Arc<AtomicBool>,
    /// Is told how many are found, and how many are wanted.
    pub progress: &'a mut dyn FnMut(usize, usize),
}

impl OpeningSource {
    /// The text that settings have for what this source gives, where it is known before it is opened.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Records(_) => None,
            Self::None | Self::Balanced(_) => Some(self.to_string()),
        }
    }

    /// Reads or makes the openings for games under these terms; `seed` is that of the pairing.
    ///
    /// # Errors
    /// Records that cannot be read or that do not fit; games that cannot be balanced; [`player::PlayError::Stopped`].
    pub fn open(&self, terms: &Terms, seed: u64, work: &mut OpeningWork<'_>) -> Result<Openings> {
        match self {
            Self::None => Ok(Openings::none()),
            Self::Records(path) => records::read(path, terms),
            Self::Balanced(n) => {
                let balance = Balance::new(*n, terms, seed);
                match work.kept.and_then(|text| balance.find_in(text)) {
                    Some(openings) => Ok(openings),
                    None => balance.make(terms, work),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size};

    fn one(moves: &[&str]) -> Opening {
        let mut position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        for text in moves {
            position.play(position.to_play(), position.size().parse_vertex(text).unwrap()).unwrap();
        }
        Opening { name: moves.concat(), position, comment: None }
    }

    #[test]
    fn both_games_of_a_pair_have_the_same_opening() {
        let openings = Openings::new("test".to_string(), vec![one(&["A1"]), one(&["B2"]), one(&["C3"])]);
        let names: Vec<&str> = (1..=8).map(|game| openings.of_game(game).unwrap().name.as_str()).collect();
        assert_eq!(names, ["A1", "A1", "B2", "B2", "C3", "C3", "A1", "A1"]);
        assert!(Openings::none().of_game(1).is_none());
    }

    #[test]
    fn fingerprints_tell_lists_apart() {
        let print = |list: Vec<Opening>| Openings::new(String::new(), list).fingerprint();
        assert_eq!(print(vec![one(&["A1", "B2"])]), print(vec![one(&["A1", "B2"])]));
        // The same stones on other ways, in another order, on two boards instead of one.
        let all = [
            print(vec![]),
            print(vec![one(&["A1", "B2", "C3"])]),
            print(vec![one(&["C3", "B2", "A1"])]),
            print(vec![one(&["A1", "B2"]), one(&["C3"])]),
            print(vec![one(&["C3"]), one(&["A1", "B2"])]),
        ];
        for (idx, a) in all.iter().enumerate() {
            assert!(!all[..idx].contains(a), "{idx}");
        }
    }

    #[test]
    fn sources_are_read_and_shown() {
        let cases = [
            ("none", OpeningSource::None),
            ("balanced", OpeningSource::Balanced(USUAL_N)),
            ("balanced:7", OpeningSource::Balanced(7)),
            ("some/folder", OpeningSource::Records(PathBuf::from("some/folder"))),
        ];
        for (text, source) in cases {
            assert_eq!(text.parse::<OpeningSource>().unwrap(), source);
            assert_eq!(source.to_string().parse::<OpeningSource>().unwrap(), source);
        }
        for text in ["", "balanced:", "balanced:0", "balanced:x", "balanced:99999999"] {
            assert!(text.parse::<OpeningSource>().unwrap_err().to_string().contains("expected"), "{text}");
        }
    }
}
