//! Chains with two liberties: how to attack and defend them, if it is worth it.
//!
//! The rules follow Pachi's. What decides is the *escape*: the liberties that the chain has if the attacker plays at one of
//! its liberties and it answers at the other. A chain that escapes either way has miai and is left alone.

use super::after::{after, n_liberties_after};
use super::self_atari::{Strength, is_bad_self_atari};
use super::{Candidates, around, atari, only, pair};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// A chain with two liberties.
#[derive(Clone, Copy, Debug)]
struct Chain {
    owner: Color,
    liberties: [Point; 2],
    /// By liberty: true if the chain is safe once it has answered there an attack at the other one.
    is_exit: [bool; 2],
}

fn look<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> Option<Chain> {
    let liberties = pair(&board.liberties(stone))?;
    let owner = board.stone(stone)?;
    let [a, b] = liberties;
    let is_exit = [is_exit(board, owner, a, b), is_exit(board, owner, b, a)];
    Some(Chain { owner, liberties, is_exit })
}

/// True if a chain of `owner` is out of danger with a stone at its liberty `exit`, the enemy having played at its other
/// one: it has three liberties, or two and a friend.
#[inline]
fn is_exit<C: SizeClass, K: Keep>(board: &Board<C, K>, owner: Color, exit: Point, closed: Point) -> bool {
    let mut open = board.empty_beside(exit);
    open.remove(closed);
    if open.len() >= 3 {
        return true;
    }
    let mut liberties = after(board, owner, exit).liberties;
    liberties.remove(closed);
    let n_liberties = liberties.len();
    n_liberties >= 3 || (n_liberties == 2 && board.chains_beside(exit, owner).len() >= 2)
}

/// True if the chain at `stone` has two liberties and escapes whichever is taken: it can connect at both, run at both,
/// or connect at one and run at the other.
pub fn has_miai<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> bool {
    look(board, stone).is_some_and(|chain| chain.is_exit == [true; 2])
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
    let Some(chain) = look(board, stone) else { return };
    let color = !chain.owner;
    for (i, point) in chain.liberties.into_iter().enumerate() {
        let other = 1 - i;
        if chain.is_exit[other] || !board.is_legal(color, point) {
            continue;
        }
        if !is_bad_self_atari(board, color, point, Strength::Strict) {
            out.push(point);
        } else if may_prepare
            && let Some(approach) = only(&after(board, color, point).liberties)
            && approach != chain.liberties[other]
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
    let Some(chain) = look(board, stone) else { return };
    if chain.is_exit == [true; 2] {
        return;
    }
    counter(board, stone, out);
    let n_before = out.len();
    let mut lumps = [None; 2];
    for (i, point) in chain.liberties.into_iter().enumerate() {
        let other = chain.liberties[1 - i];
        if !board.is_legal(chain.owner, point) || is_hopeless(board, chain.owner, point, other) {
            continue;
        }
        let code = board.code(point);
        if code.n_neighbours(chain.owner) + code.n_off() >= 3 {
            lumps[i] = Some(point);
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
    if n_liberties_after(board, owner, point, 3) < 3 {
        return true;
    }
    let mut gained = after(board, owner, point).liberties;
    gained.remove(other);
    gained.len() == 2 && gained.difference(&C::NEIGHBOURS[other.idx()]).is_empty()
}
