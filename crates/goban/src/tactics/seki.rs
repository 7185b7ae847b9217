//! Seki: chains that live because whoever moves first is taken.

use std::ops::ControlFlow;

use super::after::{After, after};
use super::self_atari::is_nakade;
use super::{around, only};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// True if a stone of `color` at the empty `point` would throw away a seki: it fills a liberty that an own and an enemy
/// chain share, each has one more (the same one, or an eye of its own), neither can gain any, and the shape kills nothing.
pub fn breaks<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> bool {
    let code = board.code(point);
    if code.n_empty() >= 2 || code.neighbours_of(color) == 0 || code.neighbours_of(!color) == 0 {
        return false;
    }
    breaks_leaving(board, color, point, &after(board, color, point))
}

/// As [`breaks`] for a stone with at most one empty neighbour that becomes part of the chain `after`.
pub(super) fn breaks_leaving<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    after: &After<C>,
) -> bool {
    if after.n_captured > 0 || board.code(point).neighbours_of(!color) == 0 {
        return false;
    }
    let Some(rest) = only(&after.liberties) else { return false };
    let is_short = |head: Point| board.liberties(head).len() == 2;
    let is_shared = board.chains_beside(point, color).into_iter().filter(|&head| is_short(head)).any(|own| {
        let found = around::find_enemy(board, own, |enemy| {
            match is_short(enemy) && is_locked(board, !color, enemy, point, rest) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        found.is_some()
    });
    is_shared && !is_nakade(board, color, point, after)
}

/// True if the chain at `stone` of `color`, which has two liberties, cannot play at `shared` either: it is one of them, and
/// the other is `rest` too or an eye.
fn is_locked<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    stone: Point,
    shared: Point,
    rest: Point,
) -> bool {
    let mut liberties = board.liberties(stone);
    if !liberties.contains(shared) {
        return false;
    }
    liberties.remove(shared);
    let Some(other) = only(&liberties) else { return false };
    let is_self_atari = |point| {
        let after = after(board, color, point);
        after.n_captured == 0 && after.liberties.len() <= 1
    };
    let is_closed = if other == rest {
        is_self_atari(other)
    } else {
        board.code(other).is_surrounded_by(color) && board.code(rest).is_surrounded_by(!color)
    };
    is_closed && is_self_atari(shared)
}
