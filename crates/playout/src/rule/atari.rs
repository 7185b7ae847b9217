//! Chains of one liberty: saving one's own, taking the other's.

use goban::tactics::{Candidates, atari, ladder};
use goban::{EyeRule, Keep, Point, SizeClass};

use super::View;

/// Proposes the moves that save own chains which the last move put in atari: by taking an enemy chain that touches
/// them, or by extending to two liberties or more. [Gelly, Wang, Munos & Teytaud 2006]
#[inline]
pub fn save<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    for head in view.own(1, 1) {
        atari::saves(view.board, head, out);
    }
}

/// Proposes all moves that take something, anywhere on the board.
#[inline]
pub fn capture<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    atari::captures(view.board, view.mover, out);
}

/// The moves and stones that [`local`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalAtari {
    /// How many of the moves, the first ones of the list, save own stones by taking others.
    pub n_counter: usize,
    /// Stones of the largest own chain in atari; 0 if none is.
    pub n_endangered: usize,
}

/// Proposes what chains in atari around the last move ask for: own ones are saved, by taking a chain that touches them or
/// by extending to two liberties, and the chain of the last move is taken, unless it is a single stone that comes back
/// with interest. A single stone in a ko is not extended, and nothing runs along the edge into a ladder.
#[inline(always)]
pub fn local<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) -> LocalAtari {
    // Mostly nothing is in atari.
    if view.last_with(1).is_some() || view.has_own(1, 1) {
        in_atari(view, out)
    } else {
        LocalAtari::default()
    }
}

fn in_atari<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) -> LocalAtari {
    let mut found = LocalAtari::default();
    let board = view.board;
    let own = view.own(1, 1);
    let may_take = !own.is_empty() && board.may_have_atari(!view.mover);
    for head in own {
        found.n_endangered = found.n_endangered.max(board.chain_len(head));
        if may_take {
            atari::counter_captures(board, head, out);
        }
    }
    if may_take {
        out.retain(|point| !atari::is_snapped_back(board, view.mover, point));
        found.n_counter = out.len();
    }
    for head in own {
        if let Some(point) = extension(view, head, found.n_counter > 0) {
            out.push(point);
        }
    }
    if let Some(last) = view.last_with(1)
        && let Some(point) = atari::taking_point(board, last)
        && !atari::is_snapped_back(board, view.mover, point)
    {
        out.push(point);
    }
    found
}

/// Where the own chain at `head`, in atari, can sensibly be extended.
#[inline]
fn extension<C: SizeClass, K: Keep>(view: &View<'_, C, K>, head: Point, has_counter: bool) -> Option<Point> {
    let extension = atari::extension(view.board, head)?;
    let is_sensible = extension.n_liberties >= 2
        && !(view.board.chain_len(head) == 1 && is_ko_shape(view, extension.point))
        && (has_counter || extension.n_liberties > 2 || !ladder::is_edge_ladder(view.board, head));
    is_sensible.then_some(extension.point)
}

/// True if the last liberty of a single own stone is otherwise surrounded by own stones and the edge, and no eye even
/// then: what could be taken there is a ko, and filling it is not urgent.
#[inline]
fn is_ko_shape<C: SizeClass, K: Keep>(view: &View<'_, C, K>, liberty: Point) -> bool {
    let code = view.board.code(liberty);
    code.is_surrounded_by(view.mover) && !code.is_eye(view.mover, EyeRule::Standard)
}
