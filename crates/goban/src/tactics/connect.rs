//! Connection and cut: points where chains of one colour meet.

use super::Candidates;
use super::self_atari::{Strength, is_bad_self_atari};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// Number of chains of `color` that a stone at the empty `point` would make one: 0 and 1 connect nothing.
#[inline(always)]
pub fn n_joined<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> usize {
    board.chains_beside(point, color).len()
}

/// True if `point` is the only place where two of the chains of `color` beside it can be joined with one stone: played by
/// the enemy it cuts them.
pub fn is_only_link<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> bool {
    let chains = board.chains_beside(point, color);
    let mut elsewhere = *board.empty();
    elsewhere.remove(point);
    let share =
        |a: Point, b: Point| !board.adjacency(a).intersection(board.adjacency(b)).is_disjoint(&elsewhere);
    let mut rest = chains.into_iter();
    while let Some(a) = rest.next() {
        if rest.clone().any(|b| !share(a, b)) {
            return true;
        }
    }
    false
}

/// True if a stone of `color` at the empty `point` cuts two enemy chains for good and is not simply lost there.
pub fn cuts<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> bool {
    is_only_link(board, !color, point) && !is_bad_self_atari(board, color, point, Strength::Strict)
}

/// The liberties of the chain at `stone` at which its owner can join it to another of his chains.
pub fn connections<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    let Some(color) = board.stone(stone) else { return };
    for point in board.liberties(stone).iter() {
        if n_joined(board, color, point) >= 2 && board.is_legal(color, point) {
            out.push(point);
        }
    }
}
