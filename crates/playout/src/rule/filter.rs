//! Moves better not played: bad self-atari, seki thrown away, own eyes.

use goban::tactics::{Strength, is_blunder};
use goban::{Board, Color, EyeRule, Keep, Point, SizeClass};

/// True if a legal move is refused: it fills an own eye, puts own stones into atari for nothing, or throws a seki away.
#[inline(always)]
pub fn refuses<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    mover: Color,
    point: Point,
    strength: Strength,
) -> bool {
    // Nearly all moves have two empty neighbours and leave here.
    board.code(point).n_empty() < 2 && refuses_tight(board, mover, point, strength)
}

fn refuses_tight<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    mover: Color,
    point: Point,
    strength: Strength,
) -> bool {
    board.code(point).is_eye(mover, EyeRule::Standard) || is_blunder(board, mover, point, strength)
}
