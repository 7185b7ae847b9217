//! Supervised training: a network learns from rows on disk, and goes on after any interruption as if there had been none.
//!
//! A run has a [folder](super::run::folder) of its own. Every few points of its curve the trainer is kept as a checkpoint; whoever starts the run again
//! goes on from there with exactly the rows that were next, so that the network in the end is the same bit for bit.
//!
//! In reading order: [`settings`] what a run is started with · [`curve`] · this file, the run.

pub mod curve;
pub mod settings;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use goban::Size;
use model::net::file::NetworkOrigin;
use model::net::graph::Graph;

use super::rows::stream::WINDOW_ROWS;
use super::rows::{RowStream, RowsError, RowsFile};
use super::run::curve::Curve;
use super::run::folder::{FolderError, TrainingFolder};
use super::run::{self, KeepError};
use super::settings::{Averaging, BoardSymmetries, LossWeights, RateSchedule, RateShape};
use super::{Row, StepLosses, TrainSettings, Trainer, check_trainable, measure};
use curve::{LossPoint, Measures};
pub use settings::{BeginningNet, OptimiserKind, SupervisedSettings};

/// The game whose boards are turned, as files of rows name it.
const GO: &str = "go";
/// The learning rate of the last step as a share of the highest.
const LAST_RATE: f32 = 0.01;
/// Rows held out that are looked at, the first ones.
pub const MOST_HELD_OUT: usize = 5000;

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The rows.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The network cannot be trained or kept.
    #[error("{0}")]
    Net(String),
}

impl From<KeepError> for RunError {
    fn from(error: KeepError) -> RunError {
        match error {
            KeepError::Folder(error) => RunError::Folder(error),
            KeepError::Net(why) => RunError::Net(why),
        }
    }
}

/// A run: rows, a trainer and the folder in which its state is kept.
pub struct SupervisedRun {
    settings: SupervisedSettings,
    folder: TrainingFolder,
    stream: RowStream,
    held_out: Vec<Row>,
    trainer: Trainer,
    curve: Curve<LossPoint>,
    origin: NetworkOrigin,
}

/// The state of a run after a step.
#[derive(Debug, Clone, Copy)]
pub struct TrainingProgress<'a> {
    /// Steps done.
    pub step: u64,
    /// The losses of the last step.
    pub losses: &'a StepLosses,
    /// The point of the curve, if this step ends one.
    pub point: Option<&'a LossPoint>,
}

impl SupervisedRun {
    /// Begins a run in a new folder, or takes up that of a folder with the same settings at its last checkpoint.
    ///
    /// # Errors
    /// When rows cannot be read, or the folder holds something else or a run with other settings.
    pub fn open(path: &Path, settings: SupervisedSettings) -> Result<SupervisedRun, RunError> {
        let mut stream = RowStream::open(&settings.rows, settings.seed, WINDOW_ROWS)?;
        let mut held_out_file = settings.held_out.as_deref().map(RowsFile::open).transpose()?;
        let held_out = match &mut held_out_file {
            Some(file) => file.first_rows(MOST_HELD_OUT)?,
            None => Vec::new(),
        };
        let fingerprint = held_out_file.as_ref().map_or(0, RowsFile::fingerprint);
        if let Some(from) = &settings.from {
            // A network that is refused leaves no folder behind.
            check_trainable(&from.graph)
                .map_err(|error| RunError::Net(format!("--from {}: {error}", from.identity)))?;
        }
        let table = settings.to_table(stream.fingerprint(), fingerprint);
        let folder = TrainingFolder::open(path, &table, &settings::TOLD)?;
        let new = || {
            let graph = match &settings.from {
                Some(from) => from.graph.clone(),
                None => settings.shape.graph(settings.seed),
            };
            Graph { name: settings.name.clone(), ..graph }
        };
        // Other games have fewer symmetries: a board of Hex comes back only from a half turn.
        let is_go = stream.files().iter().all(|file| file.origin().game == GO);
        let trainer = run::take_up(&folder, new, settings.train(is_go))?;
        stream.seek(trainer.n_steps() * settings.batch as u64)?;
        let curve = Curve::open(&folder, trainer.n_steps())?;
        let origin = origin(&mut stream, &settings)?;
        Ok(SupervisedRun { settings, folder, stream, held_out, trainer, curve, origin })
    }

    /// Steps done.
    pub fn n_steps(&self) -> u64 {
        self.trainer.n_steps()
    }

    /// Rows to learn from, and rows held out.
    pub fn n_rows(&self) -> (u64, usize) {
        (self.stream.n_rows(), self.held_out.len())
    }

    /// The curve so far.
    pub fn points(&self) -> &[LossPoint] {
        &self.curve.points
    }

    /// Where the rows and so the network come from.
    pub fn origin(&self) -> &NetworkOrigin {
        &self.origin
    }

    /// Goes on to the last step. `seen` is told of every step, and ends the run by breaking off; what was done since the last checkpoint
    /// is done again then.
    ///
    /// # Errors
    /// When rows cannot be read, or the folder cannot be written.
    pub fn run(
        &mut self,
        mut seen: impl FnMut(&TrainingProgress<'_>) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        let mut rows = Vec::new();
        let mut sums = LossMeans::default();
        let mut begin = Instant::now();
        while self.trainer.n_steps() < self.settings.n_steps {
            self.stream.draw(self.settings.batch, &mut rows)?;
            let refs: Vec<&Row> = rows.iter().collect();
            let losses = self.trainer.step(&refs).map_err(|error| RunError::Net(error.to_string()))?;
            sums.add(&losses);
            let step = self.trainer.n_steps();
            let is_last = step == self.settings.n_steps;
            let mut point = None;
            if step.is_multiple_of(self.settings.curve_every) || is_last {
                let seconds = begin.elapsed().as_secs_f32();
                let is_checkpoint = step.is_multiple_of(self.settings.checkpoint_every()) || is_last;
                self.note(&sums, losses.learning_rate, seconds, is_checkpoint)?;
                if is_checkpoint {
                    run::keep(&self.folder, &self.trainer, &self.origin, self.settings.numbers)?;
                }
                point = self.curve.points.last();
                (sums, begin) = (LossMeans::default(), Instant::now());
            }
            if seen(&TrainingProgress { step, losses: &losses, point }).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Adds a point to the curve.
    fn note(
        &mut self,
        sums: &LossMeans,
        learning_rate: f32,
        seconds: f32,
        is_checkpoint: bool,
    ) -> Result<(), RunError> {
        let held_out = if is_checkpoint && !self.held_out.is_empty() {
            let rows: Vec<&Row> = self.held_out.iter().collect();
            let weights = self.trainer.settings().loss_weights;
            let found = measure(&self.trainer.graph(), &rows, &weights, self.settings.threads)
                .map_err(|error| RunError::Net(error.to_string()))?;
            Some(Measures::of(&found))
        } else {
            None
        };
        let point = LossPoint {
            step: self.trainer.n_steps(),
            learning_rate,
            trained: sums.measures(),
            held_out,
            rows_per_second: sums.n_rows as f32 / seconds.max(1e-6),
        };
        Ok(self.curve.push(point)?)
    }
}

impl SupervisedSettings {
    /// The settings of the trainer. Rows of Go are turned on every square board, those of other games never.
    fn train(&self, is_go: bool) -> TrainSettings {
        let sides = if is_go { 2..=25 } else { 0..=0 };
        let boards = sides.filter_map(|side| Size::square(side).ok()).map(BoardSymmetries::of_board);
        TrainSettings {
            optimiser: self.optimiser.usual(),
            learning_rate: RateSchedule {
                peak: self.learning_rate,
                warm_up: self.warm_up,
                shape: RateShape::Cosine { n_steps: self.n_steps, floor: LAST_RATE },
            },
            weight_decay: self.weight_decay,
            clip: self.clip,
            loss_weights: LossWeights {
                policy: self.policy_weight,
                value: self.value_weight,
                score: self.score_weight,
                ownership: self.ownership_weight,
            },
            averaging: Averaging::Exponential { decay: self.average },
            threads: self.threads,
            seed: self.seed,
            symmetries: boards.collect(),
        }
    }
}

/// Where a network that learns from these rows comes from.
fn origin(stream: &mut RowStream, settings: &SupervisedSettings) -> Result<NetworkOrigin, RunError> {
    let files = stream.files();
    let join = |text: fn(&RowsFile) -> &str| {
        let mut texts: Vec<&str> = files.iter().map(text).filter(|text| !text.is_empty()).collect();
        texts.dedup();
        texts.join("; ")
    };
    let data = format!("{} rows: {}", stream.n_rows(), join(|file| &file.origin().data));
    Ok(NetworkOrigin {
        game: files.first().map_or(String::new(), |file| file.origin().game.clone()),
        shape: settings.shape.to_string(),
        n_steps: 0,
        trainer: settings.command(),
        data,
        teacher: join(|file| &file.origin().teacher),
        licence: join(|file| &file.origin().licence),
        boards: stream.boards()?,
    })
}

/// Means over the rows of several steps.
#[derive(Debug, Clone, Copy, Default)]
struct LossMeans {
    n_rows: usize,
    /// Sums and weights of policy, first choice, value, error of the value, error of the score, owners.
    sums: [[f64; 2]; 6],
}

impl LossMeans {
    fn add(&mut self, losses: &StepLosses) {
        self.n_rows += losses.n_rows;
        let StepLosses { n_policy, n_value, n_score, n_ownership, .. } = *losses;
        let parts = [
            (losses.policy, n_policy),
            (losses.policy_top1, n_policy),
            (losses.value, n_value),
            (losses.value_sq, n_value),
            (losses.score_abs, n_score),
            (losses.ownership, n_ownership),
        ];
        for ([sum, weight], (mean, n)) in self.sums.iter_mut().zip(parts) {
            *sum += mean * n;
            *weight += n;
        }
    }

    fn measures(&self) -> Measures {
        let mean = |[sum, weight]: [f64; 2]| if weight > 0.0 { (sum / weight) as f32 } else { 0.0 };
        let [policy, top1, value, value_error, score_error, ownership] = self.sums.map(mean);
        Measures { policy, top1, value, value_error, score_error, ownership }
    }
}

impl Measures {
    fn of(losses: &StepLosses) -> Measures {
        let mut means = LossMeans::default();
        means.add(losses);
        means.measures()
    }
}

#[cfg(test)]
mod tests;
