//! Chains of two to four liberties around the last move.

use goban::tactics::{Candidates, semeai, two_liberty};
use goban::{Keep, SizeClass};

use super::View;

/// Proposes attacks on the chain of the last move and defences of the own chains that it touches, as far as these have
/// exactly two liberties.
#[inline]
pub fn two_liberties<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    let Some(last) = view.last else { return };
    if view.contact.n_last == 2 {
        two_liberty::attack(view.board, last, out);
    }
    for head in view.contact.own(2, 2) {
        two_liberty::defend(view.board, head, out);
    }
}

/// Proposes captures and ataris around the own chains of three or four liberties that the last move touches.
#[inline]
pub fn race<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    for head in view.contact.own(3, 4) {
        semeai::counter(view.board, head, out);
    }
}
