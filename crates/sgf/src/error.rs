//! What can go wrong when reading a file, when reading a tree as a game of Go, and when changing a tree.

use crate::position::Position;
use std::fmt;

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file holds text but no game.
    #[error("no game found: an SGF file begins with `(;`")]
    NoGame,
    /// A character that means nothing where it stands.
    #[error("{position}: unexpected `{found}`: expected {expected}")]
    Unexpected {
        /// Where it stands.
        position: Position,
        /// The character.
        found: char,
        /// What could have stood here.
        expected: &'static str,
    },
    /// A property name without a value.
    #[error("{position}: property {ident} has no value: expected `[`")]
    NoValue {
        /// Where the name stands.
        position: Position,
        /// The name.
        ident: String,
    },
    /// A value that the file never closes.
    #[error("{position}: the value of {ident} that begins here is never closed: expected `]`")]
    UnclosedValue {
        /// Where its `[` stands.
        position: Position,
        /// The property.
        ident: String,
    },
    /// More text than the tree's 32-bit offsets can name.
    #[error("a game of {0} bytes is too long: at most 4 GB can be read")]
    TooLong(usize),
}

/// A tree that is no game of Go, or holds a move or setup no board has.
#[derive(Clone, Debug, PartialEq)]
pub struct GameError {
    /// Where it stands; `None` when the tree was not read from a file.
    pub position: Option<Position>,
    /// What is wrong.
    pub kind: GameErrorKind,
}

impl std::error::Error for GameError {}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => write!(f, "{position}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GameErrorKind {
    /// Another game than Go.
    #[error("GM[{0}] is not Go: expected GM[1]")]
    NotGo(String),
    /// A size that no board has.
    #[error("board size SZ[{0}] is not possible: expected a size such as SZ[19] or SZ[13:9]")]
    BadSize(String),
    /// A value that names no point.
    #[error("{ident}[{value}] is not a point: expected two letters such as `dd`")]
    BadPoint {
        /// The property.
        ident: String,
        /// Its value.
        value: String,
    },
    /// A point outside the board.
    #[error("{ident}[{value}] is outside the {width}x{height} board")]
    OffBoard {
        /// The property.
        ident: String,
        /// Its value.
        value: String,
        /// The board's width.
        width: u8,
        /// The board's height.
        height: u8,
    },
}

/// A change that would make a tree that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A name that is no property name.
    #[error("`{0}` is not a property name: expected capitals and digits")]
    BadIdent(String),
    /// A value that would end before its end.
    #[error("value `{0}` of {1} has an open `]` or ends with `\\`: escape it first")]
    BadValue(String, String),
    /// A property without values.
    #[error("property {0} needs at least one value (it may be empty)")]
    NoValues(String),
    /// A board size that the format cannot write.
    #[error("board size {0}x{1} is not possible: expected 1 to 52")]
    BadSize(u8, u8),
    /// A point outside the board.
    #[error("point {2} is outside the {0}x{1} board")]
    OffBoard(u8, u8, String),
    /// The tree is full.
    #[error("the tree is full: its text has reached 4 GB")]
    Full,
}
