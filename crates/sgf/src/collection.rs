//! A file: its games, and what was odd about it.

use crate::decode::decode;
use crate::error::ReadError;
use crate::parse::Parser;
use crate::position::Warning;
use crate::tree::GameTree;

/// The games of one file.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The games in the order of the file.
    pub games: Vec<GameTree>,
    /// What was odd but could be read.
    pub warnings: Vec<Warning>,
}

impl Collection {
    /// Reads a file. The text is decoded by each game's `CA`; without it, it is UTF-8 where valid, otherwise
    /// windows-1252. A blank file is a collection of no games; a file with other text but no game is an error.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let decoded = decode(bytes);
        let mut parser = Parser::new();
        for segment in decoded.segments {
            parser.segment(&segment.text, segment.warning)?;
        }
        let mut collection = parser.finish()?;
        if decoded.believed_utf8 {
            crate::decode::doubt_charsets(&mut collection);
        }
        Ok(collection)
    }

    /// Reads a text that is already decoded, whatever `CA` says.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        let mut parser = Parser::new();
        parser.segment(text, None)?;
        parser.finish()
    }
}

impl From<GameTree> for Collection {
    fn from(game: GameTree) -> Self {
        Self { games: vec![game], warnings: Vec::new() }
    }
}
