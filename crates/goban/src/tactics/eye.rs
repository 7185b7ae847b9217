//! Eyes of one point: false ones, ones about to become false, and what to do about them.

use super::self_atari::{Strength, is_bad_self_atari};
use super::{Candidates, atari, two_liberty};
use crate::board::code::EyeRule;
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// True if the empty `point` is surrounded by `color` but too many diagonals are the enemy's for an eye.
#[inline(always)]
pub fn is_false<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, point: Point) -> bool {
    let code = board.code(point);
    code.is_surrounded_by(color) && !code.is_eye(color, EyeRule::Standard)
}

/// The points diagonal to `point` that are on the board.
#[inline]
pub fn diagonals<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    point: Point,
) -> impl Iterator<Item = Point> + use<C, K> {
    let code = board.code(point);
    let (north, west, east, south) = (code.is_off(0), code.is_off(1), code.is_off(2), code.is_off(3));
    let idx = point.idx();
    let around = [
        (north || west, idx.wrapping_sub(C::STRIDE + 1)),
        (north || east, idx.wrapping_sub(C::STRIDE).wrapping_add(1)),
        (south || west, (idx + C::STRIDE).wrapping_sub(1)),
        (south || east, idx + C::STRIDE + 1),
    ];
    around.into_iter().filter(|(is_off, _)| !is_off).map(|(_, idx)| Point::from_idx(idx))
}

/// Moves of `color` that keep an eye which the enemy stone at `last`, on a diagonal of it, threatens to make false: one
/// more stone on a diagonal would do. They are the empty diagonals where the enemy could play.
pub fn repairs<C: SizeClass, K: Keep>(board: &Board<C, K>, color: Color, last: Point, out: &mut Candidates) {
    for eye in diagonals(board, last) {
        let code = board.code(eye);
        if !code.is_surrounded_by(color) || !board.empty().contains(eye) || code.n_against(color) != 1 {
            continue;
        }
        for point in diagonals(board, eye) {
            if board.empty().contains(point)
                && board.is_legal(!color, point)
                && !is_bad_self_atari(board, !color, point, Strength::Strict)
                && board.is_legal(color, point)
            {
                out.push(point);
            }
        }
    }
}

/// Proposes moves instead of filling the false eye of `color` at `point`: captures of the stones that make it false, or,
/// where nothing can be taken, working ataris on them.
#[inline]
pub fn restores<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    out: &mut Candidates,
) {
    let mut in_two = Candidates::new();
    let n_before = out.len();
    for stone in diagonals(board, point).filter(|&near| board.stone(near) == Some(!color)) {
        if let Some(taking) = atari::taking_point(board, stone) {
            out.push(taking);
        } else {
            in_two.push(stone);
        }
    }
    if out.len() == n_before {
        in_two.iter().for_each(|stone| two_liberty::attack(board, stone, out));
        // Filling the eye itself is what was to be avoided.
        out.retain(|move_| move_ != point);
    }
}
