//! Ladders along the edge, recognised without reading.

use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;
use crate::tactics::{after, atari};

/// Directions in the order of a [`Code`](crate::Code): north, west, east, south. The opposite of `i` is `3 - i`.
type Direction = usize;

/// The two directions across.
const ACROSS: [[Direction; 2]; 4] = [[1, 2], [0, 3], [0, 3], [1, 2]];

/// The point beside `point` in a direction, if it is on the board.
#[inline]
fn step<C: SizeClass, K: Keep>(board: &Board<C, K>, point: Point, to: Direction) -> Option<Point> {
    let idx = point.idx();
    let beside = [idx.wrapping_sub(C::STRIDE), idx.wrapping_sub(1), idx + 1, idx + C::STRIDE][to];
    (!board.code(point).is_off(to)).then(|| Point::from_idx(beside))
}

/// True if the chain at `stone`, in atari with its last liberty on the first line, is lost even if it extends there: it has
/// one liberty then, or crawls along the edge under the enemy's stones until the corner or an enemy stone stops it.
///
/// A cheap test for playouts. It looks for no captures but those that touch the chain now, and takes it that the stones
/// above the crawling chain cannot be cut off.
#[inline(never)]
pub fn is_edge_ladder<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> bool {
    let (Some(point), Some(owner)) = (atari::last_liberty(board, stone), board.stone(stone)) else {
        return false;
    };
    let code = board.code(point);
    if code.n_off() == 0 || code.n_empty() > 2 {
        return false;
    }
    let after = after(board, owner, point);
    if after.n_captured > 0 || after.liberties.len() > 2 || atari::has_counter_capture(board, stone) {
        return false;
    }
    if after.liberties.len() < 2 {
        return true;
    }
    // Liberties elsewhere mean that it joins a friend.
    let beside = board.empty_beside(point);
    if after.liberties != beside || code.n_off() > 1 {
        return false;
    }
    // The way back into the board, opposite to the edge.
    let Some(up) = (0..4).find(|&to| code.is_off(to)).map(|to| 3 - to) else { return false };
    let is_open = |to| step(board, point, to).is_some_and(|near| beside.contains(near));
    if is_open(up) {
        // One way along the edge is open, and the enemy closes the way up.
        ACROSS[up]
            .into_iter()
            .filter(|&to| is_open(to))
            .all(|to| crawls_to_death(board, owner, point, up, to, true))
    } else {
        // Both ways along the edge are open, and the enemy closes one of them.
        ACROSS[up].into_iter().any(|to| crawls_to_death(board, owner, point, up, to, false))
    }
}

/// True if a chain of `owner` that has reached `from` on the first line and goes on in direction `to` is stopped. `is_roofed`
/// tells that the enemy has to play above `from` first.
fn crawls_to_death<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    owner: Color,
    from: Point,
    up: Direction,
    to: Direction,
    is_roofed: bool,
) -> bool {
    let is_owner = |point: Option<Point>| point.is_some_and(|point| board.stone(point) == Some(owner));
    // A stone of the owner on the third line would endanger the stone that the enemy has to play on the second.
    let is_weak_roof = |roof: Point| is_owner(step(board, roof, up));
    if is_roofed && step(board, from, up).is_some_and(is_weak_roof) {
        return false;
    }
    let mut here = from;
    // The chain plays at each `next`; the enemy answers above it.
    while let Some(next) = step(board, here, to) {
        let roof = step(board, next, up);
        if is_owner(Some(next)) || is_owner(roof) || is_owner(step(board, next, to)) {
            return false;
        }
        let is_empty = |point: Option<Point>| point.is_some_and(|point| board.empty().contains(point));
        if !is_empty(Some(next)) || !is_empty(roof) || !is_empty(step(board, next, to)) {
            return true;
        }
        if roof.is_some_and(is_weak_roof) {
            return false;
        }
        here = next;
    }
    true
}
