//! Places in a file, as people count them, and the warnings that name them.

use std::fmt;

/// A place in a file: line and column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1. `\n`, `\r`, `\r\n` and `\n\r` each end one line.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The first character of a file.
    pub const START: Self = Self { line: 1, column: 1 };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Something odd that was read all the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Where it stands; `None` when the tree was not read from a file.
    pub position: Option<Position>,
    /// What was odd, and how it was read.
    pub kind: WarningKind,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => write!(f, "{position}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

/// What was odd, and how it was read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WarningKind {
    /// Text before, between or after the games.
    #[error("text outside a game was skipped")]
    TextOutside,
    /// A `)` that closes nothing.
    #[error("`)` without `(` was skipped")]
    ExtraClose,
    /// The file ends inside a game.
    #[error("the file ends before {0} missing `)`")]
    MissingClose(usize),
    /// `()`, or a variation with no node.
    #[error("a variation without a node was skipped")]
    EmptyVariation,
    /// A property without `;` before it.
    #[error("property {0} stands before any `;`: read as a new node")]
    MissingNode(String),
    /// A node after a variation, which the format does not allow.
    #[error("a node follows a variation: read as one more variation")]
    NodeAfterVariation,
    /// A property after a variation.
    #[error("property {0} follows a variation: read as part of the node before the variation")]
    PropertyAfterVariation(String),
    /// The same property twice in one node.
    #[error("property {0} stands twice in this node: setup stones add up, otherwise the first counts")]
    DuplicateProperty(String),
    /// A name without capitals.
    #[error("property name `{0}` has no capitals: read as capitals")]
    LowercaseName(String),
    /// A zero byte between properties.
    #[error("a zero byte was skipped")]
    Nul,
    /// A character set this crate does not know.
    #[error("unknown character set `{0}` in CA: read as UTF-8, or windows-1252 where it is not")]
    UnknownCharset(String),
    /// Bytes that the character set does not have.
    #[error("text is not valid {0}: wrong bytes were replaced by U+FFFD")]
    BadBytes(&'static str),
    /// No character set and not UTF-8.
    #[error("text is not UTF-8 and no CA names its character set: read as windows-1252")]
    GuessedCharset,
    /// The file says one character set and is UTF-8.
    #[error("CA[{0}] is wrong: the file is UTF-8 and was read so")]
    WrongCharset(String),
    /// A value that was understood though it is not as the format wants it.
    #[error("{ident}[{value}] was read as {meaning}")]
    OddValue {
        /// The property.
        ident: String,
        /// Its value in the file.
        value: String,
        /// What was understood.
        meaning: String,
    },
    /// A value that was not understood and is ignored; the tree keeps it.
    #[error("{ident}[{value}] was ignored: expected {expected}")]
    IgnoredValue {
        /// The property.
        ident: String,
        /// Its value in the file.
        value: String,
        /// What a good value looks like.
        expected: &'static str,
    },
    /// The list of warnings is full.
    #[error("further warnings are not listed")]
    More,
}

/// Turns byte offsets, asked for in rising order, into positions without starting over each time.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    position: Position,
    /// The line end just read, while its partner (`\n` after `\r`, or the reverse) may follow.
    pending: Option<u8>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, start: Position) -> Self {
        Self { text, offset: 0, position: start, pending: None }
    }

    /// The position of the character at `offset`, which must not lie before the last one asked for.
    pub(crate) fn advance(&mut self, offset: usize) -> Position {
        debug_assert!(offset >= self.offset, "offsets must rise");
        let bytes = self.text.as_bytes();
        for &byte in &bytes[self.offset.min(bytes.len())..offset.clamp(self.offset, bytes.len())] {
            match byte {
                b'\n' | b'\r' if self.pending.is_some_and(|first| first != byte) => self.pending = None,
                b'\n' | b'\r' => {
                    self.pending = Some(byte);
                    self.position = Position { line: self.position.line.saturating_add(1), column: 1 };
                }
                // A character's later bytes in UTF-8 are 10xxxxxx.
                byte => {
                    self.pending = None;
                    let starts_char = u32::from(byte & 0xC0 != 0x80);
                    self.position.column = self.position.column.saturating_add(starts_char);
                }
            }
        }
        self.offset = offset.max(self.offset);
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let text = "a\r\nb\n\rc\rd\n\ne é(";
        let mut cursor = Cursor::new(text, Position::START);
        let mut place = |c: char| {
            let Position { line, column } = cursor.advance(text.find(c).unwrap());
            (line, column)
        };
        assert_eq!(place('b'), (2, 1));
        assert_eq!(place('c'), (3, 1));
        assert_eq!(place('d'), (4, 1));
        assert_eq!(place('e'), (6, 1));
        assert_eq!(place('('), (6, 4));
    }
}
