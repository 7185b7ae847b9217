//! Chains of two to four liberties around the last move.

use goban::tactics::{Candidates, semeai, two_liberty};
use goban::{Keep, PointSet, SizeClass};

use super::View;

/// Proposes attacks on the chain of the last move and defences of the own chains that it touches, as far as these have
/// exactly two liberties.
#[inline]
pub fn two_liberties<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    let Some(last) = view.last else { return };
    if view.board.liberties(last).len() == 2 {
        two_liberty::attack(view.board, last, out);
    }
    for head in view.board.chains_beside(last, view.mover) {
        if view.board.liberties(head).len() == 2 {
            two_liberty::defend(view.board, head, out);
        }
    }
}

/// Proposes captures and ataris around the own chains of three or four liberties that the last move touches.
#[inline]
pub fn race<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    let Some(last) = view.last else { return };
    for head in view.board.chains_beside(last, view.mover) {
        semeai::counter(view.board, head, out);
    }
}
