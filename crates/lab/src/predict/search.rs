//! The share of a search's simulations that each move got. A search of its own for each position, the pass barred; each
//! legal move counts one visit more than it had, so that no move is impossible.

use goban::{Position, Vertex};
use mcts::go_search::GoSearch;
use mcts::{Limits, Settings};
use recipe::Recipe;

use super::{Predictor, add_weight, search_at};
use crate::error::Result;

/// A recipe and its simulations for each position.
pub(super) struct SearchPredictor {
    recipe: Recipe,
    playouts: u64,
    seed: u64,
    search: Option<Box<dyn GoSearch>>,
}

impl SearchPredictor {
    pub(super) fn new(recipe: Recipe, playouts: u64) -> Self {
        Self { recipe, playouts, seed: 1, search: None }
    }
}

impl Predictor for SearchPredictor {
    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        // What is random goes on from position to position, so a new game needs a new search.
        self.search = None;
    }

    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()> {
        let color = position.to_play();
        let settings = Settings { seed: self.seed, ..Settings::default() };
        let search = search_at(&mut self.search, position, &self.recipe, &settings)?;
        search.restrict_root(&mut |vertex| !vertex.is_pass() && position.is_legal(color, vertex));
        let report = search.run(&Limits::simulations(self.playouts));
        out.fill(1.0);
        for arm in &report.arms {
            add_weight(moves, out, search.vertex(arm.action), f64::from(arm.visits));
        }
        Ok(())
    }
}
