//! Eyes: keeping one that the last move threatens, and the vital point of an eye space beside it.

use goban::tactics::{Candidates, eye, nakade};
use goban::{Keep, SizeClass};

use super::View;

/// Proposes moves that keep an eye from becoming false.
#[inline(always)]
pub fn repair<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    // The eye and the stone that threatens it have two neighbours in common, and these are own stones.
    if let Some(last) = view.last
        && view.board.code(last).corners_of(view.mover) != 0
    {
        eye::repairs(view.board, view.mover, last, out);
    }
}

/// Proposes the vital points of small eye spaces beside the last move, whoever's they are.
#[inline(always)]
pub fn vital<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    if let Some(last) = view.last {
        nakade::vital_points_of(view.board, view.mover, (last, !view.mover), out);
    }
}
