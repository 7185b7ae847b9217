//! Self-atari: moves that leave their own chain with one liberty, and when that is a good idea.
//!
//! Good reasons are: something is taken by it (more than one stone, or a ko), the stone comes back with interest
//! (snapback), it falsifies an eye (throw-in), or it fills the enemy's eye space with a shape that makes one eye only
//! (nakade). The rules follow Pachi's. Playouts mix two strengths of the test; refusing every self-atari makes false sekis.

use std::ops::ControlFlow;

use super::after::{After, after_reaching};
use super::{Candidates, around, pair, seki, shape};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// How much of a self-atari is bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strength {
    /// All that none of the good reasons excuses.
    Strict,
    /// Only those that lose three stones or more.
    Big,
}

/// Stones from which [`Strength::Big`] sees a loss.
const N_BIG: usize = 3;

/// True if a stone of `color` on the empty `point` would be a self-atari, or suicide, without a good reason.
#[inline(always)]
pub fn is_bad_self_atari<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    strength: Strength,
) -> bool {
    // Nearly all moves leave here.
    board.code(point).n_empty() < 2 && is_bad(board, color, point, strength)
}

#[inline(never)]
fn is_bad<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    strength: Strength,
) -> bool {
    is_bad_tight::<C, K, false>(board, color, point, strength)
}

/// True if a stone of `color` on the empty `point`, which has at most one empty neighbour, would be a bad self-atari, or
/// throws a seki away. The latter is asked only where [`Strength::Big`] sees no loss.
#[inline(always)]
pub fn is_blunder<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    strength: Strength,
) -> bool {
    is_bad_tight::<C, K, true>(board, color, point, strength)
}

/// True if a stone with at most one empty neighbour is a bad self-atari or, if `MINDS_SEKI`, throws a seki away.
#[inline(always)]
fn is_bad_tight<C: SizeClass, K: Keep, const MINDS_SEKI: bool>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    strength: Strength,
) -> bool {
    debug_assert!(board.code(point).n_empty() < 2);
    if board.code(point).neighbours_of(color) == 0 {
        return is_bad_alone(board, color, point, strength);
    }
    let reach = board.reach(point, color);
    // The point itself is counted, so there are two liberties even without taking anything.
    reach.intersection(board.empty()).len() <= 2
        && is_bad_joined::<C, K, MINDS_SEKI>(board, color, (point, &reach), strength)
}

/// As [`is_bad_tight`] for a stone with friends but less than two liberties, unless it takes something. `reach` is what
/// [`Board::reach`] gives.
#[inline(never)]
fn is_bad_joined<C: SizeClass, K: Keep, const MINDS_SEKI: bool>(
    board: &Board<C, K>,
    color: Color,
    (point, reach): (Point, &C::Set),
    strength: Strength,
) -> bool {
    let after = after_reaching(board, color, point, reach);
    if after.liberties.len() != 1 {
        return after.liberties.is_empty();
    }
    if after.n_captured > 1 {
        return false;
    }
    let is_big = strength == Strength::Big;
    let is_loss = !is_big || after.n_stones >= N_BIG;
    (is_loss && !is_nakade(board, color, point, &after))
        || (MINDS_SEKI && is_big && seki::breaks_leaving(board, color, point, &after))
}

/// As [`is_bad`] for a stone without friends and with at most one empty neighbour.
#[inline(never)]
fn is_bad_alone<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    strength: Strength,
) -> bool {
    if board.takes(point, color) {
        // It takes a ko, or more than one stone, or has two liberties then.
        return false;
    }
    let Some(liberty) = board.empty_neighbour(point) else { return true };
    strength == Strength::Strict
        && !is_snapback(board, color, point, liberty)
        && !is_throw_in(board, color, point, liberty)
}

/// True if a single stone of `color` at `point` with the one liberty `liberty` can only be taken by stones that are then
/// retaken: the taker has two stones or more, and no liberty but `point`.
fn is_snapback<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    liberty: Point,
) -> bool {
    let code = board.code(liberty);
    if code.n_empty() > 1 || code.neighbours_of(!color) == 0 {
        return false;
    }
    let takers = board.chains_beside(liberty, !color);
    let mut others = *board.empty();
    others.remove(point);
    others.remove(liberty);
    // Other stones taken together with this one would leave more room.
    let loses_more = |head| board.adjacency(head).is_disjoint(&others);
    !board.chains_beside(liberty, color).into_iter().any(loses_more)
        && takers.into_iter().all(|head| board.adjacency(head).is_disjoint(&others))
}

/// True if a single stone of `color` at `point` falsifies an eye: the enemy or the edge is on three sides, our stones on
/// enough diagonals, no corner, taking it at `liberty` leads nowhere, and some enemy chain there is short of liberties, so
/// that it matters.
fn is_throw_in<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    liberty: Point,
) -> bool {
    let code = board.code(point);
    let is_short = |head| board.liberties(head).len() <= 3;
    code.n_neighbours(!color) + code.n_off() == 3
        && code.n_off() < 2
        && code.n_against(!color) >= 2
        && board.code(liberty).n_empty() == 1
        && board.chains_beside(point, !color).into_iter().any(is_short)
}

/// True if the chain that a stone of `color` at `point` makes is a dead shape in the enemy's eye space, and the enemy
/// chains around it have no liberties elsewhere: they must take it, and then have one eye.
pub(super) fn is_nakade<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    after: &After<C>,
) -> bool {
    if !(2..=shape::MAX_DEAD).contains(&after.n_stones) || after.n_captured > 0 {
        return false;
    }
    let mut inside = after.liberties;
    inside.insert(point);
    let has_more = |head| match board.liberties(head).difference(&inside).is_empty() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let mut stones = C::Set::EMPTY;
    stones.insert(point);
    for head in board.chains_beside(point, color) {
        board.chain(head).for_each(|stone| stones.insert(stone));
        if around::find_enemy(board, head, has_more).is_some() {
            return false;
        }
    }
    let is_enclosed = board.chains_beside(point, !color).into_iter().all(|head| has_more(head).is_continue());
    is_enclosed && shape::is_dead::<C>(&stones)
}

/// Proposes moves instead of a bad self-atari at `point`: the other liberty of a chain of either colour beside it that
/// has two.
/// None of the moves proposed is a bad self-atari itself or fills an own eye.
pub fn cousins<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point, out: &mut Candidates) {
    for side in [color, !color] {
        for head in board.chains_beside(point, side) {
            let Some([a, b]) = pair(&board.liberties(head)) else { continue };
            let other = if a == point { b } else { a };
            if board.is_legal(color, other)
                && !board.is_eye(other, color, crate::EyeRule::Standard)
                && !is_bad_self_atari(board, color, other, Strength::Strict)
            {
                out.push(other);
            }
        }
    }
}
