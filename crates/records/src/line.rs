//! Game lists: a game per line in eight fields, separated by tabs.
//!
//! Size, komi (`?` if it is not recorded), handicap, result (`B+3.5`, `W+R`, `B+`, `0`, `?`), ranks, source, setup (`-` or
//! black stones) and moves. Points are pairs of letters, column and row from the top left; `tt` is a pass on all boards.
//! The colours alternate, Black first unless stones are set up.

use std::io::{self, BufRead, Read};

use goban::{Color, Position, Rules, Size, Vertex};
use sgf::GameResult;
use thiserror::Error;

/// No game is this long; a file with such a line is no game list.
const MAX_LINE: u64 = 1 << 20;

/// Unreadable lines at the beginning after which a file is no game list.
pub const MAX_BAD_LINES: u64 = 10;

/// A line that makes no game: what stands there and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct LineError(String);

/// A line, split into its fields.
#[derive(Clone, Copy, Debug)]
pub struct ListLine<'a> {
    /// A square board.
    pub size: Size,
    /// Points for White; `None` if they are not recorded.
    pub komi: Option<f32>,
    /// Number of handicap stones; 0 in an even game.
    pub handicap: usize,
    /// As the record says.
    pub result: GameResult,
    /// The name of the source up to the first colon; behind it stand the players.
    pub source: &'a str,
    /// Black stones on the board before White's first move; empty in most games.
    pub setup: &'a str,
    /// Pairs of letters.
    pub moves: &'a str,
}

impl<'a> ListLine<'a> {
    /// Splits a line.
    ///
    /// # Errors
    /// Names the first field that cannot be meant.
    pub fn parse(text: &'a str) -> Result<Self, LineError> {
        let mut fields = [""; 8];
        let mut n_fields = 0;
        for field in text.split('\t') {
            if let Some(slot) = fields.get_mut(n_fields) {
                *slot = field;
            }
            n_fields += 1;
        }
        if n_fields != fields.len() {
            return Err(LineError(format!("number of fields {n_fields}: expected 8, separated by tabs")));
        }
        let [size, komi, handicap, result, _ranks, source, setup, moves] = fields;
        let side = size.parse().map_err(|_| LineError(format!("size \"{size}\": expected a number")))?;
        let points: Option<f32> = komi.parse().ok().filter(|points: &f32| points.is_finite());
        if points.is_none() && komi != "?" {
            return Err(LineError(format!("komi \"{komi}\": expected a number or ?")));
        }
        let recorded = GameResult::from_text(result);
        if recorded == GameResult::Unknown && result != "?" {
            let expected = "expected something like B+3.5, W+R, B+, 0 or ?";
            return Err(LineError(format!("result \"{result}\": {expected}")));
        }
        Ok(Self {
            size: Size::square(side).map_err(|error| LineError(error.to_string()))?,
            komi: points,
            handicap: handicap
                .parse()
                .map_err(|_| LineError(format!("handicap \"{handicap}\": expected a number of stones")))?,
            result: recorded,
            source: source.split(':').next().unwrap_or(source),
            setup: if setup == "-" { "" } else { setup },
            moves,
        })
    }

    /// Puts the game's beginning on the board and returns who moves first.
    ///
    /// # Errors
    /// When a setup stone has no place on the board.
    pub fn begin(&self, position: &mut Position, rules: Rules) -> Result<Color, LineError> {
        position.reset(self.size, rules);
        if self.setup.is_empty() {
            return Ok(Color::Black);
        }
        let stones: Vec<_> = points(self.setup)
            .map(|point| Ok((point?, Some(Color::Black))))
            .collect::<Result<_, LineError>>()?;
        position.setup(&stones, Color::White).map_err(|error| LineError(format!("setup: {error}")))?;
        position.set_handicap(self.handicap);
        Ok(Color::White)
    }
}

/// Splits pairs of letters into points; `tt` is a pass on all boards.
pub fn points(text: &str) -> impl Iterator<Item = Result<Vertex, LineError>> {
    text.as_bytes().chunks(2).map(|pair| match *pair {
        [b't', b't'] => Ok(Vertex::PASS),
        [col @ b'a'..=b'y', row @ b'a'..=b'y'] => {
            Ok(Vertex::new(usize::from(col - b'a'), usize::from(row - b'a')))
        }
        _ => Err(LineError(format!(
            "\"{}\" is not a point: expected two letters",
            String::from_utf8_lossy(pair)
        ))),
    })
}

/// A vertex as a pair of letters, the reverse of [`points`].
pub fn letters(vertex: Vertex) -> String {
    if vertex.is_pass() {
        return "tt".to_string();
    }
    [vertex.col(), vertex.row()].map(|n| char::from(b'a' + n as u8)).iter().collect()
}

/// The lines of a list, one at a time and with their numbers; empty ones are left out.
pub struct Lines {
    reader: Box<dyn BufRead>,
    /// Of the line read last, from 1.
    number: u64,
    bytes: Vec<u8>,
}

impl Lines {
    /// The lines of an open file.
    pub fn new(reader: Box<dyn BufRead>) -> Self {
        Self { reader, number: 0, bytes: Vec::new() }
    }

    /// Of the line read last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line that is not empty, with its number from 1; `None` at the end. The inner error is a line that is no
    /// text.
    ///
    /// # Errors
    /// When the file cannot be read on, or is plainly no game list.
    pub fn read(&mut self) -> io::Result<Option<(u64, Result<&str, LineError>)>> {
        loop {
            self.bytes.clear();
            self.number += 1;
            let n_read = self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.bytes)?;
            if n_read == 0 {
                return Ok(None);
            }
            if n_read as u64 == MAX_LINE && self.bytes.last() != Some(&b'\n') {
                let what = "a line of more than a million letters: this is not a game list";
                return Err(io::Error::other(what));
            }
            if !self.bytes.trim_ascii_end().is_empty() {
                break;
            }
        }
        let line = std::str::from_utf8(self.bytes.trim_ascii_end());
        Ok(Some((self.number, line.map_err(|_| LineError("the line is not UTF-8".to_string())))))
    }
}
