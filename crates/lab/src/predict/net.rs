//! A network's policy, without a search.

use goban::{Position, Symmetry, Vertex};
use player::nets::{NetFile, raw};

use super::{Predictor, add_weight};
use crate::error::{Error, Result};

/// The policy of a network, which sees positions as they stand.
pub(super) struct NetPredictor {
    name: String,
    net: Option<NetFile>,
}

impl NetPredictor {
    pub(super) fn new(name: String, net: Option<NetFile>) -> Self {
        Self { name, net }
    }
}

impl Predictor for NetPredictor {
    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()> {
        let Some(file) = &self.net else {
            return Err(Error::input(format!("net:{}: it was not loaded", self.name)));
        };
        let evaluation = raw::evaluate(&file.net, position, Symmetry::IDENTITY).map_err(Error::input)?;
        // Points in rows from the top; the pass behind them is not predicted.
        for (vertex, p) in position.size().vertices().zip(evaluation.policy) {
            add_weight(moves, out, vertex, f64::from(p));
        }
        Ok(())
    }
}
