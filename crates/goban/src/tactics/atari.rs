//! Atari: what can be taken now, and how a chain in atari is saved.

use super::after::{after, n_captured_by};
use super::{Candidates, only};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// The only liberty of the chain at `stone` if it is in atari.
#[inline(always)]
pub fn last_liberty<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> Option<Point> {
    only(&board.liberties(stone))
}

/// The point at which the chain at `stone` can be taken now: it is in atari and no ko forbids it.
#[inline(always)]
pub fn taking_point<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> Option<Point> {
    // Taking is never suicide, so only the ko can be in the way.
    last_liberty(board, stone).filter(|&point| board.ko() != Some(point))
}

/// All points where `color` takes something, anywhere on the board.
pub fn captures<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, out: &mut Candidates) {
    for head in board.chains_in_atari(!color) {
        if let Some(point) = taking_point(board, head) {
            out.push(point);
        }
    }
}

/// The points that take an enemy chain touching the chain at `stone`.
#[inline]
pub fn counter_captures<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    any_counter_capture(board, stone, |point| {
        out.push(point);
        false
    });
}

/// True if an enemy chain touching the chain at `stone` can be taken now.
#[inline]
pub fn has_counter_capture<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> bool {
    any_counter_capture(board, stone, |_| true)
}

/// Calls `visit` with every point that takes an enemy chain touching the chain at `stone`, until it says so; more than
/// once with some.
#[inline]
fn any_counter_capture<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    stone: Point,
    mut visit: impl FnMut(Point) -> bool,
) -> bool {
    let Some(color) = board.stone(stone) else { return false };
    board.may_have_atari(!color)
        && board.chain(stone).any(|own| {
            let mut rest = board.code(own).neighbours_of(!color);
            while rest != 0 {
                let enemy = own.towards::<C>(rest.trailing_zeros() as usize / 2);
                rest &= rest - 1;
                if board.may_be_in_atari(enemy, !color) && taking_point(board, enemy).is_some_and(&mut visit)
                {
                    return true;
                }
            }
            false
        })
}

/// A chain in atari grown by a stone on its last liberty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The last liberty.
    pub point: Point,
    /// Liberties of the chain afterwards: 0 means that the move is suicide.
    pub n_liberties: usize,
    /// Enemy stones taken by it.
    pub n_captured: usize,
}

/// The move that extends the chain at `stone` from atari, with the liberties it brings; `None` if the chain is not in
/// atari or a ko forbids the move.
#[inline]
pub fn extension<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point) -> Option<Extension> {
    let point = taking_point(board, stone)?;
    let color = board.stone(stone)?;
    if !board.takes(point, color) {
        let code = board.code(point);
        let n_liberties = match code.n_neighbours(color) {
            // Only this chain is there, and it has no other liberty.
            1 => code.n_empty() as usize,
            // The last liberty is among the points reached.
            _ => board.n_reached(point, color) - 1,
        };
        return Some(Extension { point, n_liberties, n_captured: 0 });
    }
    let after = after(board, color, point);
    Some(Extension { point, n_liberties: after.liberties.len(), n_captured: after.n_captured })
}

/// The moves that save the chain at `stone` from atari, as MoGo sees it: taking an enemy chain that touches it, and
/// extending to two liberties or more. Ladders are not read.
#[inline]
pub fn saves<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, out: &mut Candidates) {
    counter_captures(board, stone, out);
    if let Some(extension) = extension(board, stone)
        && extension.n_liberties >= 2
    {
        out.push(extension.point);
    }
}

/// True if `color`, taking a single stone by playing at `point`, would lose two or more stones to a stone put back on
/// the same place: the snapback from the side that must not take.
#[inline]
pub fn is_snapped_back<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> bool {
    if board.code(point).n_empty() > 0 || n_captured_by(board, color, point) != 1 {
        return false;
    }
    let after = after(board, color, point);
    after.n_stones >= 2 && after.liberties.len() == 1
}
