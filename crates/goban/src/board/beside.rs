//! What stands beside a point: the chains there, each once, and the empty points.

use super::table::{self, Idx};
use super::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// The chains of one colour beside a point, each once, by their heads.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    heads: [Point; 4],
    n: usize,
}

impl Beside {
    /// The heads.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Point] {
        &self.heads[..self.n]
    }

    /// Number of chains.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.n
    }

    /// True without chains.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
}

impl IntoIterator for Beside {
    type Item = Point;
    type IntoIter = std::iter::Take<std::array::IntoIter<Point, 4>>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.heads.into_iter().take(self.n)
    }
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// The chains of `color` beside `point`, each once.
    #[inline(always)]
    pub fn chains_beside(&self, point: Point, color: Color) -> Beside {
        let idx = Idx::of(point);
        let bits = self.code(point).neighbours_of(color);
        let mut found = Beside { heads: [Point::from_idx(0); 4], n: 0 };
        if bits != 0 {
            self.add_beside::<0>(idx, bits, &mut found);
            self.add_beside::<1>(idx, bits, &mut found);
            self.add_beside::<2>(idx, bits, &mut found);
            self.add_beside::<3>(idx, bits, &mut found);
        }
        found
    }

    #[inline(always)]
    fn add_beside<const I: usize>(&self, idx: Idx<C>, bits: u16, found: &mut Beside) {
        if bits & 1 << (2 * I) == 0 {
            return;
        }
        let head = self.state.heads.near::<I>(idx).point();
        if !found.as_slice().contains(&head) {
            found.heads[found.n] = head;
            found.n += 1;
        }
    }

    /// The empty points beside `point`.
    #[inline(always)]
    pub fn empty_beside(&self, point: Point) -> C::Set {
        table::neighbours::<C>(Idx::of(point)).intersection(&self.state.empty)
    }

    /// Calls `visit` with the head of every chain of `color` in atari, anywhere on the board, until it says so; `None` if
    /// the board does not keep them.
    #[inline]
    pub(crate) fn any_in_atari(&self, color: Color, mut visit: impl FnMut(Point) -> bool) -> Option<bool> {
        if !K::ATARI {
            return None;
        }
        let is_it = |&head: &Point| self.stone(head) == Some(color) && self.is_in_atari(head);
        Some(self.state.atari.iter().filter(is_it).any(&mut visit))
    }

    /// All points beside the stones of the chain at `point`, whatever stands there; border points may be among them.
    #[inline(always)]
    pub(crate) fn adjacency(&self, point: Point) -> &C::Set {
        self.state.adjacency.at(self.state.heads.at(Idx::of(point)))
    }
}
