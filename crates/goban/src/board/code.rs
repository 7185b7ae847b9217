//! The 3×3 neighbourhood of a point in 16 bits, kept incrementally.
//!
//! Two bits a neighbour: 0 empty, 1 black, 2 white, 3 off the board. The low byte holds the four neighbours
//! (north, west, east, south), the high byte the four diagonals (NW, NE, SW, SE). Where diagonals are off the
//! board exactly one of them is 3 and the others stay 0; the neighbours tell which are off, and the eye test
//! becomes one mask compare and one bit count.

use crate::color::Color;
use crate::vertex::{Size, Vertex};

/// A 3×3 neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code(pub u16);

/// Which surrounded points count as eyes that a playout leaves alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EyeRule {
    /// Enemy stones on the diagonals: at most one in the centre, none at the edge. What every engine uses.
    #[default]
    Standard,
    /// Diagonals that are not own, empty ones too: at most one in the centre, none at the edge. The rule of
    /// GoYui (You 2012, section 3.3.1); it fills some living eyes.
    GoYui,
}

const OFF: u16 = 3;
const NEIGHBOURS: u16 = 0x00ff;
/// The low bit of each field; black stones and the border have it.
const LOW: u16 = 0x5555;
/// The high bit of each field; white stones and the border have it.
const HIGH: u16 = 0xaaaa;

impl Code {
    /// The code of a point of the empty board.
    pub(crate) fn of_empty_board(size: Size, vertex: Vertex) -> Self {
        let north = vertex.row() == 0;
        let west = vertex.col() == 0;
        let east = vertex.col() + 1 == size.width();
        let south = vertex.row() + 1 == size.height();
        let mut bits = 0;
        for (i, off) in [north, west, east, south].into_iter().enumerate() {
            bits |= if off { OFF << (2 * i) } else { 0 };
        }
        let diagonals = [north || west, north || east, south || west, south || east];
        if let Some(i) = diagonals.into_iter().position(|off| off) {
            bits |= OFF << (8 + 2 * i);
        }
        Self(bits)
    }

    /// True if neighbour `i` (north, west, east, south) is off the board.
    #[inline(always)]
    pub const fn is_off(self, i: usize) -> bool {
        self.0 >> (2 * i) & 3 == OFF
    }

    /// One bit (the low bit of its field) for each neighbour that is a stone of `color`.
    #[inline(always)]
    pub const fn neighbours_of(self, color: Color) -> u16 {
        let (own, other) = match color {
            Color::Black => (self.0, self.0 >> 1),
            Color::White => (self.0 >> 1, self.0),
        };
        own & !other & LOW & NEIGHBOURS
    }

    /// One bit for each empty neighbour.
    #[inline(always)]
    pub const fn empty_neighbours(self) -> u16 {
        !(self.0 | self.0 >> 1) & LOW & NEIGHBOURS
    }

    /// Number of neighbours that are stones of `color`.
    #[inline(always)]
    pub const fn n_neighbours(self, color: Color) -> u32 {
        self.neighbours_of(color).count_ones()
    }

    /// Number of empty neighbours.
    #[inline(always)]
    pub const fn n_empty(self) -> u32 {
        self.empty_neighbours().count_ones()
    }

    /// Number of neighbours off the board: 0 in the centre, 1 at the edge, 2 in a corner.
    #[inline(always)]
    pub const fn n_off(self) -> u32 {
        (self.0 & self.0 >> 1 & LOW & NEIGHBOURS).count_ones()
    }

    /// True if every neighbour on the board is a stone of `color`.
    #[inline(always)]
    pub const fn is_surrounded_by(self, color: Color) -> bool {
        let own = match color {
            Color::Black => LOW & NEIGHBOURS,
            Color::White => HIGH & NEIGHBOURS,
        };
        self.0 & own == own
    }

    /// Diagonals that speak against an eye of `color`: enemy stones, and one more at the border. Two make it false.
    #[inline(always)]
    pub const fn n_against(self, color: Color) -> u32 {
        let enemy = match color {
            Color::Black => HIGH & !NEIGHBOURS,
            Color::White => LOW & !NEIGHBOURS,
        };
        (self.0 & enemy).count_ones()
    }

    /// True if the point, when empty, is an eye of `color` by `rule`.
    #[inline(always)]
    pub const fn is_eye(self, color: Color, rule: EyeRule) -> bool {
        if !self.is_surrounded_by(color) {
            return false;
        }
        match rule {
            // The border counts as one enemy stone, so "at most one" means none at the edge.
            EyeRule::Standard => self.n_against(color) <= 1,
            EyeRule::GoYui => {
                let (own, other) = match color {
                    Color::Black => (self.0, self.0 >> 1),
                    Color::White => (self.0 >> 1, self.0),
                };
                let n_own = (own & !other & LOW & !NEIGHBOURS).count_ones();
                let n_needed = match self.n_off() {
                    0 => 3,
                    1 => 2,
                    _ => 1,
                };
                n_own >= n_needed
            }
        }
    }
}
