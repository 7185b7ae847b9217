//! P(a) of a search's prior: what it knows of the moves before the first simulation.

use goban::{Position, Vertex};
use mcts::Settings;
use mcts::go_search::GoSearch;
use recipe::Recipe;

use super::{Predictor, add_weight, search_at};
use crate::error::Result;

/// The tree never grows beyond its root.
const MEMORY: usize = 16 << 20;

/// Reads P(a), without which a prior's probabilities would be refused as idle.
pub(super) const SELECTOR: &str = "puct";

/// A prior with the search that asks it.
pub(super) struct PriorPredictor {
    recipe: Recipe,
    search: Option<Box<dyn GoSearch>>,
}

impl PriorPredictor {
    pub(super) fn new(recipe: Recipe) -> Self {
        Self { recipe, search: None }
    }
}

fn settings() -> Settings {
    Settings { memory: MEMORY, ..Settings::default() }
}

impl Predictor for PriorPredictor {
    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()> {
        let search = search_at(&mut self.search, position, &self.recipe, &settings())?;
        for arm in search.report().arms {
            add_weight(moves, out, search.vertex(arm.action), arm.p.map_or(0.0, f64::from));
        }
        Ok(())
    }
}
