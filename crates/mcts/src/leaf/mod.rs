//! Leaves: how the position at the end of a path is evaluated. An evaluation is cut in two, [`Leaf::gather`] and
//! [`Leaf::apply`], so that a network can answer many questions at once; meanwhile the visits that wait are counted in
//! the tree without a reward, as losses.
//!
//! In reading order: this file · [`rollout`] playouts · [`random`] the playout for games without one of their own.

use crate::cx::Cx;
use crate::game::{Game, Outcome};
use crate::trace::Play;
use goban::Rng;

pub mod random;

/// One evaluation's name between its two halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket(pub u64);

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gathered {
    /// The evaluation is complete.
    Ready,
    /// The answer comes later, under this ticket.
    Pending(Ticket),
}

/// One result of an evaluation.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// The moves that were played to find it, from the leaf on.
    pub tail: Vec<Play>,
    /// How it ended, as the first player sees it.
    pub outcome: Outcome,
    /// How many visits it stands for, at least 1.
    pub weight: u32,
}

/// What an evaluation found: one or more samples, in buffers that are reused.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    samples: Vec<Sample>,
    n_samples: usize,
    /// Whether ownership is wanted with the outcomes.
    pub wants_ownership: bool,
}

impl Evaluation {
    /// Forgets all samples.
    pub fn clear(&mut self) {
        self.n_samples = 0;
    }

    /// A new sample of weight 1, with an empty tail and an empty ownership.
    pub fn push(&mut self) -> &mut Sample {
        if self.samples.len() == self.n_samples {
            self.samples.push(Sample::default());
        }
        self.n_samples += 1;
        let sample = &mut self.samples[self.n_samples - 1];
        sample.tail.clear();
        sample.outcome.ownership.clear();
        sample.outcome.length = 0;
        sample.weight = 1;
        sample
    }

    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.samples[..self.n_samples]
    }

    pub(crate) fn samples_mut(&mut self) -> &mut [Sample] {
        &mut self.samples[..self.n_samples]
    }
}

/// Evaluates leaves. Each thread has its own.
pub trait Leaf<G: Game>: Send {
    /// Evaluates `position`, which has not ended, or starts to. `cx.node` is the last node of the path, and the path's
    /// own moves lead from there to the position.
    fn gather(&mut self, cx: &Cx<'_, G>, position: &G, rng: &mut Rng, out: &mut Evaluation) -> Gathered;

    /// Hands over one finished evaluation, if there is any. With `wait` it must finish one if any is pending.
    fn apply(&mut self, wait: bool, out: &mut Evaluation) -> Option<Ticket> {
        let _ = (wait, out);
        None
    }

    /// How many evaluations may be pending before the search waits for one.
    fn capacity(&self) -> usize {
        0
    }
}

/// Plays a position to its end. Boxed, once per playout; what it does inside is static.
pub trait Rollout<G: Game>: Send {
    /// The playouts from a leaf begin; what the tree knows may steer them.
    fn start(&mut self, cx: &Cx<'_, G>) {
        let _ = cx;
    }

    /// Plays from `position`, appends the moves to `out.tail` and writes `out.outcome`, with ownership if it is wanted
    /// and the game has points.
    fn run(&mut self, position: &G, rng: &mut Rng, wants_ownership: bool, out: &mut Sample);
}

recipe::variants! {
    /// How the position at the end of a path is evaluated.
    pub static FAMILY = "leaf";
    pub fn build<G: Game>(choice, game: &G) -> Box<dyn Leaf<G>>;
    rollout
}
