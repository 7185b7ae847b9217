//! Rewards: the quantity that a search maximises. A win or a score is taken as the game gives it; under *dynamic komi* a win is counted with some
//! points more or less, so that a search far behind or far ahead still sees its moves make a difference. The game itself
//! knows nothing of them: reports tell real win rates and real scores beside the values that the search goes by.
//!
//! In reading order: this file · [`win`] and [`score`] · [`linear_komi`] for handicaps · [`value_komi`] by how the game stands ·
//! [`win_score`] a win with a part of the margin.

use crate::game::{Outcome, Reward, Side};

/// The reward that a recipe names.
pub struct Payoff {
    /// The unit of values.
    pub unit: Reward,
    /// How many points more the second player is given meanwhile, if any.
    pub komi: Option<Box<dyn DynamicKomi>>,
    /// The part that the margin has in the reward of a win, if any.
    pub margin: Option<MarginShare>,
}

/// A part of the reward that grows with the margin and never leaves 0..=1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarginShare {
    /// The part of the margin, 0..=1; the rest is the win's.
    pub share: f32,
    /// The margin in points at which 0.85 of its part are reached.
    pub points: f32,
}

impl MarginShare {
    /// The reward of `side`, 0..=1: (1 − share)·win + share·(1 + x/√(1 + x²))/2 with x = margin/points.
    #[inline]
    pub fn reward(&self, outcome: &Outcome, side: Side) -> f32 {
        let x = outcome.score_for(side) / self.points;
        let margin = 0.5 + 0.5 * x / (1.0 + x * x).sqrt();
        (1.0 - self.share) * outcome.win_for(side) + self.share * margin
    }
}

/// Extra komi that changes in the course of a game.
pub trait DynamicKomi: Send + Sync {
    /// Points that are added to the second player's (White's) komi in the next run of the search; asked before each.
    fn extra(&mut self, context: &KomiContext) -> f32;

    /// Another game begins, or another line of this one.
    fn reset(&mut self) {}
}

/// How far a game is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameProgress {
    /// Moves played so far, passes included.
    pub n_moves: u32,
    /// Stones that the first player was given before.
    pub handicap: u32,
}

/// The facts an extra komi may depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KomiContext {
    /// How far the game is.
    pub progress: GameProgress,
    /// Who is to move at the root.
    pub mover: Side,
    /// The last run's result, once: none if an earlier call has had it.
    pub judged: Option<Judged>,
}

/// A run's result at its root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// How often the first player wins, 0..=1, under the komi that held then.
    pub value: f32,
    /// The simulations of that run.
    pub simulations: u64,
}

impl Judged {
    /// The value as `side` sees it.
    pub fn value_for(self, side: Side) -> f32 {
        match side {
            Side::First => self.value,
            Side::Second => 1.0 - self.value,
        }
    }
}

recipe::variants! {
    /// The value that a search maximises.
    pub static FAMILY = "reward";
    pub fn build(choice) -> Payoff;
    win, score, linear_komi, value_komi, win_score
}
