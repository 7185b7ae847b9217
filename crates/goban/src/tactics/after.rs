//! What a stone would become part of: its chain's liberties and size, and what it would take; without playing it.

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

/// What comes of a stone of `color` on the empty `point`. The ko does not matter.
#[inline]
pub fn after<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> After<C> {
    let mut adjacency = C::NEIGHBOURS[point.idx()];
    let mut n_stones = 1;
    for head in board.chains_beside(point, color) {
        adjacency = adjacency.union(board.adjacency(head));
        n_stones += board.chain_len(head);
    }
    let mut liberties = adjacency.intersection(board.empty());
    liberties.remove(point);
    let mut n_captured = 0;
    for head in board.chains_beside(point, !color) {
        // The point is one of its liberties.
        if board.adjacency(head).meets_once(board.empty()) {
            n_captured += board.chain_len(head);
            board.chain(head).filter(|&stone| adjacency.contains(stone)).for_each(|s| liberties.insert(s));
        }
    }
    After { liberties, n_stones, n_captured }
}

/// The liberties of the chain that a stone of `color` on the empty `point` would make.
#[inline]
pub fn liberties_after<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> C::Set {
    after(board, color, point).liberties
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
    let code = board.code(point);
    let n_empty = code.n_empty() as usize;
    if n_empty >= limit {
        return n_empty;
    }
    if code.neighbours_of(!color) == 0 {
        // Nothing can be taken: the liberties are those of the friends and the point's own.
        let mut adjacency = C::NEIGHBOURS[point.idx()];
        for head in board.chains_beside(point, color) {
            adjacency = adjacency.union(board.adjacency(head));
        }
        let n = adjacency.intersection(board.empty()).len();
        return n - usize::from(adjacency.contains(point));
    }
    after(board, color, point).liberties.len()
}

/// The number of enemy stones that a stone of `color` on the empty `point` would take.
#[inline]
pub fn n_captured_by<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> usize {
    let is_taken = |head: &Point| board.adjacency(*head).meets_once(board.empty());
    board.chains_beside(point, !color).into_iter().filter(is_taken).map(|head| board.chain_len(head)).sum()
}
