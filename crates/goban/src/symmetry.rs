//! The eight ways to look at a square board, four of them on a rectangle.

use crate::any::AnyBoard;
use crate::class::zobrist;
use crate::color::Color;
use crate::vertex::{Size, Vertex};

/// A turn or reflection: first rows and columns are exchanged or not, then columns and rows are reversed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(u8);

const FLIP_COLS: u8 = 1;
const FLIP_ROWS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// Leaves everything in its place.
    pub const IDENTITY: Self = Self(0);
    /// Exchanges left and right.
    pub const FLIP: Self = Self(FLIP_COLS);
    /// Turns the board by half a circle.
    pub const HALF_TURN: Self = Self(FLIP_COLS | FLIP_ROWS);
    /// All eight; those after the fourth exchange rows and columns.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetries that keep a board of `size` in its shape: all on a square, four on a rectangle.
    pub fn of(size: Size) -> &'static [Self] {
        if size.is_square() { &Self::ALL } else { &Self::ALL[..4] }
    }

    /// A number below 8, for tables.
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// The size of a board of `size` after the symmetry.
    #[must_use]
    pub fn size(self, size: Size) -> Size {
        if self.has(TRANSPOSE) { size.transposed() } else { size }
    }

    /// Where the vertex of a board of `size` goes. A pass stays a pass, and a vertex off the board stays off it.
    #[must_use]
    pub fn apply(self, size: Size, vertex: Vertex) -> Vertex {
        if vertex.is_pass() {
            return vertex;
        }
        let to = self.size(size);
        let (col, row) =
            if self.has(TRANSPOSE) { (vertex.row(), vertex.col()) } else { (vertex.col(), vertex.row()) };
        // A column off the board wraps round to one that is far off.
        let flip = |line: usize, side: usize| (side - 1).wrapping_sub(line);
        let col = if self.has(FLIP_COLS) { flip(col, to.width()) } else { col };
        let row = if self.has(FLIP_ROWS) { flip(row, to.height()) } else { row };
        Vertex::new(col, row)
    }

    /// This symmetry first, then `next`.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        // Exchanging rows and columns turns an earlier flip of columns into one of rows and the reverse.
        let flips = self.0 & (FLIP_COLS | FLIP_ROWS);
        let flips = if next.has(TRANSPOSE) { (flips & 1) << 1 | flips >> 1 } else { flips };
        Self((self.0 ^ next.0) & TRANSPOSE | flips ^ next.0 & (FLIP_COLS | FLIP_ROWS))
    }

    /// The symmetry that takes everything back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        let flips = self.0 & (FLIP_COLS | FLIP_ROWS);
        if self.has(TRANSPOSE) { Self(TRANSPOSE | (flips & 1) << 1 | flips >> 1) } else { self }
    }
}

impl AnyBoard {
    /// A hash of the stones that is the same for all boards that are symmetric to this one, and a symmetry
    /// that leads to the board whose plain hash it is.
    pub fn canonical_hash(&self) -> (u64, Symmetry) {
        let size = self.size();
        let hash = |symmetry: &Symmetry| {
            let of = |color| {
                let keys = self.stones(color).into_iter();
                keys.fold(0, |hash, vertex| hash ^ zobrist(color, symmetry.apply(size, vertex)))
            };
            (of(Color::Black) ^ of(Color::White), *symmetry)
        };
        Symmetry::of(size).iter().map(hash).min().unwrap_or((self.hash(), Symmetry::IDENTITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::Rules;

    #[test]
    fn symmetries_form_a_group() {
        let size = Size::new(7, 5).unwrap();
        for a in Symmetry::ALL {
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            assert_eq!(a.inverse().then(a), Symmetry::IDENTITY);
            for off in [Vertex::new(7, 0), Vertex::new(0, 5), Vertex::new(24, 24), Vertex::new(255, 1)] {
                assert!(!a.size(size).contains(a.apply(size, off)), "{a:?} {off:?}");
            }
            for b in Symmetry::ALL {
                for vertex in size.vertices() {
                    let two_steps = b.apply(a.size(size), a.apply(size, vertex));
                    assert_eq!(a.then(b).apply(size, vertex), two_steps);
                }
            }
        }
        let images = Symmetry::ALL.map(|s| s.apply(Size::square(9).unwrap(), Vertex::new(1, 3)));
        assert!(images.iter().enumerate().all(|(i, image)| !images[..i].contains(image)));
    }

    #[test]
    fn symmetric_games_have_one_canonical_hash() {
        for size in [Size::square(9).unwrap(), Size::new(6, 11).unwrap()] {
            let mut game = Position::new(size, Rules::TROMP_TAYLOR);
            for (i, at) in [(2, 3), (4, 4), (2, 4), (0, 0), (5, 1)].into_iter().enumerate() {
                game.play(Color::BOTH[i % 2], Vertex::new(at.0, at.1)).unwrap();
            }
            let (canonical, symmetry) = game.board().canonical_hash();
            assert_eq!(game.transformed(symmetry).board().hash(), canonical);
            for &symmetry in Symmetry::of(size) {
                let other = game.transformed(symmetry);
                assert_eq!(other.board().canonical_hash().0, canonical);
                assert_eq!(other.transformed(symmetry.inverse()).board(), game.board());
            }
        }
    }
}
