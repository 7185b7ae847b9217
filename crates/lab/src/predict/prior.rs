//! P(a) of a search's prior: what it knows of the moves before the first simulation.

use goban::{AnyBoard, Color, Position, Size, Vertex};
use mcts::Settings;
use mcts::go_search::{self, GoSearch, Situation};
use recipe::Recipe;

use super::{Predictor, add_weight, search_at};
use crate::error::{Error, Result};

/// The tree never grows beyond its root.
const MEMORY: usize = 16 << 20;

/// Reads P(a), without which a prior's probabilities would be refused as idle.
pub(super) const SELECTOR: &str = "puct";

/// A prior with the search that asks it.
pub(super) struct Prior {
    recipe: Recipe,
    search: Option<Box<dyn GoSearch>>,
}

impl Prior {
    pub(super) fn new(recipe: Recipe) -> Self {
        Self { recipe, search: None }
    }

    /// Refuses a prior that knows no probabilities; `name` is what it was called.
    pub(super) fn check(recipe: &Recipe, name: &str) -> Result<()> {
        let board = AnyBoard::new(Size::square(5).map_err(Error::other)?);
        let empty = Situation {
            board: &board,
            to_play: Color::Black,
            komi: 0.0,
            n_passes: 0,
            recent: [None; 5],
            before: None,
        };
        match go_search::build(recipe, &empty, &settings()) {
            Ok(_) => Ok(()),
            // The selector reads P(a), and refuses a recipe that has none.
            Err(recipe::Error::Unsuitable { what, .. }) if what == SELECTOR => Err(Error::input(format!(
                "the prior \"{name}\" gives no probability of moves; expected one that does, such as flat-p, gammas or \
                 even:p=gammas"
            ))),
            Err(other) => Err(other.into()),
        }
    }
}

fn settings() -> Settings {
    Settings { memory: MEMORY, ..Settings::default() }
}

impl Predictor for Prior {
    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()> {
        let search = search_at(&mut self.search, position, &self.recipe, &settings())?;
        for arm in search.report().arms {
            add_weight(moves, out, search.vertex(arm.action), arm.p.map_or(0.0, f64::from));
        }
        Ok(())
    }
}
