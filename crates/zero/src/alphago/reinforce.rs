//! Reinforcement: a policy network plays whole games against earlier selves, every move drawn from its policy, and makes the moves of games
//! that it won more likely, those of lost games less likely: the policy gradient z·∇log π. [Williams 1992, REINFORCE; Silver et al. 2016]
//!
//! A batch of games is one step of the trainer. What is drawn in it follows from the seed and the number of the batch, and the trainer is kept
//! at every point of the curve: a run that was ended in any way goes on as if nothing had happened.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use goban::{Color, Rng, Size};
use model::net::file::NetworkOrigin;
use model::net::graph::Graph;
use model::net::katago::KataGoNet;
use player::boardgame::Tabletop;
use train::net::run;
use train::net::run::curve::Curve;
use train::net::run::folder::TrainingFolder;
use train::net::{NetShape, Row, StepLosses, Trainer, check_trainable};

use super::games::{GameOrder, GamePlan, PlayRules, PlayedGame, PolicyGames};
use super::point::ReinforcePoint;
use super::pool::Pool;
use super::seed_of;
use super::settings::{Baseline, ReinforceSettings, TOLD};
use crate::{Error, ErrorPlace, Result};

/// What seeds are for: the first number of those that they follow from.
const POOL_SEED: u64 = 1;
const GAME_SEED: u64 = 2;
const MEASURE_SEED: u64 = 3;

/// A run: a trainer, its opponents and the folder in which its state is kept.
pub struct ReinforceRun {
    settings: ReinforceSettings,
    start: Box<dyn Tabletop>,
    folder: TrainingFolder,
    trainer: Trainer,
    curve: Curve<ReinforcePoint>,
    origin: NetworkOrigin,
    first: Arc<KataGoNet>,
}

/// What is told of a run after every batch.
#[derive(Clone, Copy, Debug)]
pub struct ReinforceProgress<'a> {
    /// Batches done.
    pub batch: u64,
    /// The losses of the last one.
    pub losses: &'a StepLosses,
    /// The point of the curve, if this batch ends one.
    pub point: Option<&'a ReinforcePoint>,
}

impl ReinforceRun {
    /// Begins a run in a new folder, or takes up that of a folder with the same settings at its last checkpoint.
    ///
    /// # Errors
    /// When the folder holds something else or a run with other settings, or the network cannot be trained.
    pub fn open(path: &Path, settings: ReinforceSettings, start: Box<dyn Tabletop>) -> Result<ReinforceRun> {
        // A network that is refused leaves no folder behind.
        check_trainable(&settings.from.graph)
            .map_err(|error| Error::input(format!("--from {}: {error}", settings.from.identity)))?;
        let folder = TrainingFolder::open(path, &settings.to_table(), &TOLD).map_err(Error::input)?;
        let begin = || Graph { name: settings.name.clone(), ..settings.from.graph.clone() };
        let trainer = run::take_up(&folder, begin, settings.train()).map_err(Error::input)?;
        let curve = Curve::open(&folder, trainer.n_steps()).map_err(Error::input)?;
        let origin = origin(&settings, start.as_ref());
        let first = Arc::new(KataGoNet::new(settings.from.graph.clone()));
        Ok(ReinforceRun { settings, start, folder, trainer, curve, origin, first })
    }

    /// Batches done.
    pub fn n_batches(&self) -> u64 {
        self.trainer.n_steps()
    }

    /// The curve so far.
    pub fn points(&self) -> &[ReinforcePoint] {
        &self.curve.points
    }

    /// Whether the last batch is done and kept: a run that is ended while the games of its last point are played has yet to make it.
    pub fn is_complete(&self) -> bool {
        self.curve.points.last().is_some_and(|point| point.batch == self.settings.n_batches)
    }

    /// Goes on to the last batch. `seen` is told of every batch, and ends the run by breaking off, as `stop` does; what was done since the last
    /// checkpoint is done again then.
    ///
    /// # Errors
    /// When training goes astray, or the folder cannot be read or written.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        mut seen: impl FnMut(&ReinforceProgress<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        let mut sums = BatchSums::default();
        while self.trainer.n_steps() < self.settings.n_batches {
            let begun = Instant::now();
            let Some(games) = self.play_batch(stop)? else { return Ok(()) };
            let rows = self.rows(&games);
            let refs: Vec<&Row> = rows.iter().collect();
            let losses = self.trainer.step(&refs).map_err(Error::input).at("training")?;
            let batch = self.trainer.n_steps();
            self.pool().join(batch, || self.trainer.last_graph(), &self.origin)?;
            sums.add(&games, &losses, begun.elapsed().as_secs_f64());
            let is_last = batch == self.settings.n_batches;
            let mut point = None;
            if batch.is_multiple_of(self.settings.curve_every) || is_last {
                let Some(won_first) = self.measure(stop)? else { return Ok(()) };
                let of_batches = std::mem::take(&mut sums).point();
                let first_games = self.settings.measure_games as u32;
                self.curve
                    .push(ReinforcePoint { batch, won_first, first_games, ..of_batches })
                    .map_err(Error::input)?;
                run::keep(&self.folder, &self.trainer, &self.origin, self.settings.numbers)
                    .map_err(Error::input)?;
                point = self.curve.points.last();
            }
            if seen(&ReinforceProgress { batch, losses: &losses, point }).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn pool(&self) -> Pool<'_> {
        Pool { folder: &self.folder, first: &self.first, every: self.settings.pool_every }
    }

    fn learner(&self) -> Arc<KataGoNet> {
        Arc::new(KataGoNet::new(self.trainer.last_graph()))
    }

    /// Plays the games of the next batch; none if it was stopped.
    fn play_batch(&self, stop: &AtomicBool) -> Result<Option<Vec<PlayedGame>>> {
        let (seed, batch) = (self.settings.seed, self.trainer.n_steps());
        let mut rng = Rng::new(seed_of(&[POOL_SEED, seed, batch]));
        let opponents = self.pool().draw(batch, self.settings.opponents, &mut rng)?;
        let mut nets = vec![self.learner()];
        let n_opponents = opponents.len();
        nets.extend(opponents);
        // Two games in a row are against the same opponent, with the colours exchanged.
        let order = |game: usize| {
            order(game, 1 + game / 2 % n_opponents, seed_of(&[GAME_SEED, seed, batch, game as u64]))
        };
        let orders: Vec<GameOrder> = (0..self.settings.games).map(order).collect();
        Ok(self.games(&nets, stop).play(&orders))
    }

    /// The share of games that the learner wins against the first network; none if it was stopped. The games have the same seeds every time.
    fn measure(&self, stop: &AtomicBool) -> Result<Option<f32>> {
        let n = self.settings.measure_games;
        if n == 0 {
            return Ok(Some(0.0));
        }
        let nets = [self.learner(), Arc::clone(&self.first)];
        let order = |game: usize| order(game, 1, seed_of(&[MEASURE_SEED, self.settings.seed, game as u64]));
        let orders: Vec<GameOrder> = (0..n).map(order).collect();
        let Some(games) = self.games(&nets, stop).play(&orders) else { return Ok(None) };
        let won: f32 = games.iter().zip(0..).map(|(game, n)| game.win_for(learner_color(n))).sum();
        Ok(Some(won / n as f32))
    }

    fn games<'a>(&'a self, nets: &'a [Arc<KataGoNet>], stop: &'a AtomicBool) -> PolicyGames<'a> {
        let rules = PlayRules { turns: true, ..self.settings.rules };
        PolicyGames { start: self.start.as_ref(), nets, rules, threads: self.settings.threads, stop }
    }

    /// The learner's positions with the advantage of each move.
    fn rows(&self, games: &[PlayedGame]) -> Vec<Row> {
        let results: Vec<f32> =
            games.iter().zip(0..).map(|(game, n)| 2.0 * game.win_for(learner_color(n)) - 1.0).collect();
        let sum: f32 = results.iter().sum();
        let n_others = results.len().saturating_sub(1).max(1) as f32;
        let mut rows = Vec::new();
        for (game, result) in games.iter().zip(results) {
            for position in &game.positions {
                let baseline = match self.settings.baseline {
                    Baseline::None => 0.0,
                    Baseline::Mean => (sum - result) / n_others,
                    Baseline::Value => 2.0 * position.expected - 1.0,
                };
                rows.push(Row { advantage: Some(result - baseline), ..position.row.clone() });
            }
        }
        rows
    }
}

/// The colour of the learner in a game of a batch, by its number from 0.
fn learner_color(game: usize) -> Color {
    if game.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// A game of the learner, network 0, against another one.
fn order(game: usize, opponent: usize, seed: u64) -> GameOrder {
    let learner = learner_color(game);
    let nets = if learner == Color::Black { [0, opponent] } else { [opponent, 0] };
    GameOrder { plan: GamePlan::Match { nets, learner: Some(learner) }, seed }
}

/// Where the network of a run comes from. It learned from the games of a network whose terms it keeps.
fn origin(settings: &ReinforceSettings, start: &dyn Tabletop) -> NetworkOrigin {
    let [width, height] = start.size();
    let from = settings.from_origin.clone().unwrap_or_default();
    NetworkOrigin {
        game: start.entry().name.to_string(),
        boards: Size::new(width, height).into_iter().collect(),
        shape: NetShape::of(&settings.from.graph).to_string(),
        n_steps: 0,
        trainer: settings.command(),
        data: format!("games against earlier selves, {}, from {}", settings.game, settings.from.identity),
        teacher: from.teacher,
        licence: from.licence,
    }
}

/// Sums over the batches of a point.
#[derive(Debug, Default)]
struct BatchSums {
    n_batches: usize,
    n_games: usize,
    n_moves: usize,
    won: f32,
    policy_loss: f64,
    gradient: f64,
    value_error: f64,
    learning_rate: f32,
    seconds: f64,
}

impl BatchSums {
    fn add(&mut self, games: &[PlayedGame], losses: &StepLosses, seconds: f64) {
        self.n_batches += 1;
        self.n_games += games.len();
        self.n_moves += games.iter().map(|game| game.n_moves).sum::<usize>();
        self.won += games.iter().zip(0..).map(|(game, n)| game.win_for(learner_color(n))).sum::<f32>();
        self.policy_loss += losses.policy;
        self.gradient += losses.gradient_norm;
        self.value_error += losses.value_sq;
        self.learning_rate = losses.learning_rate;
        self.seconds += seconds;
    }

    /// The means; nothing of games against the first network.
    fn point(self) -> ReinforcePoint {
        let (n_batches, n_games) = (self.n_batches.max(1) as f64, self.n_games.max(1) as f32);
        ReinforcePoint {
            learning_rate: self.learning_rate,
            won_pool: self.won / n_games,
            moves: self.n_moves as f32 / n_games,
            policy_loss: (self.policy_loss / n_batches) as f32,
            gradient: (self.gradient / n_batches) as f32,
            value_error: (self.value_error / n_batches) as f32,
            games_per_second: (self.n_games as f64 / self.seconds.max(1e-6)) as f32,
            ..ReinforcePoint::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphago::tests::{go_on, hex, settings};

    #[test]
    fn a_run_that_is_stopped_while_its_last_point_is_measured_is_not_complete() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = ReinforceRun::open(dir.path(), settings(1), hex()).unwrap();
        let games = run.play_batch(&go_on()).unwrap().unwrap();
        let rows = run.rows(&games);
        run.trainer.step(&rows.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(run.measure(&AtomicBool::new(true)).unwrap(), None);
        assert!(run.n_batches() == 1 && !run.is_complete());
        drop(run);
        let mut run = ReinforceRun::open(dir.path(), settings(1), hex()).unwrap();
        assert!(run.n_batches() == 0 && !run.is_complete());
        run.run(&go_on(), |_| ControlFlow::Continue(())).unwrap();
        assert!(run.is_complete());
    }
}
