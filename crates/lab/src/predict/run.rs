//! All positions of all games.

use std::time::{Duration, Instant};

use goban::{PlayedMove, Position, Rules};
use serde::{Serialize, Serializer};

use super::mean::ClusterMean;
use super::score::{N_TOP, PredictionScore};
use super::{Predictor, Spec};
use crate::error::{ErrorPlace, Result};
use crate::phase::GamePhase;
use crate::spread::{seed_of, spread};
use records::RecordedGame;

/// How predictions are scored.
#[derive(Clone, Debug)]
pub struct PredictSettings {
    /// What is legal.
    pub rules: Rules,
    /// Points for White where the record names none; only searches ask.
    pub komi: f32,
    /// The share of the uniform distribution that is mixed into every prediction, 0..=1.
    pub mixed: f64,
    /// Everything random follows from it.
    pub seed: u64,
    /// Games looked at at the same time.
    pub parallel: usize,
}

impl Default for PredictSettings {
    fn default() -> Self {
        Self { rules: Rules::CHINESE, komi: 7.5, mixed: 0.001, seed: 1, parallel: 1 }
    }
}

/// How well a predictor did.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The predictor as it was asked for.
    pub predictor: String,
    /// With every value.
    pub canonical: String,
    /// Games with at least one position.
    pub games: u64,
    /// Passes, which are not predicted.
    pub passes: u64,
    /// Games that the rules refuse at some move; the positions before it count.
    pub refused: u64,
    /// Mean time for a position, microseconds by the clock; with several games at the same time they disturb each other.
    pub micros: f64,
    /// All positions.
    #[serde(flatten)]
    pub all: Summary,
    /// By part of the game: opening, middle game, end.
    pub phases: [Summary; 3],
}

/// Means over some positions.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// The part of the game; all of it if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<GamePhase>,
    /// Number of positions.
    pub positions: u64,
    /// Mean of −ln P(played move), nats, and its standard error.
    pub log_loss: MeanWithError,
    /// Mean of ln(legal moves), nats: the log loss of the uniform predictor.
    pub log_legal: MeanWithError,
    /// How often the played move was among the first 1, 2, … 50, 0..=1.
    pub top: Vec<MeanWithError>,
    /// How often it was held impossible.
    pub impossible: u64,
}

/// A mean with its standard error; written as two numbers, `null` where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanWithError {
    /// The mean.
    pub mean: f64,
    /// Its standard error over games.
    pub se: f64,
}

impl Serialize for MeanWithError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.mean, self.se].serialize(serializer)
    }
}

impl From<&ClusterMean> for MeanWithError {
    fn from(mean: &ClusterMean) -> Self {
        Self { mean: mean.mean(), se: mean.standard_error() }
    }
}

/// Sums over positions of one game.
#[derive(Clone)]
struct PredictionSums {
    n: u64,
    loss: f64,
    log_legal: f64,
    top: [f64; N_TOP],
    impossible: u64,
}

impl Default for PredictionSums {
    fn default() -> Self {
        Self { n: 0, loss: 0.0, log_legal: 0.0, top: [0.0; N_TOP], impossible: 0 }
    }
}

impl PredictionSums {
    fn add(&mut self, score: &PredictionScore) {
        self.n += 1;
        self.loss += score.loss;
        self.log_legal += (score.n_moves as f64).ln();
        self.top.iter_mut().zip(1..).for_each(|(sum, k)| *sum += score.hit(k));
        self.impossible += u64::from(score.is_impossible);
    }

    fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.loss += other.loss;
        self.log_legal += other.log_legal;
        self.top.iter_mut().zip(&other.top).for_each(|(sum, other)| *sum += other);
        self.impossible += other.impossible;
    }
}

/// The sums of one game.
#[derive(Default)]
struct GameSums {
    phases: [PredictionSums; 3],
    passes: u64,
    is_refused: bool,
    /// Spent on predictions.
    time: Duration,
}

/// Means over games.
#[derive(Clone)]
struct PredictionMeans {
    n: u64,
    loss: ClusterMean,
    log_legal: ClusterMean,
    top: [ClusterMean; N_TOP],
    impossible: u64,
}

impl Default for PredictionMeans {
    fn default() -> Self {
        let empty = ClusterMean::default();
        Self { n: 0, loss: empty, log_legal: empty, top: [empty; N_TOP], impossible: 0 }
    }
}

impl PredictionMeans {
    fn add(&mut self, game: &PredictionSums) {
        self.n += game.n;
        self.loss.add(game.loss, game.n);
        self.log_legal.add(game.log_legal, game.n);
        self.top.iter_mut().zip(&game.top).for_each(|(mean, &sum)| mean.add(sum, game.n));
        self.impossible += game.impossible;
    }

    fn summary(&self, phase: Option<GamePhase>) -> Summary {
        Summary {
            phase,
            positions: self.n,
            log_loss: (&self.loss).into(),
            log_legal: (&self.log_legal).into(),
            top: self.top.iter().map(MeanWithError::from).collect(),
            impossible: self.impossible,
        }
    }
}

/// Has a predictor foresee every move of the games. The result depends on the settings' seed, not on how many games are
/// looked at at the same time. `looked_at` is told of every game that is done.
///
/// # Errors
/// When the predictor cannot rate a position; the text names the game.
pub fn evaluate(
    games: &[RecordedGame],
    spec: &Spec,
    settings: &PredictSettings,
    mut looked_at: impl FnMut(),
) -> Result<Prediction> {
    let (mut all, mut phases) = (PredictionMeans::default(), [(); 3].map(|()| PredictionMeans::default()));
    let (mut n_games, mut passes, mut refused) = (0, 0, 0);
    let mut time = Duration::ZERO;
    let hire = || {
        let mut predictor = spec.build();
        move |number: usize| {
            predictor.begin(seed_of(settings.seed, number as u64));
            follow(&games[number], predictor.as_mut(), settings).at(&games[number].place)
        }
    };
    spread(games.len(), settings.parallel, hire, |_, game| {
        let mut total = PredictionSums::default();
        for (mean, sums) in phases.iter_mut().zip(&game.phases) {
            mean.add(sums);
            total.merge(sums);
        }
        all.add(&total);
        n_games += u64::from(total.n > 0);
        passes += game.passes;
        refused += u64::from(game.is_refused);
        time += game.time;
        looked_at();
        Ok(())
    })?;
    Ok(Prediction {
        predictor: spec.text.clone(),
        canonical: spec.canonical(),
        games: n_games,
        passes,
        refused,
        micros: 1e6 * time.as_secs_f64() / all.n.max(1) as f64,
        all: all.summary(None),
        phases: GamePhase::ALL.map(|phase| phases[phase.idx()].summary(Some(phase))),
    })
}

/// Scores the moves of one game.
fn follow(
    game: &RecordedGame,
    predictor: &mut dyn Predictor,
    settings: &PredictSettings,
) -> Result<GameSums> {
    let mut sums = GameSums::default();
    let mut weights = Vec::new();
    let replayed = game.replay(settings.rules, settings.komi, |position, play| -> Result<bool> {
        if play.vertex.is_pass() {
            sums.passes += 1;
            return Ok(true);
        }
        let number = position.plays().len() + 1;
        let score = predict(predictor, position, play, settings.mixed, (&mut weights, &mut sums.time))
            .at(format!("move {number}"))?;
        sums.phases[GamePhase::of(number, game.size).idx()].add(&score);
        Ok(true)
    })?;
    sums.is_refused = replayed.is_err();
    Ok(sums)
}

/// Scores one move, which is legal and no pass, and adds the time it took to predict.
fn predict(
    predictor: &mut dyn Predictor,
    position: &Position,
    play: PlayedMove,
    mixed: f64,
    (weights, time): (&mut Vec<f64>, &mut Duration),
) -> Result<PredictionScore> {
    let moves = position.legal_moves(play.color);
    weights.clear();
    weights.resize(moves.len(), 0.0);
    let start = Instant::now();
    predictor.predict(position, &moves, weights)?;
    *time += start.elapsed();
    let played = moves.iter().position(|&vertex| vertex == play.vertex).unwrap_or_default();
    PredictionScore::new(weights, played, mixed)
}
