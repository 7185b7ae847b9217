//! Priors that know Go: their knowledge stands in the crate `model`, and here it is put into the search's terms.

use super::GoGame;
use crate::blueprint::Blueprint;
use crate::game::Action;
use crate::prior::{FillP, Prior, Probability, flat_p};
use goban::{Move, SizeClass, Vertex};
use model::tactics::Tactics;

recipe::variants! {
    /// Priors of Go: knowledge about a move before it is tried.
    pub static FAMILY = "prior";
    pub fn build<C: SizeClass>(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Prior<GoGame<C>>>;
    gammas, tactics, bt, handcrafted, knowledge, shapes
}

/// The static probabilities of a name.
pub(super) fn probability<C: SizeClass>(p: Probability) -> Option<FillP<GoGame<C>>> {
    match p {
        Probability::None => None,
        Probability::Flat => Some(|_, _, out| flat_p::fill(out)),
        Probability::Gammas => {
            Some(|game, actions, out| gammas::fill(&Default::default(), game, actions, out))
        }
        Probability::Tactics => Some(|game, actions, out| {
            with_moves::<C, _>(actions, |moves| {
                Tactics::of(game.board.size()).fill(&game.view(), moves, out);
            });
        }),
    }
}

/// The most moves of a position: 25×25 points and a pass.
const MAX_MOVES: usize = 626;

/// Calls `f` with the moves of some actions.
#[inline]
fn with_moves<C: SizeClass, T>(actions: &[Action], f: impl FnOnce(&[Move]) -> T) -> T {
    let mut moves = [Move::PASS; MAX_MOVES];
    let n_moves = actions.len().min(MAX_MOVES);
    for (mv, &action) in moves.iter_mut().zip(actions) {
        *mv = GoGame::<C>::to_move(action);
    }
    f(&moves[..n_moves])
}

/// The vertices of some actions.
fn vertices<C: SizeClass>(actions: &[Action]) -> impl Iterator<Item = Vertex> {
    actions.iter().map(|&action| GoGame::<C>::vertex(action))
}
