//! Chains of one liberty: saving one's own, taking the other's.

use goban::tactics::{Candidates, atari};
use goban::{Keep, PointSet, SizeClass};

use super::View;

/// Proposes the moves that save own chains which the last move put in atari: by taking an enemy chain that touches
/// them, or by extending to two liberties or more. [Gelly, Wang, Munos & Teytaud 2006]
#[inline]
pub fn save<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    let Some(last) = view.last else { return };
    for head in view.board.chains_beside(last, view.mover) {
        if view.board.liberties(head).len() == 1 {
            atari::saves(view.board, head, out);
        }
    }
}

/// Proposes all moves that take something, anywhere on the board.
#[inline]
pub fn capture<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    atari::captures(view.board, view.mover, out);
}
