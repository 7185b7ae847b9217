//! Evaluation: one question about a position, one answer. The answer has samples (value, score, owners, the moves of a
//! playout) and, for a new node, the priors of its arms. A playout with a prior made by hand answers at once; a network may
//! answer later: meanwhile the visit is under way and the new node awaits its priors.
//!
//! In reading order: this file, question and answer · [`kit`] the parts that games bring themselves · [`rollout`] playouts ·
//! [`random`] the playout for games without one of their own · [`net`] networks · [`mix`] both · [`short`] playouts that a network ends · `known` leaves whose
//! result is told without a playout · [`decisive`] where the game can be won at once · `alpha_beta` a depth-first search for
//! results · [`solve`] where it proves one.

use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::{Action, Game, Outcome, Reward};
use crate::prior::Prior;
use crate::trace::Play;
use goban::Rng;
use net::service::NetService;
use recipe::Error;
use std::cell::Cell;
use std::sync::Arc;

mod alpha_beta;
pub mod kit;
mod known;
pub mod random;

pub use crate::prior::Stage;
pub use kit::{Bounds, Kit, PlayoutPlan, Rollout};

/// One evaluation's name between question and answer; unique for one evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket(pub u64);

/// Whether a query is answered already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvaluationStatus {
    /// The answer is complete.
    Ready,
    /// The answer comes later, under this ticket.
    Pending(Ticket),
}

/// A query about a position that has not ended.
#[derive(Debug, Clone, Copy)]
pub struct EvaluationQuery<'a, G> {
    /// Where the position lies. `cx.node` is its own node where priors are wanted, else the last node that was passed; the
    /// path leads from the root to the position.
    pub cx: Cx<'a>,
    /// The position.
    pub position: &'a G,
    /// The position at the root.
    pub origin: &'a G,
    /// The arms of `cx.node` whose priors are wanted; empty if none are.
    pub arms: &'a [Action],
    /// Which priors are wanted.
    pub stage: Stage,
    /// Whether samples are wanted.
    pub wants_samples: bool,
    /// Whether the owners of the points are wanted with the samples.
    pub wants_ownership: bool,
}

/// One result of an evaluation.
#[derive(Debug, Clone, Default)]
pub struct EvaluationSample {
    /// The moves that were played to find it, from the position on.
    pub tail: Vec<Play>,
    /// How it ended, as the first player sees it.
    pub outcome: Outcome,
    /// The number of visits it stands for, at least 1.
    pub weight: u32,
}

impl EvaluationSample {
    /// A sample of weight 1 that says nothing.
    fn reset(&mut self) {
        self.tail.clear();
        self.outcome.make_neutral();
        self.outcome.length = 0;
        self.outcome.ownership.clear();
        self.weight = 1;
    }
}

/// An answer: samples and priors, in buffers that are reused.
#[derive(Debug, Clone, Default)]
pub struct EvaluationAnswer {
    samples: Vec<EvaluationSample>,
    n_samples: usize,
    /// The probability that the first player wins, 0..=1, as a network gives it to the position; none if no network was asked.
    pub value: Option<f32>,
    /// Whether the samples tell the result of the position under best play, which is proven: a win, a loss or a draw.
    pub is_proven: bool,
    /// The priors of the arms that were asked for. Before the question is put they have the right length and are neutral:
    /// equal P(a), H of a draw without experience.
    pub priors: Priors,
}

impl EvaluationAnswer {
    /// Forgets all samples, the value and the proof.
    pub fn clear(&mut self) {
        self.n_samples = 0;
        self.value = None;
        self.is_proven = false;
    }

    /// A new sample of weight 1 that says nothing: a draw, no margin, no moves, no owners.
    pub fn push(&mut self) -> &mut EvaluationSample {
        if self.samples.len() == self.n_samples {
            self.samples.push(EvaluationSample::default());
        }
        self.n_samples += 1;
        let sample = &mut self.samples[self.n_samples - 1];
        sample.reset();
        sample
    }

    /// The samples.
    pub fn samples(&self) -> &[EvaluationSample] {
        &self.samples[..self.n_samples]
    }

    /// The samples, to be changed.
    pub fn samples_mut(&mut self) -> &mut [EvaluationSample] {
        &mut self.samples[..self.n_samples]
    }
}

/// Answers questions. Each thread has its own.
pub trait Evaluator<G: Game>: Send {
    /// Answers a question, or begins to.
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        out: &mut EvaluationAnswer,
    ) -> EvaluationStatus;

    /// Hands over one finished answer, if there is any. With `wait` it must finish one if any is pending.
    fn collect(&mut self, wait: bool, out: &mut EvaluationAnswer) -> Option<Ticket> {
        let _ = (wait, out);
        None
    }

    /// The number of answers that may be pending before the search waits for one; 0 if all come at once.
    fn capacity(&self) -> usize {
        0
    }
}

/// The evaluation of a whole search: built once from its recipe and shared by all its threads. It holds what they have in
/// common, such as a network with its queue and its cache.
pub trait Evaluation<G: Game>: Send + Sync {
    /// An evaluator for one more thread.
    ///
    /// # Errors
    /// When the game cannot use it.
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, Error>;

    /// Visits of a node at which its priors are asked for again, if there are better ones.
    fn refines_at(&self) -> Option<u32> {
        None
    }

    /// Whether samples tell the owners of points at the end of a game that has them, as playouts do; what a network thinks of them
    /// is for reports.
    fn tells_owners(&self) -> bool {
        true
    }

    /// Forgets what earlier questions have taught it: another game begins.
    fn forget(&self) {}

    /// Bytes of the search's memory that it keeps for itself, a network's answers excluded.
    fn bytes(&self) -> usize {
        0
    }

    /// Whether every answer with samples tells a network's value by itself, in [`EvaluationAnswer::value`].
    fn tells_value(&self) -> bool {
        false
    }
}

/// How the margin of a game decides a sample's reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarginUse {
    /// Not at all: wins are counted.
    None,
    /// By its size, so that a mean margin says something, too.
    Points,
    /// By its sign under a komi that changes, so that only ends of games say anything.
    Komi,
}

/// The parts from which an evaluation is built.
pub struct Parts<'a, G> {
    /// A position of the game.
    pub game: &'a G,
    /// The unit of values.
    pub reward: Reward,
    /// How the margin of a game decides a sample's reward.
    pub margins: MarginUse,
    /// Bytes that the whole search may take.
    pub memory: usize,
    /// Knows something of arms before they are tried.
    pub prior: Arc<dyn Prior<G>>,
    net: Option<Arc<NetService>>,
    is_net_asked: Cell<bool>,
}

impl<'a, G> Parts<'a, G> {
    /// The parts, with the recipe's network if it names one.
    pub fn new(
        game: &'a G,
        reward: Reward,
        margins: MarginUse,
        memory: usize,
        prior: Arc<dyn Prior<G>>,
        net: Option<Arc<NetService>>,
    ) -> Parts<'a, G> {
        Parts { game, reward, margins, memory, prior, net, is_net_asked: Cell::new(false) }
    }

    /// The recipe's network, which the piece `who` asks. A network that no piece has taken so is refused.
    ///
    /// # Errors
    /// When there is none.
    pub fn need_net(&self, who: &str) -> Result<Arc<NetService>, Error> {
        self.is_net_asked.set(true);
        let why = "it asks a network; name one, such as net=linear";
        self.net.clone().ok_or_else(|| Error::unsuitable(who, why))
    }

    /// Refuses a reward that margins decide, where the values of the piece `who` come from a network that tells none.
    ///
    /// # Errors
    /// Says so.
    pub fn need_plain_wins(&self, who: &str) -> Result<(), Error> {
        let tells_leads = self.net.as_ref().is_some_and(|net| net.tells_scores());
        match self.margins {
            MarginUse::None => Ok(()),
            MarginUse::Points if tells_leads => Ok(()),
            MarginUse::Points | MarginUse::Komi => {
                let why = "a network's value has no margin, and this reward counts points; choose reward=win";
                Err(Error::unsuitable(who, why))
            }
        }
    }

    /// Whether a piece has taken the network.
    pub(crate) fn is_net_asked(&self) -> bool {
        self.is_net_asked.get()
    }
}

recipe::variants! {
    /// How the end of a path is evaluated.
    pub static FAMILY = "leaf";
    pub fn build<G: Kit>(choice, parts: &Parts<'_, G>, blueprint: &mut Blueprint<'_>) -> Box<dyn Evaluation<G>>;
    rollout, net, mix, short, decisive, solve
}
