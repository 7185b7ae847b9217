//! Move prediction: how well something that gives P(move) foresees the moves of recorded games.
//!
//! In reading order: this file (the trait and its smallest member), [`spec`] (predictors as text), `prior`, `model`, `policy`, `net`,
//! `search` (the others), [`score`] (what one prediction is worth), [`mean`] (means over positions that come in games), [`run`] (all
//! positions of all games), [`page`] (what people read).
//!
//! What is measured, and how:
//! - Every move of a game is a position to predict, but passes are not: they say more about how a server ends its games
//!   than about Go. They are counted and left out.
//! - The candidates are the legal moves without the pass. What a predictor gives to a pass, or to anything else, is
//!   taken away and the rest scaled up to 1.
//! - Ties are broken fairly: if g moves are rated higher than the played one and e as high (itself included), the played
//!   one is among the first k with probability (k − g) / e, between 0 and 1. So the uniform predictor is right with
//!   k of L legal moves in k/L of the cases, whatever the order of the moves in memory.
//! - The log loss is −ln P(played move), in nats. So that a move which was held impossible does not cost infinitely much, a
//!   small share of the uniform distribution is mixed into every prediction; the uniform predictor stays as it is and
//!   its loss is the mean of ln L.
//! - The time is that of the predictor alone, by the clock, without finding the legal moves.
//! - Positions of one game are alike, so standard errors count games, not positions.

pub mod mean;
mod model;
mod net;
pub mod page;
mod policy;
mod prior;
pub mod run;
pub mod score;
mod search;
pub mod spec;

pub use run::{PredictSettings, Prediction, Summary, evaluate};
pub use spec::Spec;

use goban::{Position, Vertex};
use mcts::go_search::{self, GoSearch};
use player::searcher::situation;
use recipe::Recipe;

use crate::error::Result;

/// Anything that rates the moves of a position.
pub trait Predictor {
    /// A game begins; everything random in it follows from the seed.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Rates `moves`, which are the legal moves of the player to move in `position`, row by row and without the pass: a
    /// weight of at least 0 for each, into `out`, which is as long and holds zeros. Only their ratios matter. If all are 0
    /// the predictor has nothing to say, which is taken as the same for all.
    ///
    /// # Errors
    /// When it cannot rate positions of this kind.
    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()>;
}

/// Every legal move is as likely as the next.
pub struct Uniform;

impl Predictor for Uniform {
    fn predict(&mut self, _: &Position, _: &[Vertex], out: &mut [f64]) -> Result<()> {
        out.fill(1.0);
        Ok(())
    }
}

/// Puts a weight at a move's place, if it is one of `moves`, which stand row by row.
fn add_weight(moves: &[Vertex], out: &mut [f64], vertex: Vertex, weight: f64) {
    if vertex.is_pass() {
        return;
    }
    let key = |vertex: &Vertex| (vertex.row(), vertex.col());
    if let Ok(idx) = moves.binary_search_by_key(&key(&vertex), key) {
        out[idx] += weight;
    }
}

/// The search of a recipe with `position` at its root and nothing else in its tree; built anew only if it must be.
fn search_at<'a>(
    search: &'a mut Option<Box<dyn GoSearch>>,
    position: &Position,
    recipe: &Recipe,
    settings: &mcts::Settings,
) -> Result<&'a mut dyn GoSearch> {
    let here = situation(position, position.to_play());
    if search.as_mut().is_some_and(|search| !search.set_situation(&here)) {
        *search = None;
    }
    match search {
        Some(search) => Ok(search.as_mut()),
        empty => Ok(empty.insert(go_search::build(recipe, &here, settings)?).as_mut()),
    }
}

#[cfg(test)]
mod tests;
