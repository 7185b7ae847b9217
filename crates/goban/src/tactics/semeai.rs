//! Races: a chain with few liberties looks at the enemy chains that touch it.

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
