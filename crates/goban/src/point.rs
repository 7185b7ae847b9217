//! Points and moves as the board counts them.

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

    /// The index, below [`SizeClass::POINTS`](crate::SizeClass::POINTS).
    #[inline(always)]
    pub const fn idx(self) -> usize {
        self.0 as usize
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
