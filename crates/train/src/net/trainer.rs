//! The trainer: a network, its settings, and steps from batches of rows.

use super::batch::{self, BadRow};
use super::loss::{LossRule, LossSums, StepLosses};
use super::optimise::{self, WeightState};
use super::plan::{Plan, Untrainable};
use super::row::Row;
use super::settings::{LossWeights, TrainSettings};
use super::tensors;
use super::workers::{PieceResult, Workers};
use goban::Rng;
use model::net::cpu::simd::Isa;
use model::net::graph::Graph;
use std::ops::Range;

/// A network that learns.
///
/// Its weights after some steps depend on the network, the settings and the rows given, and on nothing else: not on the number of
/// threads, nor on whether it was written to a checkpoint and read again. Another instruction set may round the last bits differently.
pub struct Trainer {
    /// Layers and names; its weights are those of the beginning.
    pub(super) graph: Graph,
    settings: TrainSettings,
    pub(super) state: WeightState,
    pub(super) n_steps: u64,
    decaying: Vec<Range<usize>>,
    workers: Workers,
    results: Vec<PieceResult>,
    /// Anything of the caller's that checkpoints are to keep, such as where it stands among its rows.
    pub note: Vec<u8>,
}

/// Why a step was not made; the weights are those before it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A row cannot be learned from.
    #[error(transparent)]
    BadRow(#[from] BadRow),
    /// There is no row.
    #[error("a step without rows")]
    NoRows,
    /// Loss or gradient are no longer numbers: the learning rate is too high, or a target is absurd.
    #[error("after {n_steps} steps the gradient is {gradient_norm}, the loss {total}")]
    Diverged {
        /// The steps made.
        n_steps: u64,
        /// The length of the gradient.
        gradient_norm: f64,
        /// The loss.
        total: f64,
    },
}

/// Why losses could not be measured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeasureError {
    /// A row cannot be evaluated.
    #[error(transparent)]
    BadRow(#[from] BadRow),
    /// The network has layers that are not known here.
    #[error(transparent)]
    Untrainable(#[from] Untrainable),
}

/// Whether a network can be trained.
///
/// # Errors
/// When it has layers that cannot be trained: which.
pub fn check_trainable(graph: &Graph) -> Result<(), Untrainable> {
    Plan::new(graph).map(|_| ())
}

impl Trainer {
    /// A trainer of a network, new or not, before its first step.
    ///
    /// # Errors
    /// When the network has layers that cannot be trained.
    pub fn new(graph: Graph, settings: TrainSettings) -> Result<Trainer, Untrainable> {
        Trainer::with_isa(graph, settings, Isa::best())
    }

    /// A trainer that uses an instruction set.
    ///
    /// # Errors
    /// When the network has layers that cannot be trained.
    pub fn with_isa(graph: Graph, settings: TrainSettings, isa: Isa) -> Result<Trainer, Untrainable> {
        let plan = Plan::new(&graph)?;
        let state = WeightState::new(tensors::flatten(&graph));
        let decaying = tensors::decaying(&graph);
        let workers = Workers::new(plan, isa, settings.threads);
        let (n_steps, results, note) = (0, Vec::new(), Vec::new());
        Ok(Trainer { graph, settings, state, n_steps, decaying, workers, results, note })
    }

    /// The settings.
    pub fn settings(&self) -> &TrainSettings {
        &self.settings
    }

    /// The steps made so far.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// The network as it should play: with the averaged weights, if the settings want an average.
    pub fn graph(&self) -> Graph {
        tensors::with_weights(&self.graph, &self.state.averages)
    }

    /// The network with the weights of the last step.
    pub fn last_graph(&self) -> Graph {
        tensors::with_weights(&self.graph, &self.state.weights)
    }

    /// Makes a step from a batch of rows, whose boards may have different sizes.
    ///
    /// The loss of a batch is the sum of its rows' losses, each times the row's weight, divided by the number of rows.
    ///
    /// # Errors
    /// When there are no rows, one of them is bad, or the network has diverged. No step is made then.
    pub fn step(&mut self, rows: &[&Row]) -> Result<StepLosses, StepError> {
        if rows.is_empty() {
            return Err(StepError::NoRows);
        }
        batch::check(rows)?;
        let (mut losses, mut gradients) = self.losses_and_gradients(rows);
        let norm = optimise::length(&gradients);
        if !norm.is_finite() || !losses.total.is_finite() {
            let (n_steps, total) = (self.n_steps, losses.total);
            return Err(StepError::Diverged { n_steps, gradient_norm: norm, total });
        }
        if norm > f64::from(self.settings.clip) {
            let factor = (f64::from(self.settings.clip) / norm) as f32;
            gradients.iter_mut().for_each(|gradient| *gradient *= factor);
        }
        self.state.step(&self.settings, self.n_steps, &self.decaying, &mut gradients);
        losses.gradient_norm = norm;
        losses.learning_rate = self.settings.learning_rate.at(self.n_steps);
        self.n_steps += 1;
        // The memory is used again.
        self.results[0].gradients = gradients;
        Ok(losses)
    }

    /// The losses of rows as they are turned in this step, and the gradients of all weights.
    pub(super) fn losses_and_gradients(&mut self, rows: &[&Row]) -> (StepLosses, Vec<f32>) {
        // Each step has a stream of its own, so that a trainer that resumes needs to remember none.
        let mut rng = Rng::new(Rng::new(self.settings.seed).next_u64().wrapping_add(self.n_steps));
        let turned = batch::turn(rows, &self.settings.symmetries, &mut rng);
        let pieces = batch::cut(turned);
        self.workers.pack(&self.state.weights, &pieces);
        let rule = LossRule {
            weights: self.settings.loss_weights,
            multipliers: self.graph.multipliers,
            share: 1.0 / rows.len() as f32,
        };
        self.workers.run(&pieces, &rule, true, &mut self.results);
        let mut gradients = std::mem::take(&mut self.results[0].gradients);
        let mut sums = self.results[0].losses;
        for result in &self.results[1..] {
            sums.merge(&result.losses);
            gradients.iter_mut().zip(&result.gradients).for_each(|(sum, more)| *sum += more);
        }
        (sums.losses(&self.settings.loss_weights), gradients)
    }
}

/// The losses of a network on rows that it does not learn from, as they stand, and weighted by `weights` in their total.
///
/// # Errors
/// When a row is bad, or the network has layers that are not known here.
pub fn measure(
    graph: &Graph,
    rows: &[&Row],
    weights: &LossWeights,
    threads: usize,
) -> Result<StepLosses, MeasureError> {
    batch::check(rows)?;
    let mut workers = Workers::new(Plan::new(graph)?, Isa::best(), threads);
    let pieces = batch::cut(batch::turn(rows, &[], &mut Rng::new(0)));
    workers.pack(&tensors::flatten(graph), &pieces);
    let rule = LossRule { weights: *weights, multipliers: graph.multipliers, share: 0.0 };
    let mut results = Vec::new();
    workers.run(&pieces, &rule, false, &mut results);
    let mut sums = LossSums::default();
    results.iter().for_each(|result| sums.merge(&result.losses));
    Ok(sums.losses(weights))
}
