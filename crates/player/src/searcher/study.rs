//! Our search as a study: it goes on step by step and says what it thinks.

use std::borrow::BorrowMut;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use goban::{Color, Position};
use mcts::{Limits, Report, Settings};
use recipe::Recipe;

use super::position::PositionSearch;
use crate::player::PlayerError;
use crate::study::{Study, StudyQuestion, StudyStep};
use crate::survey::{Survey, Wants};

/// A search of one position, a player's or its own.
pub(super) struct Opened<M> {
    search: M,
    wants: Wants,
    total: Option<Report>,
}

impl<M: BorrowMut<PositionSearch> + Send> Opened<M> {
    /// Prepares the search. `name` is how an error calls the player.
    pub(super) fn new(mut search: M, question: &StudyQuestion, name: &str) -> Result<Self, PlayerError> {
        if !search.borrow_mut().ask(question) {
            let why = "no legal move is left to look at; expected fewer moves to avoid".to_string();
            return Err(PlayerError::Unable { name: name.to_string(), why });
        }
        Ok(Self { search, wants: question.wants, total: None })
    }
}

impl<M: BorrowMut<PositionSearch> + Send> Study for Opened<M> {
    fn step(&mut self, step: &StudyStep) -> Survey {
        let search = self.search.borrow_mut();
        let n_run = self.total.as_ref().map_or(0, |total| total.simulations);
        let limits = Limits {
            simulations: step.simulations.saturating_sub(n_run),
            deadline: Some(step.until),
            stop: Some(Arc::clone(&step.stop)),
        };
        let report = search.run(&limits);
        let is_idle = report.simulations == 0 && !step.stop.load(Ordering::Relaxed);
        let report = match self.total.take() {
            Some(before) => report.after(&before),
            None => report,
        };
        let is_done = is_idle || report.is_settled || report.simulations >= step.simulations;
        // A pick that draws at random draws once, when the search is over.
        let choice = if is_done { search.pick(&report) } else { None };
        let survey = search.survey(&report, choice, self.wants);
        self.total = Some(report);
        Survey { is_done, ..survey }
    }
}

/// A study of a position with a search of its own.
///
/// # Errors
/// When the recipe does not fit the board, or no move is left to look at.
pub fn open(
    recipe: &Recipe,
    settings: &Settings,
    position: &Position,
    color: Color,
    question: &StudyQuestion,
) -> Result<Box<dyn Study>, PlayerError> {
    let unable =
        |error: recipe::Error| PlayerError::Unable { name: "the search".to_string(), why: error.to_string() };
    let search = PositionSearch::new(recipe, settings, position, color).map_err(unable)?;
    Ok(Box::new(Opened::new(search, question, "the search")?))
}
