//! Leaves whose result is known without a playout: what `decisive` and `solve` have in common. The priors of a new node are asked for all
//! the same, and where they come later, as a network's do, the result waits for them.

use super::{EvaluationAnswer, EvaluationQuery, EvaluationStatus, Evaluator, Ticket};
use crate::game::Game;
use goban::Rng;

/// Tells the results of some positions. Each thread has its own.
pub(super) trait ResultFinder<G>: Send {
    /// The result of a position, with what its sample needs.
    type Found: Send;

    /// The result, if it can be told.
    fn find(&mut self, position: &G) -> Option<Self::Found>;

    /// Writes it as the only sample of an answer.
    fn write(found: Self::Found, out: &mut EvaluationAnswer);
}

/// One thread's evaluator: results where the finder tells them, playouts elsewhere.
pub(super) struct KnownOrPlayed<G, F: ResultFinder<G>> {
    finder: F,
    playouts: Box<dyn Evaluator<G>>,
    /// Results whose priors are still to come.
    pending: Vec<(Ticket, F::Found)>,
}

impl<G, F: ResultFinder<G>> KnownOrPlayed<G, F> {
    /// The evaluator of a finder, around that of the playouts.
    pub(super) fn new(finder: F, playouts: Box<dyn Evaluator<G>>) -> Self {
        Self { finder, playouts, pending: Vec::new() }
    }
}

impl<G: Game, F: ResultFinder<G>> Evaluator<G> for KnownOrPlayed<G, F> {
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        out: &mut EvaluationAnswer,
    ) -> EvaluationStatus {
        let found = if question.wants_samples { self.finder.find(question.position) } else { None };
        let Some(found) = found else { return self.playouts.ask(question, rng, out) };
        let status = self.playouts.ask(&EvaluationQuery { wants_samples: false, ..*question }, rng, out);
        match status {
            EvaluationStatus::Ready => F::write(found, out),
            EvaluationStatus::Pending(ticket) => self.pending.push((ticket, found)),
        }
        status
    }

    fn collect(&mut self, wait: bool, out: &mut EvaluationAnswer) -> Option<Ticket> {
        let ticket = self.playouts.collect(wait, out)?;
        if let Some(idx) = self.pending.iter().position(|(pending, _)| *pending == ticket) {
            F::write(self.pending.swap_remove(idx).1, out);
        }
        Some(ticket)
    }

    fn capacity(&self) -> usize {
        self.playouts.capacity()
    }
}
