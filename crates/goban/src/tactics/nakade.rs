//! Nakade: the vital point of a small eye space.

use super::{Candidates, shape};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// The connected empty points around `point`, which is one of them, and the colour of all stones beside them; `None` if
/// both colours are there or there are more than six points.
#[inline]
pub fn eye_space<C: SizeClass, K: Keep>(board: &Board<C, K>, point: Point) -> Option<(C::Set, Color)> {
    let mut space = C::Set::EMPTY;
    space.insert(point);
    let mut todo = space;
    let mut owner = None;
    let mut n_points = 1;
    while let Some(here) = todo.first() {
        todo.remove(here);
        let code = board.code(here);
        for color in Color::BOTH {
            if code.neighbours_of(color) != 0 && *owner.get_or_insert(color) != color {
                return None;
            }
        }
        if code.empty_neighbours() == 0 {
            continue;
        }
        let further = board.empty_beside(here).difference(&space);
        n_points += further.len();
        if n_points > shape::MAX_DEAD {
            return None;
        }
        space = space.union(&further);
        todo = todo.union(&further);
    }
    Some((space, owner?))
}

/// The vital point of the eye space around the empty `point`: whoever plays there decides whether it is one eye or two.
#[inline]
pub fn vital_point<C: SizeClass, K: Keep>(board: &Board<C, K>, point: Point) -> Option<Point> {
    let (space, _) = eye_space(board, point)?;
    shape::vital_point::<C>(&space)
}

/// Vital points of the eye spaces beside `stone`, which is mostly the stone just played, that `color` may play at.
#[inline]
pub fn vital_points_beside<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    stone: Point,
    out: &mut Candidates,
) {
    let mut rest = board.empty_beside(stone);
    while let Some(point) = rest.first() {
        rest.remove(point);
        let Some((space, _)) = eye_space(board, point) else { continue };
        rest = rest.difference(&space);
        if let Some(vital) = shape::vital_point::<C>(&space)
            && board.is_legal(color, vital)
        {
            out.push(vital);
        }
    }
}
