//! Points and moves as the board counts them.

use crate::class::SizeClass;

/// A point as an index into a board of one size class: row × stride + column, the top left point is 0.
///
/// The number has a meaning only together with a board; what leaves the board's neighbourhood travels as a
/// [`Vertex`](crate::Vertex).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point with index `idx`.
    #[inline(always)]
    pub const fn from_idx(idx: usize) -> Self {
        Self(idx as u16)
    }

    /// The index, below [`SizeClass::POINTS`].
    #[inline(always)]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

impl Point {
    /// The point beside this one in direction `to`: 0 north, 1 west, 2 east, 3 south; the diagonals NW, NE, SW and SE
    /// follow. It must be on the board.
    #[inline(always)]
    pub fn towards<C: SizeClass>(self, to: usize) -> Self {
        let steps = const {
            [
                C::STRIDE.wrapping_neg(),
                1usize.wrapping_neg(),
                1,
                C::STRIDE,
                (C::STRIDE + 1).wrapping_neg(),
                (C::STRIDE - 1).wrapping_neg(),
                C::STRIDE - 1,
                C::STRIDE + 1,
            ]
        };
        Self::from_idx(self.idx().wrapping_add(steps[to & 7]))
    }
}

/// A point to play at, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// The move that places no stone.
    pub const PASS: Self = Self(u16::MAX);

    /// A stone at `point`.
    #[inline(always)]
    pub const fn at(point: Point) -> Self {
        Self(point.0)
    }

    /// True for a pass.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0 == Self::PASS.0
    }

    /// The point, unless it is a pass.
    #[inline(always)]
    pub const fn point(self) -> Option<Point> {
        if self.is_pass() { None } else { Some(Point(self.0)) }
    }
}

impl From<Point> for Move {
    #[inline(always)]
    fn from(point: Point) -> Self {
        Self::at(point)
    }
}
