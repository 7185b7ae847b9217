//! The chain that a stone would become part of: its liberties and size, and the stones it would take; without playing.

use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// The chain that a stone would make, as it would stand after captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After<C: SizeClass> {
    /// The chain's liberties; none for suicide.
    pub liberties: C::Set,
    /// The chain's stones, the new one included.
    pub n_stones: usize,
    /// Enemy stones taken.
    pub n_captured: usize,
}

/// The chain of a stone of `color` on the empty `point`, and its captures. The ko does not matter.
#[inline]
pub fn after<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> After<C> {
    after_reaching(board, color, point, &board.reach(point, color))
}

/// As [`after`] where the points beside the stone and its friends, [`Board::reach`], are known.
#[inline(always)]
pub(super) fn after_reaching<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    reach: &C::Set,
) -> After<C> {
    let mut liberties = reach.intersection(board.empty());
    liberties.remove(point);
    let mut after = After { liberties, n_stones: board.n_stones_beside(point, color) + 1, n_captured: 0 };
    if board.takes(point, color) {
        after.capture(board, color, point, reach);
    }
    after
}

impl<C: SizeClass> After<C> {
    /// Takes the enemy chains whose last liberty `point` is. `reach` are the points beside the chain that takes them.
    #[inline(never)]
    fn capture<K: Keep>(&mut self, board: &Board<C, K>, color: Color, point: Point, reach: &C::Set) {
        for head in board.chains_beside(point, !color) {
            if board.has_one_liberty(head) {
                self.n_captured += board.chain_len(head);
                let freed = board.chain(head).filter(|&stone| reach.contains(stone));
                freed.for_each(|stone| self.liberties.insert(stone));
            }
        }
    }
}

/// The liberties of the chain that a stone of `color` on the empty `point` would make.
#[inline]
pub fn liberties_after<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> C::Set {
    if board.takes(point, color) {
        return after(board, color, point).liberties;
    }
    let mut liberties = board.reach(point, color).intersection(board.empty());
    liberties.remove(point);
    liberties
}

/// The number of those liberties if it is at most `limit`, otherwise some number not below `limit`: what is asked is
/// mostly whether there are two or three, and that shows early.
#[inline]
pub fn n_liberties_after<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    limit: usize,
) -> usize {
    let n_empty = board.code(point).n_empty() as usize;
    if n_empty >= limit { n_empty } else { liberties_after(board, color, point).len() }
}

/// The number of enemy stones that a stone of `color` on the empty `point` would take.
#[inline]
pub fn n_captured_by<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> usize {
    let is_taken = |head: &Point| board.has_one_liberty(*head);
    board.chains_beside(point, !color).into_iter().filter(is_taken).map(|head| board.chain_len(head)).sum()
}
