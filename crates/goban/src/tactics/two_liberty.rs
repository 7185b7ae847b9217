//! Chains with two liberties: how to attack and defend them, if it is worth it.
//!
//! The rules follow Pachi's. The *escape* decides: the liberties that the chain has if the attacker plays at one of
//! its liberties and it answers at the other. A chain that escapes either way has miai and is left alone.

use super::after::after;
use super::self_atari::{Strength, is_bad_self_atari};
use super::{Candidates, around, atari, only, pair};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// The owner and the liberties of the chain at `stone` if it has two.
#[inline]
fn look<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> Option<(Color, [Point; 2])> {
    Some((board.stone(stone)?, pair(&board.liberties(stone))?))
}

/// True if a chain of `owner` that has these two liberties is out of danger with a stone at `exit`, the enemy having
/// played at `closed`: it has three liberties, or two and a friend.
#[inline(always)]
fn is_exit<C: SizeClass, K: Keep>(board: &Board<C, K>, owner: Color, exit: Point, closed: Point) -> bool {
    let code = board.code(exit);
    // One neighbour is the chain, so three empty ones are all there can be.
    if code.n_empty() == 3 && !C::are_beside(exit, closed) {
        return true;
    }
    if board.takes(exit, owner) {
        return is_exit_by_taking(board, owner, exit, closed);
    }
    if code.n_neighbours(owner) == 1 {
        // Only this chain is there, and it has no liberties but the two.
        return false;
    }
    // Both liberties are among the points reached.
    let n_liberties = board.n_reached(exit, owner) - 2;
    n_liberties >= 3 || (n_liberties == 2 && board.joins(exit, owner))
}

/// As [`is_exit`] for a stone that takes something.
#[inline(never)]
fn is_exit_by_taking<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    owner: Color,
    exit: Point,
    closed: Point,
) -> bool {
    let mut liberties = after(board, owner, exit).liberties;
    liberties.remove(closed);
    let n_liberties = liberties.len();
    n_liberties >= 3 || (n_liberties == 2 && board.joins(exit, owner))
}

/// True if the chain at `stone` has two liberties and escapes whichever is taken: it can connect at both, run at both,
/// or connect at one and run at the other.
pub fn has_miai<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> bool {
    look(board, stone)
        .is_some_and(|(owner, [a, b])| is_exit(board, owner, a, b) && is_exit(board, owner, b, a))
}

/// Moves of the enemy of the chain at `stone`, which has two liberties, that put it into atari and leave it no exit;
/// where that would be a bad self-atari, the move that prepares it.
#[inline]
pub fn attack<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    put_into_atari(board, stone, true, out);
}

/// As [`attack`]; moves that only prepare an atari are proposed if `may_prepare`.
fn put_into_atari<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    stone: Point,
    may_prepare: bool,
    out: &mut Candidates,
) {
    let Some((owner, [a, b])) = look(board, stone) else { return };
    let color = !owner;
    for (point, other) in [(a, b), (b, a)] {
        if is_exit(board, owner, other, point) || !board.is_legal_if_empty(color, point) {
            continue;
        }
        if !is_bad_self_atari(board, color, point, Strength::Strict) {
            out.push(point);
        } else if may_prepare
            && let Some(approach) = only(&after(board, color, point).liberties)
            && approach != other
            && board.is_legal(color, approach)
            && !is_bad_self_atari(board, color, approach, Strength::Strict)
        {
            out.push(approach);
        }
    }
}

/// Moves of the owner of the chain at `stone`, which has two liberties, against an attack: taking a chain that touches it,
/// an atari on one, and extending to three liberties or more. Nothing for a chain with miai, and no hopeless extensions.
#[inline]
pub fn defend<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    let Some((owner, [a, b])) = look(board, stone) else { return };
    if is_exit(board, owner, a, b) && is_exit(board, owner, b, a) {
        return;
    }
    counter(board, stone, out);
    let n_before = out.len();
    let mut lumps = [None; 2];
    for (lump, (point, other)) in lumps.iter_mut().zip([(a, b), (b, a)]) {
        if !board.is_legal_if_empty(owner, point) || is_hopeless(board, owner, point, other) {
            continue;
        }
        let code = board.code(point);
        if code.n_neighbours(owner) + code.n_off() >= 3 {
            *lump = Some(point);
        } else {
            out.push(point);
        }
    }
    // A lump gains little: only if there is nothing better.
    if out.len() == n_before {
        for point in lumps.into_iter().flatten() {
            out.push(point);
        }
    }
}

/// Captures of, and ataris on, the enemy chains that touch the chain at `stone`; no bad self-atari, and no atari that the
/// other chain escapes from.
#[inline]
pub fn counter<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    around::each_enemy(board, stone, |head| match board.liberties(head).len() {
        1 => {
            if let Some(point) = atari::taking_point(board, head) {
                out.push(point);
            }
        }
        // Preparations would come too late.
        2 => put_into_atari(board, head, false, out),
        _ => {}
    });
}

/// True if extending at `point` leaves the chain with fewer than three liberties, or with three of which two lie at the
/// `other` liberty, where the enemy takes them away.
fn is_hopeless<C: SizeClass, K: Keep>(board: &Board<C, K>, owner: Color, point: Point, other: Point) -> bool {
    // One neighbour is the chain, so three empty ones are all there can be.
    if board.code(point).n_empty() == 3 && !C::are_beside(point, other) {
        return false;
    }
    let mut gained = if board.takes(point, owner) {
        after(board, owner, point).liberties
    } else {
        let mut reached = board.reach(point, owner).intersection(board.empty());
        reached.remove(point);
        reached
    };
    let n_gained = gained.len();
    if n_gained != 3 {
        // Of four or more the enemy leaves three.
        return n_gained < 3;
    }
    gained.remove(other);
    gained.len() == 2 && gained.difference(&C::NEIGHBOURS[other.idx()]).is_empty()
}
