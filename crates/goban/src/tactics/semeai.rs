//! Races: a chain with few liberties looks at the enemy chains that touch it.

use super::after::n_liberties_after;
use super::self_atari::{Strength, is_bad_self_atari};
use super::{Candidates, around, two_liberty};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::point::Point;
use crate::set::PointSet;

/// Answers for a chain with three or four liberties that was touched: captures of, and working ataris on, the enemy
/// chains around it.
#[inline]
pub fn counter<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    if (3..=4).contains(&board.liberties(stone).len()) {
        two_liberty::counter(board, stone, out);
    }
}

/// Moves of the owner of the chain at `stone` in a race that he wins by moving now: liberties of the touching enemy chains
/// that have at most as many as it has, and no more than four. Outside liberties are proposed before shared ones: those
/// only if there is no other. No bad self-atari.
pub fn reduce<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    let own = board.liberties(stone);
    let n_own = own.len();
    let Some(color) = board.stone(stone) else { return };
    if n_own > 4 {
        return;
    }
    around::each_enemy(board, stone, |head| {
        let theirs = board.liberties(head);
        if theirs.len() > n_own {
            return;
        }
        let outside = theirs.difference(&own);
        let points = if outside.is_empty() { theirs } else { outside };
        for point in points.iter() {
            if board.is_legal(color, point) && !is_bad_self_atari(board, color, point, Strength::Strict) {
                out.push(point);
            }
        }
    });
}

/// True if the chain at `stone` gains nothing by extending: wherever it plays, it has at most as many liberties as before.
fn is_stuck<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, liberties: &C::Set) -> bool {
    let n_liberties = liberties.len();
    let Some(color) = board.stone(stone) else { return false };
    liberties.iter().all(|point| n_liberties_after(board, color, point, n_liberties + 1) <= n_liberties)
}

/// The liberties that the chain at `enemy` has to itself, where it is in a race with a chain that touches it: both have two
/// to four liberties and are stuck. No bad self-atari. Who is ahead does not matter: such a move wins the race, or makes
/// it a seki, or loses it more slowly.
pub fn outside<C: SizeClass, K: Keep>(board: &Board<C, K>, enemy: Point, out: &mut Candidates) {
    let theirs = board.liberties(enemy);
    let Some(color) = board.stone(enemy).map(|owner| !owner) else { return };
    if !(2..=4).contains(&theirs.len()) || !is_stuck(board, enemy, &theirs) {
        return;
    }
    around::each_enemy(board, enemy, |own| {
        let ours = board.liberties(own);
        if !(2..=4).contains(&ours.len()) || !is_stuck(board, own, &ours) {
            return;
        }
        for point in theirs.difference(&ours).iter() {
            if board.is_legal(color, point) && !is_bad_self_atari(board, color, point, Strength::Strict) {
                out.push(point);
            }
        }
    });
}
