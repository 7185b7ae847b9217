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
    /// Enemy stones on the diagonals: at most one in the centre, none at the edge.
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

/// The neighbours, by their places in N, W, E, S, that the diagonals NW, NE, SW and SE lie between.
const BETWEEN: [[usize; 2]; 4] = [[0, 1], [0, 2], [1, 3], [2, 3]];

/// By the four neighbours: one bit for each of the eight points around that is on the board.
static ON_BOARD: [u16; 256] = by_neighbours(false);

/// By the four neighbours: see [`Code::reach`].
static REACH: [u16; 256] = by_neighbours(true);

/// By the four diagonals: one bit for each neighbour beside which a stone of the colour lies on a diagonal.
static BESIDE_DIAGONALS: [[u8; 256]; 2] = [by_diagonals(1), by_diagonals(2)];

const fn by_diagonals(stone: u16) -> [u8; 256] {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        let mut i = 0;
        while i < 4 {
            if code as u16 >> (2 * i) & OFF == stone {
                table[code] |= 1 << (2 * BETWEEN[i][0]) | 1 << (2 * BETWEEN[i][1]);
            }
            i += 1;
        }
        code += 1;
    }
    table
}

const fn by_neighbours(is_reach: bool) -> [u16; 256] {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        let mut i = 0;
        while i < 4 {
            if code as u16 >> (2 * i) & OFF != OFF {
                table[code] |= 1 << (2 * i);
            }
            let a = code as u16 >> (2 * BETWEEN[i][0]) & OFF;
            let b = code as u16 >> (2 * BETWEEN[i][1]) & OFF;
            if a != OFF && b != OFF && (!is_reach || a == 0 || b == 0) {
                table[code] |= 1 << (8 + 2 * i);
            }
            i += 1;
        }
        code += 1;
    }
    table
}

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
        self.around_of(color) & NEIGHBOURS
    }

    /// One bit (the low bit of its field) for each of the eight points around that is a stone of `color`.
    #[inline(always)]
    pub const fn around_of(self, color: Color) -> u16 {
        // Black has only the low bit of a field, White only the high one.
        let (own, other) = (self.0 >> color as u16, self.0 >> (color as u16 ^ 1));
        own & !other & LOW
    }

    /// One bit for each empty neighbour.
    #[inline(always)]
    pub const fn empty_neighbours(self) -> u16 {
        !(self.0 | self.0 >> 1) & LOW & NEIGHBOURS
    }

    /// One bit for each of the eight points around that is empty, or a diagonal off the board.
    #[inline(always)]
    const fn not_stones(self) -> u16 {
        !(self.0 | self.0 >> 1) & LOW
    }

    /// One bit for each empty diagonal that lies between two neighbours which are stones of `color`.
    #[inline(always)]
    pub const fn corners_of(self, color: Color) -> u16 {
        // In the order N, W, E, S: NW lies between the first two, NE, SW and SE between others.
        let own = self.neighbours_of(color);
        let between = (own << 8 & own << 6 & 0x0100)
            | (own << 10 & own << 6 & 0x1400)
            | (own << 10 & own << 8 & 0x4000);
        between & self.not_stones()
    }

    /// One bit for each empty point of the board among the eight around.
    #[inline(always)]
    pub fn empty_around(self) -> u16 {
        self.not_stones() & ON_BOARD[usize::from(self.0 & NEIGHBOURS)]
    }

    /// One bit for each empty neighbour beside which no stone of the colour against `color` lies on a diagonal.
    #[inline(always)]
    pub fn empty_beside_own(self, color: Color) -> u16 {
        let against = BESIDE_DIAGONALS[(!color).idx()][usize::from(self.0 >> 8)];
        self.empty_neighbours() & !u16::from(against)
    }

    /// One bit for each of the eight points around that touches the empty region of the point, as far as it shows here:
    /// the neighbours, and the diagonals of the board beside empty neighbours.
    #[inline(always)]
    pub const fn reach(self) -> u16 {
        REACH[(self.0 & NEIGHBOURS) as usize]
    }

    /// True if the empty region of the point cannot be an eye space of at most `max` points that belongs to the enemy of
    /// `color`: more points of it, or a stone of `color` beside it, are among the eight around.
    #[inline(always)]
    pub const fn is_open_to(self, color: Color, max: u32) -> bool {
        let reach = self.reach();
        self.around_of(color) & reach != 0 || (self.not_stones() & reach).count_ones() >= max
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
