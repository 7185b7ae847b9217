//! Which moves the stones on the board allow: no occupied point, no retaking of a ko, no suicide unless asked.

use super::table::{self, Idx};
use super::{Board, Code, EmptyPoint, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// True if `color` may play at `point`: it is empty, no ko to retake and no suicide. Repetition further
    /// back than the ko is the business of [`Position`](crate::Position).
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.state.empty.contains(point) && self.is_legal_if_empty(color, point)
    }

    /// As [`Board::is_legal`] for a point known to be empty.
    #[inline(always)]
    pub(crate) fn is_legal_if_empty(&self, color: Color, point: Point) -> bool {
        // A point with an empty neighbour is never a ko point and never suicide.
        self.code(point).empty_neighbours() != 0 || self.is_legal_inside(color, point)
    }

    /// As [`Board::is_legal`] for an empty point without empty neighbours; seldom asked, so it stays out of the way.
    #[inline(never)]
    fn is_legal_inside(&self, color: Color, point: Point) -> bool {
        if K::ATARI && self.code(point).neighbours_of(color) == 0 {
            // Alone, it has to take something.
            return self.takes(point, color) && usize::from(self.state.ko) != point.idx();
        }
        match color {
            Color::Black => self.may_place::<true>(point),
            Color::White => self.may_place::<false>(point),
        }
    }

    /// As [`Board::is_legal`] for a point known to be empty and a colour known at compile time.
    #[inline(always)]
    pub fn may_place<const IS_BLACK: bool>(&self, point: Point) -> bool {
        // A point with an empty neighbour is never a ko point and never suicide.
        self.code(point).empty_neighbours() != 0
            || (usize::from(self.state.ko) != point.idx() && {
                let mut others = self.state.empty;
                others.remove(point);
                !self.is_suicide::<IS_BLACK>(Idx::of(point), &others)
            })
    }

    /// As [`Board::may_place`] for a listed empty point, saving the copy of the empty points: for playouts, which
    /// ask before every move.
    #[inline(always)]
    pub fn may_place_at<const IS_BLACK: bool>(&mut self, entry: EmptyPoint<C>) -> bool {
        if self.code_at(entry).empty_neighbours() != 0 {
            return true;
        }
        if usize::from(self.state.ko) == entry.idx.get() {
            return false;
        }
        let own = if IS_BLACK { Color::Black } else { Color::White };
        if !self.may_take(entry.idx, own) && self.code_at(entry).neighbours_of(own) == 0 {
            // Alone, and nothing can be taken.
            return false;
        }
        table::remove(&mut self.state.empty, entry.idx);
        let is_suicide = self.is_suicide::<IS_BLACK>(entry.idx, &self.state.empty);
        table::insert(&mut self.state.empty, entry.idx);
        !is_suicide
    }

    /// True if a stone at the empty `point` would have no liberty even after captures.
    pub fn is_suicide_for(&self, color: Color, point: Point) -> bool {
        let mut others = self.state.empty;
        others.remove(point);
        self.code(point).empty_neighbours() == 0
            && match color {
                Color::Black => self.is_suicide::<true>(Idx::of(point), &others),
                Color::White => self.is_suicide::<false>(Idx::of(point), &others),
            }
    }

    /// As [`Board::is_suicide_for`] for a point without empty neighbours, `others` being all other empty points:
    /// an own neighbour with a liberty among them saves the stone, and so does an enemy chain without one.
    #[inline(always)]
    fn is_suicide<const IS_BLACK: bool>(&self, idx: Idx<C>, others: &C::Set) -> bool {
        let own = if IS_BLACK { Color::Black } else { Color::White };
        let code = Code(self.state.codes.at(idx));
        let (friends, enemies) = (code.neighbours_of(own), code.neighbours_of(!own));
        !(self.is_saved::<0>(idx, friends, enemies, others)
            || self.is_saved::<1>(idx, friends, enemies, others)
            || self.is_saved::<2>(idx, friends, enemies, others)
            || self.is_saved::<3>(idx, friends, enemies, others))
    }

    /// True if the neighbour in direction `I` gives a stone a liberty, by having one or by being captured.
    #[inline(always)]
    fn is_saved<const I: usize>(&self, idx: Idx<C>, friends: u16, enemies: u16, others: &C::Set) -> bool {
        let bit = 1 << (2 * I);
        if enemies & bit != 0 {
            self.state.adjacency.at(self.state.heads.near::<I>(idx)).is_disjoint(others)
        } else {
            friends & bit != 0
                && !self.state.adjacency.at(self.state.heads.near::<I>(idx)).is_disjoint(others)
        }
    }
}
