//! Recorded games from lists and SGF files, to draw positions from.
//!
//! In reading order: this file (a game, whatever it was read from, and how it is replayed), [`input`] (files and folders,
//! packed or not), [`mod@line`] (the form of a list), `read` (all games of some files, one after the other), [`sample`] (some of
//! them, drawn at random), [`convert`] (colours and points of records as the board knows them).

pub mod convert;
pub mod input;
pub mod line;
mod read;
pub mod sample;

pub use convert::{to_color, to_vertex};
pub use input::{FileKind, Input, expand};
pub use read::{NO_LIST, ReadItem, read};
pub use sample::GameSample;

use std::convert::Infallible;
use std::fmt;

use goban::{Color, IllegalMove, PlayedMove, Position, Rules, Size, Vertex};
use sgf::GameResult;

/// Where a game was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// The file as it was asked for.
    pub file: String,
    /// The line of a list, or the number of the game in an SGF file, from 1.
    pub number: u64,
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.number)
    }
}

/// One thing that happens in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordStep {
    /// A move or a pass.
    Play(PlayedMove),
    /// Stones put on the board, or taken off it (`None`), and who moves next if the record says so.
    Setup {
        /// The points that change.
        stones: Vec<(Vertex, Option<Color>)>,
        /// `None`: who was to move anyway.
        to_play: Option<Color>,
    },
}

/// A recorded game. Its moves may still be illegal.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// Where it was found.
    pub place: RecordPlace,
    /// The name of the source in a list up to the first colon; `sgf` for records.
    pub source: String,
    /// Of the board.
    pub size: Size,
    /// Points for White; `None` if they are not recorded.
    pub komi: Option<f32>,
    /// Number of handicap stones; 0 in an even game.
    pub handicap: usize,
    /// As the record says.
    pub result: GameResult,
    /// Who is to move on the empty board.
    pub first: Color,
    /// Moves and setups, in order.
    pub steps: Vec<RecordStep>,
}

/// Why a game could not be followed to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayStop {
    /// A move that the rules refuse.
    Illegal(IllegalMove),
    /// Stones that cannot stand, or a komi beyond all numbers.
    Impossible(String),
}

impl fmt::Display for ReplayStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(illegal) => illegal.fmt(f),
            Self::Impossible(why) => f.write_str(why),
        }
    }
}

/// A move that a game does not get to: which, where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSuchMove(String);

impl RecordedGame {
    /// The moves, passes included.
    pub fn plays(&self) -> impl Iterator<Item = PlayedMove> + '_ {
        self.steps.iter().filter_map(|step| match step {
            RecordStep::Play(play) => Some(*play),
            RecordStep::Setup { .. } => None,
        })
    }

    /// The empty board before the first step, with `komi` where the record names none.
    fn start(&self, rules: Rules, komi: f32) -> Result<Position, ReplayStop> {
        let mut position = Position::new(self.size, rules);
        position
            .set_komi(self.komi.unwrap_or(komi))
            .map_err(|error| ReplayStop::Impossible(error.to_string()))?;
        if self.first != position.to_play() {
            position.set_to_play(self.first);
        }
        position.set_handicap(self.handicap);
        Ok(position)
    }

    /// Shows every position together with the move that was made there, and plays it. `each` says whether to go on.
    ///
    /// # Errors
    /// The outer error is one of `each`. The inner one is what cannot be played or set up; everything before was shown.
    pub fn replay<E>(
        &self,
        rules: Rules,
        komi: f32,
        mut each: impl FnMut(&Position, PlayedMove) -> Result<bool, E>,
    ) -> Result<Result<(), ReplayStop>, E> {
        let mut position = match self.start(rules, komi) {
            Ok(position) => position,
            Err(stop) => return Ok(Err(stop)),
        };
        for step in &self.steps {
            match step {
                RecordStep::Setup { stones, to_play } => {
                    let to_play = to_play.unwrap_or(position.to_play());
                    if stones.is_empty() {
                        position.set_to_play(to_play);
                    } else if let Err(error) = position.setup(stones, to_play) {
                        return Ok(Err(ReplayStop::Impossible(format!("setup: {error}"))));
                    }
                }
                RecordStep::Play(play) => {
                    if let Err(illegal) = position.legality(play.color, play.vertex) {
                        return Ok(Err(ReplayStop::Illegal(illegal)));
                    }
                    if position.to_play() != play.color {
                        position.set_to_play(play.color);
                    }
                    if !each(&position, *play)? {
                        return Ok(Ok(()));
                    }
                    if let Err(illegal) = position.play(play.color, play.vertex) {
                        return Ok(Err(ReplayStop::Illegal(illegal)));
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    /// The position before the move of this number, from 1, by its mover.
    ///
    /// # Errors
    /// When the game has fewer moves, or one that cannot be played.
    pub fn before_move(&self, number: usize, rules: Rules, komi: f32) -> Result<Position, NoSuchMove> {
        let mut found = None;
        let mut n = 0;
        let Ok(replayed) = self.replay(rules, komi, |position, _| {
            n += 1;
            if n == number {
                found = Some(position.clone());
            }
            Ok::<_, Infallible>(found.is_none())
        });
        match (found, replayed) {
            (Some(position), _) => Ok(position),
            (None, Err(stop)) => Err(NoSuchMove(format!("{}: move {}: {stop}", self.place, n + 1))),
            (None, Ok(())) => {
                Err(NoSuchMove(format!("{}: move {number}: the game has {n} moves", self.place)))
            }
        }
    }
}

#[cfg(test)]
mod tests;
