//! Moves that make one of the 3×3 patterns with the stones around them.

use goban::{Keep, Point, SizeClass};

use super::near::{self, Near};
use super::{View, WeightedMoves};
use crate::pattern3::Pattern3;

/// The empty points among the eight around `center` that a pattern proposes; not all of them need be legal.
#[inline(always)]
pub fn around<C: SizeClass, K: Keep>(view: &View<'_, C, K>, table: &Pattern3, center: Point) -> Near<C> {
    let empties = near::empties(view.board, center);
    if empties.is_empty() {
        empties
    } else {
        empties.filter_codes(view.board, view.mover, |code| table.movers(code))
    }
}

/// Proposes the legal ones of `found`, each with its pattern's weight, but for those that are `but` or one of the eight points
/// around it.
#[inline(always)]
pub fn weigh<C: SizeClass, K: Keep>(
    view: &View<'_, C, K>,
    table: &Pattern3,
    found: Near<C>,
    but: Option<Point>,
    out: &mut WeightedMoves,
) {
    for point in found {
        if but.is_some_and(|but| C::are_near(but, point)) {
            continue;
        }
        if is_playable(view, point) {
            out.add(point, table.weight(table.pattern_of(view.board.code(point), view.mover)));
        }
    }
}

/// True if the mover may play at one of the points that [`around`] found, which are empty.
#[inline(always)]
pub fn is_playable<C: SizeClass, K: Keep>(view: &View<'_, C, K>, point: Point) -> bool {
    view.board.code(point).empty_neighbours() != 0 || view.board.is_legal(view.mover, point)
}
