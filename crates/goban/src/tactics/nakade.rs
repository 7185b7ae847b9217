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

/// A connected region of at most six points, in the order in which they were reached.
#[derive(Clone, Copy)]
struct Region {
    points: [Point; shape::MAX_DEAD],
    n_points: usize,
}

impl Region {
    #[inline(always)]
    fn as_slice(&self) -> &[Point] {
        &self.points[..self.n_points]
    }
}

/// The connected empty points around `point`, which is one of them and beside a stone of `owner`; `None` if stones of
/// the other colour are beside them or there are more than six points.
#[inline]
fn region<C: SizeClass, K: Keep>(board: &Board<C, K>, point: Point, owner: Color) -> Option<Region> {
    let mut found = Region { points: [point; shape::MAX_DEAD], n_points: 1 };
    let mut n_done = 0;
    while n_done < found.n_points {
        let here = found.points[n_done];
        n_done += 1;
        let code = board.code(here);
        if code.is_open(owner, shape::MAX_DEAD as u32) {
            return None;
        }
        let mut open = code.empty_neighbours();
        while open != 0 {
            let near = here.towards::<C>(open.trailing_zeros() as usize / 2);
            open &= open - 1;
            if found.as_slice().iter().copied().any(|point| point == near) {
                continue;
            }
            *found.points.get_mut(found.n_points)? = near;
            found.n_points += 1;
        }
    }
    Some(found)
}

/// Vital points of the eye spaces beside the stone at `stone`, which is mostly the one just played, that `color` may play
/// at.
#[inline(always)]
pub fn vital_points_beside<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    stone: Point,
    out: &mut Candidates,
) {
    let Some(owner) = board.stone(stone) else { return };
    let mut rest = board.code(stone).empty_neighbours();
    while rest != 0 {
        let point = stone.towards::<C>(rest.trailing_zeros() as usize / 2);
        rest &= rest - 1;
        // Most regions are single points, or seen to be open from their first one.
        let code = board.code(point);
        if code.empty_neighbours() != 0 && !code.is_open(owner, shape::MAX_DEAD as u32) {
            add_vital_point(board, color, point, owner, out);
        }
    }
}

/// The vital point of the eye space of `owner` around the empty `point`, if `color` may play there. A space that is found a
/// second time, from another of its points, proposes the same.
#[inline(never)]
fn add_vital_point<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    owner: Color,
    out: &mut Candidates,
) {
    // Fewer than three points have no vital one.
    let Some(space) = region(board, point, owner).filter(|space| space.n_points >= 3) else { return };
    let mut points = C::Set::EMPTY;
    space.as_slice().iter().for_each(|&point| points.insert(point));
    if let Some(vital) = shape::vital_point::<C>(&points)
        && board.is_legal(color, vital)
    {
        out.push(vital);
    }
}
