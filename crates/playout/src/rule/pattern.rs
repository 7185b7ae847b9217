//! Moves that make one of the 3×3 patterns with the stones around them.

use goban::{Keep, Point, SizeClass};

use super::{View, Weighted, near};
use crate::pattern3::Pattern3;

/// Proposes the legal moves by a pattern among the eight points around `center`, each with its pattern's weight.
#[inline(always)]
pub fn around<C: SizeClass, K: Keep>(
    view: &View<'_, C, K>,
    table: &Pattern3,
    center: Point,
    out: &mut Weighted,
) {
    let empties = near::empties(view.board, center);
    if empties.is_empty() {
        return;
    }
    for point in empties.filter_codes(view.board, view.mover, |code| table.movers(code)) {
        let code = view.board.code(point);
        if code.empty_neighbours() != 0 || view.board.is_legal(view.mover, point) {
            out.push(point, table.weight(table.pattern_of(code, view.mover)));
        }
    }
}
