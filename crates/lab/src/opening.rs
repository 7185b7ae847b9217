//! How the games of a pairing begin: on an empty board, or with openings of which each is played twice, with the colours
//! swapped.

use goban::Play;

/// The openings of a pairing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Openings {
    list: Vec<Vec<Play>>,
}

impl Openings {
    /// Every game begins on the empty board.
    pub fn none() -> Self {
        Self::default()
    }

    /// True if every game begins on the empty board.
    pub fn is_none(&self) -> bool {
        self.list.is_empty()
    }

    /// The plays before the players are asked; both games of a colour pair have the same.
    pub fn of_game(&self, number: u64) -> &[Play] {
        match self.list.len() as u64 {
            0 => &[],
            n => &self.list[(number.saturating_sub(1) / 2 % n) as usize],
        }
    }
}
