//! Which moves the stones on the board allow: no occupied point, no retaking of a ko, no suicide unless asked.

use super::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// True if `color` may play at `point`: it is empty, no ko to retake and no suicide. Repetition further
    /// back than the ko is the business of [`Position`](crate::Position).
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.empty.contains(point)
            && match color {
                Color::Black => self.may_place::<true>(point),
                Color::White => self.may_place::<false>(point),
            }
    }

    /// As [`Board::is_legal`] for a point known to be empty and a colour known at compile time.
    #[inline(always)]
    pub fn may_place<const IS_BLACK: bool>(&self, point: Point) -> bool {
        // A point with an empty neighbour is never a ko point and never suicide.
        self.code(point).empty_neighbours() != 0
            || (usize::from(self.ko) != point.idx() && !self.is_suicide::<IS_BLACK>(point))
    }

    /// True if a stone at the empty `point` would have no liberty even after captures.
    pub fn is_suicide_for(&self, color: Color, point: Point) -> bool {
        self.code(point).empty_neighbours() == 0
            && match color {
                Color::Black => self.is_suicide::<true>(point),
                Color::White => self.is_suicide::<false>(point),
            }
    }

    /// As [`Board::is_suicide_for`] for a point without empty neighbours: each neighbouring chain has `point`
    /// as a liberty, so own chains need one more and an enemy chain must have no other.
    #[inline]
    fn is_suicide<const IS_BLACK: bool>(&self, point: Point) -> bool {
        let own = if IS_BLACK { Color::Black } else { Color::White };
        let idx = point.idx();
        let friends = self.code(point).neighbours_of(own);
        let mut others = self.empty;
        others.remove(point);
        let around = [idx.wrapping_sub(C::STRIDE), idx.wrapping_sub(1), idx + 1, idx + C::STRIDE];
        let stones = friends | self.code(point).neighbours_of(!own);
        for (i, near) in around.into_iter().enumerate() {
            if stones >> (2 * i) & 1 == 0 {
                continue;
            }
            let is_friend = friends >> (2 * i) & 1 == 1;
            let is_cut_off = self.adjacency[usize::from(self.heads[near])].is_disjoint(&others);
            if is_friend != is_cut_off {
                return false;
            }
        }
        true
    }
}
