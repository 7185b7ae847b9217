//! Nakade: the vital point of a small eye space.

use super::{Candidates, shape};
use crate::board::code::Code;
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// By owner and code, one bit each: whether the region of an empty point with this neighbourhood is open. Asked about
/// several points a move, so it is worth 16 kB.
static OPEN: [[u64; 1024]; 2] = [open(Color::Black), open(Color::White)];

#[allow(long_running_const_eval)]
const fn open(owner: Color) -> [u64; 1024] {
    let enemy = match owner {
        Color::Black => Color::White,
        Color::White => Color::Black,
    };
    let mut table = [0; 1024];
    // The compiler takes seconds to look at all codes. An enemy neighbour, which most have, decides without the diagonals.
    let mut neighbours = 0;
    while neighbours < 1 << 8 {
        let is_decided = Code(neighbours).neighbours_of(enemy) != 0;
        let mut diagonals = 0;
        while diagonals < 1 << 8 {
            let code = diagonals << 8 | neighbours;
            if is_decided || Code(code).is_open_to(enemy, shape::MAX_DEAD as u32) {
                table[(code >> 6) as usize] |= 1 << (code & 63);
            }
            diagonals += 1;
        }
        neighbours += 1;
    }
    table
}

/// True if the empty region of a point with this neighbourhood cannot be an eye space of `owner`: it has more than six
/// points, or an enemy stone stands beside it.
#[inline(always)]
fn is_open(code: Code, owner: Color) -> bool {
    OPEN[owner.idx()][usize::from(code.0 >> 6)] >> (code.0 & 63) & 1 == 1
}

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

/// The connected empty points around `point`, which is one of them and beside a stone of `owner`; `None` if stones of
/// the other colour are beside them or there are more than six points. The point itself was seen not to be open.
#[inline(always)]
fn region<C: SizeClass, K: Keep>(board: &Board<C, K>, point: Point, owner: Color) -> Option<C::Set> {
    let mut points = [point; shape::MAX_DEAD];
    let (mut n_points, mut n_done) = (1, 1);
    let mut found = C::Set::EMPTY;
    found.insert(point);
    let mut here = point;
    loop {
        let mut rest = board.code(here).empty_neighbours();
        while rest != 0 {
            let near = here.towards::<C>(rest.trailing_zeros() as usize / 2);
            rest &= rest - 1;
            if found.contains(near) {
                continue;
            }
            if is_open(board.code(near), owner) {
                return None;
            }
            found.insert(near);
            *points.get_mut(n_points)? = near;
            n_points += 1;
        }
        if n_done == n_points {
            return Some(found);
        }
        here = points[n_done];
        n_done += 1;
    }
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
    if let Some(owner) = board.stone(stone) {
        vital_points_of(board, color, (stone, owner), out);
    }
}

/// As [`vital_points_beside`] for a stone whose owner is known.
#[inline(always)]
pub fn vital_points_of<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    (stone, owner): (Point, Color),
    out: &mut Candidates,
) {
    let mut rest = board.code(stone).empty_beside_own(owner);
    while rest != 0 {
        let point = stone.towards::<C>(rest.trailing_zeros() as usize / 2);
        rest &= rest - 1;
        // Most regions are single points, or seen to be open from their first one or one beside it.
        let code = board.code(point);
        let mut near = code.empty_neighbours();
        if near == 0 || is_open(code, owner) {
            continue;
        }
        while near != 0 && !is_open(board.code(point.towards::<C>(near.trailing_zeros() as usize / 2)), owner)
        {
            near &= near - 1;
        }
        if near == 0 {
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
    if let Some(space) = region(board, point, owner)
        && let Some(vital) = shape::vital_point::<C>(&space)
        && board.is_legal(color, vital)
    {
        out.push(vital);
    }
}
