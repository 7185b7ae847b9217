//! Why a move is refused.

use std::fmt;

use thiserror::Error;

use super::PlayedMove;
use crate::vertex::Size;

/// A move that the rules forbid in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub struct IllegalMove {
    /// The move.
    pub play: PlayedMove,
    /// The board it was meant for.
    pub size: Size,
    /// The rule it breaks.
    pub reason: IllegalReason,
}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// There is a stone already.
    Occupied,
    /// The board has no such point.
    OffBoard,
    /// It would retake a ko at once.
    Ko,
    /// The stone and its chain would have no liberty.
    Suicide,
    /// It would bring back an earlier position.
    Superko {
        /// The number of plays after which the stones were the same.
        repeats: usize,
    },
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied => f.write_str("there is a stone already"),
            Self::OffBoard => f.write_str("the point is not on the board"),
            Self::Ko => f.write_str("the ko may not be retaken at once"),
            Self::Suicide => f.write_str("the stone would have no liberty"),
            Self::Superko { repeats: 0 } => f.write_str("the position would be as at the start"),
            Self::Superko { repeats } => write!(f, "the position would be as after move {repeats}"),
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlayedMove { color, vertex } = self.play;
        if self.reason == IllegalReason::OffBoard {
            let at = self.size.describe(vertex);
            return write!(f, "illegal move: {color} at {at} on a {} board: {}", self.size, self.reason);
        }
        write!(f, "illegal move: {color} {}: {}", self.size.show(vertex), self.reason)
    }
}
