//! The part of the game that a move belongs to.
//!
//! Phases go by the number of the move and the size of the board, not by the length of the game at hand, which nobody
//! knows before it ends: the opening is the first eighth of as many moves as the board has points, the middle game goes on
//! up to half of them. That is up to move 10, 11 to 40, and later on 9×9; 21 and 84 on 13×13; 45 and 180 on 19×19. Stones
//! set up before the game count for nothing.

use goban::Size;
use serde::Serialize;

/// A part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GamePhase {
    /// Up to an eighth of the board's points in moves.
    Opening,
    /// Up to half of them.
    Middle,
    /// From there on.
    End,
}

impl GamePhase {
    /// All in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::End];

    /// Where the move of this number, from 1, belongs.
    pub fn of(number: usize, size: Size) -> Self {
        match number {
            _ if number <= size.area() / 8 => Self::Opening,
            _ if number <= size.area() / 2 => Self::Middle,
            _ => Self::End,
        }
    }

    /// 0, 1, 2.
    pub fn idx(self) -> usize {
        self as usize
    }

    /// In one word.
    pub fn name(self) -> &'static str {
        ["opening", "middle", "end"][self.idx()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_by_board() {
        for (side, opening, middle) in [(9, 10, 40), (13, 21, 84), (19, 45, 180)] {
            let size = Size::square(side).unwrap();
            let phases = [1, opening, opening + 1, middle, middle + 1, 900].map(|n| GamePhase::of(n, size));
            use GamePhase::{End, Middle, Opening};
            assert_eq!(phases, [Opening, Opening, Middle, Middle, End, End]);
        }
        assert_eq!(GamePhase::ALL.map(GamePhase::name), ["opening", "middle", "end"]);
    }
}
