//! Moves that make one of the 3×3 patterns with the stones around them.

use goban::{Keep, Point, SizeClass};

use super::{View, Weighted, near};
use crate::pattern3::Pattern3;

/// Proposes the legal moves by a pattern among the eight points around `center`, each with its pattern's weight.
#[inline]
pub fn around<C: SizeClass, K: Keep>(
    view: &View<'_, C, K>,
    table: &Pattern3,
    center: Point,
    out: &mut Weighted,
) {
    for point in near::empties(view.board, center) {
        if let Some(pattern) = table.find(view.board.code(point), view.mover)
            && view.board.is_legal(view.mover, point)
        {
            out.push(point, table.weight(pattern));
        }
    }
}
