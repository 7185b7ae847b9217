//! Chains of two to four liberties around the last move.

use goban::tactics::{Candidates, semeai, two_liberty};
use goban::{Keep, SizeClass};

use super::View;

/// Proposes attacks on the chain of the last move and defences of the own chains that it touches, as far as these have
/// exactly two liberties.
#[inline(always)]
pub fn two_liberties<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    if let Some(last) = view.last_with(2) {
        two_liberty::attack(view.board, last, out);
    }
    if view.has_own(2, 2) {
        defend(view, out);
    }
}

fn defend<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    for head in view.own(2, 2) {
        two_liberty::defend(view.board, head, out);
    }
}

/// Proposes captures and ataris around the own chains of three or four liberties that the last move touches.
#[inline(always)]
pub fn race<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    if view.has_own(3, 4) {
        counter(view, out);
    }
}

fn counter<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    for head in view.own(3, 4) {
        semeai::counter(view.board, head, out);
    }
}
