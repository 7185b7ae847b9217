//! Trainers of models that rank moves ([`model::ranking`]), all over the same move sets: positions of games, each with the
//! features of its moves and the one that was played.
//!
//! A training is a number of rounds. After each the model is judged by games that were kept apart, and everything that
//! the next round needs is handed out to be kept: whoever is killed goes on from there and ends with the same weights, for
//! what is random in a round follows from the seed and the round's number.
//!
//! In reading order: [`sets`] (move sets) · [`mod@draw`] (from games) · this file (trainers, and the loop around them) ·
//! [`mm`], [`sgd`] (Bradley-Terry, two ways) · [`gauss`], [`beliefs`] · [`tm`] (Thurstone-Mosteller) · [`full_ranking`] ·
//! [`latent`] (pairwise interactions) · [`mod@judge`] (the score) · [`checkpoint`] (what is kept).

pub mod beliefs;
pub mod checkpoint;
pub mod draw;
pub mod full_ranking;
pub mod gauss;
pub mod judge;
pub mod latent;
pub mod mm;
pub mod sets;
pub mod sgd;
pub mod tm;

use goban::Rng;
use model::ranking::Rows;

pub use checkpoint::{BadCheckpoint, Checkpoint, RoundScore};
pub use draw::{DrawSettings, draw};
pub use full_ranking::{FullRanking, FullRankingSettings, PairModel};
pub use judge::{Score, judge};
pub use latent::{Latent, LatentSettings};
pub use mm::{Mm, MmSettings};
pub use sets::MoveSets;
pub use sgd::{Sgd, SgdSettings};
pub use tm::{Tm, TmSettings};

/// Everything that a trainer must keep from one round to the next.
pub type State<'a> = Vec<&'a mut [f32]>;

/// One way to find weights.
pub trait RankingTrainer {
    /// Goes through all positions once.
    fn round(&mut self, sets: &MoveSets, round: &Round);

    /// The model as it stands.
    fn rows(&self) -> Rows;

    /// The numbers that the next round begins with.
    fn state(&mut self) -> State<'_>;
}

/// Which round it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// From 0.
    pub number: usize,
    /// How many there are in all.
    pub of: usize,
    /// The seed of the training.
    pub seed: u64,
}

/// Steps do not fall below this share of the first.
const LEAST_SHARE: f32 = 0.02;

impl Round {
    /// All positions in the order of this round, with the share of the round that is done before each.
    pub fn order(&self, n: usize) -> impl Iterator<Item = (f32, usize)> + use<> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        let mut rng = Rng::new(self.seed ^ (self.number as u64 + 1) << 32);
        for last in (1..n).rev() {
            order.swap(last, rng.below(last as u32 + 1) as usize);
        }
        order.into_iter().enumerate().map(move |(idx, position)| (idx as f32 / n as f32, position as usize))
    }

    /// The share of all rounds that is still to come when `done` of this one is; never below a fiftieth. Steps fall with it.
    pub fn share_left(&self, done: f32) -> f32 {
        (1.0 - (self.number as f32 + done) / self.of as f32).max(LEAST_SHARE)
    }
}

/// A trainer and its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RankingMethod {
    /// Bradley-Terry by minorization-maximization.
    Mm(MmSettings),
    /// Bradley-Terry by stochastic gradient descent.
    Sgd(SgdSettings),
    /// Thurstone-Mosteller by Gaussian density filtering.
    Tm(TmSettings),
    /// Bayesian full ranking.
    FullRanking(FullRankingSettings),
    /// Pairwise interactions.
    Latent(LatentSettings),
}

impl RankingMethod {
    /// The trainer at its beginning.
    pub fn build(&self, n_features: usize, seed: u64) -> Box<dyn RankingTrainer> {
        match *self {
            RankingMethod::Mm(settings) => Box::new(Mm::new(n_features, settings)),
            RankingMethod::Sgd(settings) => Box::new(Sgd::new(n_features, settings)),
            RankingMethod::Tm(settings) => Box::new(Tm::new(n_features, settings)),
            RankingMethod::FullRanking(settings) => Box::new(FullRanking::new(n_features, settings)),
            RankingMethod::Latent(settings) => Box::new(Latent::new(n_features, settings, seed)),
        }
    }

    /// Whether strengths are compared in pairs only, so that the scale of probabilities is found afterwards.
    fn is_unscaled(&self) -> bool {
        matches!(self, RankingMethod::Tm(_) | RankingMethod::FullRanking(_))
    }
}

/// A training: what is learned from, and what it is judged by.
pub struct Training<'a> {
    /// The trainer.
    pub method: RankingMethod,
    /// Rounds in all.
    pub n_rounds: usize,
    /// Everything random follows from it.
    pub seed: u64,
    /// The positions to learn from.
    pub sets: &'a MoveSets,
    /// The positions to judge by.
    pub kept: &'a MoveSets,
}

impl Training<'_> {
    /// Trains from the beginning, or from where `begun` ended. `each` gets a checkpoint after every round, and ends the
    /// training with its error.
    ///
    /// # Errors
    /// That of `each`, or of a checkpoint of another training.
    pub fn run<E: From<BadCheckpoint>>(
        &self,
        begun: Option<&Checkpoint>,
        mut each: impl FnMut(&Checkpoint) -> Result<(), E>,
    ) -> Result<(Rows, Vec<Score>), E> {
        let mut trainer = self.method.build(self.sets.n_features(), self.seed);
        let mut curve = Vec::new();
        if let Some(begun) = begun {
            begun.restore(trainer.state())?;
            curve.clone_from(&begun.curve);
        }
        for number in curve.len()..self.n_rounds {
            trainer.round(self.sets, &Round { number, of: self.n_rounds, seed: self.seed });
            curve.push(judge(&self.rows(trainer.as_ref()), self.kept));
            each(&Checkpoint::of(&curve, &trainer.state()))?;
        }
        Ok((self.rows(trainer.as_ref()), curve))
    }

    fn rows(&self, trainer: &dyn RankingTrainer) -> Rows {
        let rows = trainer.rows();
        if self.method.is_unscaled() {
            let factor = judge::scale(&rows, self.sets);
            judge::scaled(rows, factor)
        } else {
            rows
        }
    }
}

#[cfg(test)]
mod tests;
