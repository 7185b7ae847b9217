//! P(a) of a model asked directly, without a search around it: one from a file, or the factors of the prior `tactics`.

use std::path::Path;
use std::sync::Arc;

use goban::{Position, Vertex, with_board};
use model::PositionView;
use model::ranking::{RankingModel, Teams};
use model::tactics::Tactics;

use super::{Predictor, add_weight};
use crate::error::{Error, Result};

/// A model that can be asked any number of times.
#[derive(Clone, Debug)]
pub(super) enum AnyModel {
    /// The built-in one of the board's size.
    Tactics,
    /// One from a file.
    Ranking(Arc<RankingModel>),
}

impl AnyModel {
    /// `tactics`, or the file of a model.
    pub(super) fn read(text: &str) -> Result<AnyModel> {
        if text == "tactics" {
            return Ok(AnyModel::Tactics);
        }
        let bytes = std::fs::read(Path::new(text)).map_err(|error| {
            Error::input(format!("{text}: {error}; expected the file of a ranking model, or tactics"))
        })?;
        let model = RankingModel::from_bytes(&bytes).map_err(|why| Error::input(format!("{text}: {why}")))?;
        Ok(AnyModel::Ranking(Arc::new(model)))
    }

    /// Where it comes from.
    pub(super) fn canonical(&self) -> String {
        match self {
            AnyModel::Tactics => "model:tactics".to_string(),
            AnyModel::Ranking(model) => {
                let notes = &model.notes;
                format!("model: {}, {}; {}", notes.trainer, notes.data, notes.score)
            }
        }
    }
}

/// A model with what it uses again.
pub(super) struct ModelPredictor {
    model: AnyModel,
    teams: Teams,
    p: Vec<f32>,
}

impl ModelPredictor {
    pub(super) fn new(model: AnyModel) -> Self {
        Self { model, teams: Teams::default(), p: Vec::new() }
    }
}

impl Predictor for ModelPredictor {
    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()> {
        with_board!(position.board(), |board| {
            let view = PositionView::of_position(board, position);
            let mut candidates = Vec::with_capacity(moves.len() + 1);
            view.moves(&mut candidates);
            self.p.clear();
            self.p.resize(candidates.len(), 0.0);
            match &self.model {
                AnyModel::Tactics => Tactics::of(board.size()).fill(&view, &candidates, &mut self.p),
                AnyModel::Ranking(model) => model.fill(&view, &candidates, &mut self.teams, &mut self.p),
            }
            for (&mv, &p) in candidates.iter().zip(&self.p) {
                add_weight(moves, out, board.vertex(mv), f64::from(p));
            }
        });
        Ok(())
    }
}
