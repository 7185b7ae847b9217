//! Games of the laboratory: what two entrants agree on, which game of theirs is meant, and what is kept of it.
//!
//! In reading order: this file (sides, pairings, seeds), [`terms`] (what is agreed), [`mod@line`] (a finished game in one line).

pub mod line;
pub mod terms;
pub mod values;

use goban::{Color, Rng};
use player::GameLog;
use serde::{Deserialize, Serialize};

use crate::entrant::Entrant;
pub use line::FinishedGame;
pub use terms::Terms;

/// A side of a pairing. A has Black in the odd games, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairSide {
    /// The first entrant.
    A,
    /// The second entrant.
    B,
}

impl PairSide {
    /// A, then B: in the order of indices.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// 0 or 1.
    pub fn idx(self) -> usize {
        self as usize
    }

    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// The colour of this side in a game.
    pub fn color(self, game: u64) -> Color {
        let a_is_black = game % 2 == 1;
        if a_is_black == (self == Self::A) { Color::Black } else { Color::White }
    }

    /// The side that has a colour in a game.
    pub fn of(color: Color, game: u64) -> Self {
        if Self::A.color(game) == color { Self::A } else { Self::B }
    }
}

/// Two entrants and what they agree on. Their games are numbered from 1; games 2k−1 and 2k are a colour pair: the same
/// opening with the colours swapped.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// A and B.
    pub entrants: [Entrant; 2],
    /// What they agree on.
    pub terms: Terms,
    /// Seed of everything random in their games.
    pub seed: u64,
}

impl Pairing {
    /// The seeds of A and B in a game.
    pub fn seeds(&self, number: u64) -> [u64; 2] {
        seeds(self.seed, number)
    }
}

/// The seeds of A and B in a game: the same in whatever order games are played. Published matches depend on this function.
pub fn seeds(seed: u64, number: u64) -> [u64; 2] {
    let mut rng = Rng::new(Rng::new(seed).next_u64().wrapping_add(number));
    [rng.next_u64(), rng.next_u64()]
}

/// The colour pair that a game belongs to, counted from 0.
pub fn pair_of(number: u64) -> u64 {
    number.saturating_sub(1) / 2
}

/// A game that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameJob {
    /// Index of the pairing.
    pub pairing: usize,
    /// Number of the game in its pairing, from 1.
    pub number: u64,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Which game it is.
    pub job: GameJob,
    /// Its result, for files and sums.
    pub line: FinishedGame,
    /// Its record.
    pub sgf: String,
    /// Everything about it, move by move.
    pub log: GameLog,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_alternate() {
        assert_eq!([1, 2, 3].map(|game| PairSide::A.color(game)), [Color::Black, Color::White, Color::Black]);
        assert_eq!(PairSide::of(Color::Black, 2), PairSide::B);
        assert_eq!([1, 2, 3, 4].map(pair_of), [0, 0, 1, 1]);
    }

    /// Games that were published are found again only with the seeds they were played with.
    #[test]
    fn seeds_are_those_of_published_matches() {
        assert_ne!(seeds(1, 1), seeds(1, 2));
        assert_ne!(seeds(1, 1), seeds(2, 1));
        // Computed apart, by the definitions of splitmix64 and wyrand.
        assert_eq!(seeds(1, 1), [11018506382172719874, 15956462921403385546]);
    }
}
