//! Games counted by their points: one by one ([`Trinomial`]) and in colour pairs ([`Pentanomial`]).
//!
//! Two games of a pair share their opening, so their results are not independent: an opening that suits Black gives one
//! point to each side. Counting pairs by their sum of points keeps that, counting games loses it. Where games come in
//! pairs the pentanomial counts are therefore the ones to use (M. Van den Bergh, "The pentanomial model", as fishtest
//! does).

use serde::{Deserialize, Serialize};

use super::elo::Elo;
use super::share::normal_cdf;

/// How a game ended, A's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WinDrawLoss {
    /// A lost.
    Loss,
    /// Jigo, or no result.
    Draw,
    /// A won.
    Win,
}

impl WinDrawLoss {
    /// A's points: 0, ½ or 1.
    pub fn points(self) -> f64 {
        f64::from(self.half_points()) * 0.5
    }

    /// A's points in halves: 0, 1 or 2.
    pub fn half_points(self) -> u8 {
        self as u8
    }

    /// The same game, B's view.
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Single games, A's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games A won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games A lost.
    pub losses: u64,
}

impl Trinomial {
    /// Counts a game.
    pub fn add(&mut self, outcome: WinDrawLoss) {
        match outcome {
            WinDrawLoss::Win => self.wins += 1,
            WinDrawLoss::Draw => self.draws += 1,
            WinDrawLoss::Loss => self.losses += 1,
        }
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A's points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// A's share of the points, 0 to 1; half of nothing.
    pub fn rate(&self) -> f64 {
        share(self.points(), self.games() as f64)
    }

    /// The variance of one game's points about their mean: `p(1 − p)` less a quarter of the draws' share.
    pub fn variance(&self) -> f64 {
        if self.games() == 0 {
            return 0.0;
        }
        let p = self.rate();
        (p * (1.0 - p) - 0.25 * self.draws as f64 / self.games() as f64).max(0.0)
    }

    /// The Elo difference with its 95 % interval. The variance is the observed one with one game of variance `p(1 − p)`
    /// more, so that ten draws in a row do not prove equality.
    pub fn elo(&self) -> Elo {
        let (n, p) = (self.games() as f64, self.rate());
        let binomial = p * (1.0 - p);
        let design =
            if binomial > 0.0 { (n * self.variance() + binomial) / ((n + 1.0) * binomial) } else { 1.0 };
        Elo::from_share(p, n, design)
    }

    /// The likelihood of superiority: `Φ((wins − losses) / √(wins + losses))`, the probability that A is the better player
    /// when both were thought equally likely to be. Draws say nothing about it; half without decided games.
    pub fn los(&self) -> f64 {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        superiority(wins - losses, wins + losses)
    }

    /// The same games, B's view.
    pub fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

/// Colour pairs by A's points: 0, ½, 1, 1½, 2 of the two games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair: the two games of the same opening with colours swapped, in any order.
    pub fn add(&mut self, first: WinDrawLoss, second: WinDrawLoss) {
        self.0[usize::from(first.half_points() + second.half_points())] += 1;
    }

    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// How many games: two a pair.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// A's points.
    pub fn points(&self) -> f64 {
        self.0.iter().enumerate().map(|(halves, &n)| 0.5 * halves as f64 * n as f64).sum()
    }

    /// A's share of the points, 0 to 1; half of nothing.
    pub fn rate(&self) -> f64 {
        share(self.points(), self.games() as f64)
    }

    /// The variance of a pair's share of points (0, ¼, ½, ¾, 1) about their mean.
    pub fn variance(&self) -> f64 {
        self.second_moment(self.rate())
    }

    /// The mean of the squared distance between a pair's share of points and `center`.
    fn second_moment(&self, center: f64) -> f64 {
        let sum: f64 =
            self.0.iter().enumerate().map(|(i, &n)| n as f64 * (0.25 * i as f64 - center).powi(2)).sum();
        sum / (self.pairs() as f64).max(1.0)
    }

    /// The Elo difference with its 95 % interval, from the variance of the pairs. To the observed squares one pair of
    /// independent games is added; it makes good the degree of freedom that the mean took, and few pairs that all went the
    /// same way do not claim to be certain.
    pub fn elo(&self) -> Elo {
        Elo::from_share(self.rate(), self.games() as f64, self.design())
    }

    /// The variance of the mean of the games over that of independent games without draws, with the added pair; 1 where
    /// all points went to one side.
    pub(super) fn design(&self) -> f64 {
        let (n, p) = (self.pairs() as f64, self.rate());
        // Two independent games without draws: the variance of their mean.
        let independent = 0.5 * p * (1.0 - p);
        if n > 0.0 && independent > 0.0 { self.variance() / independent + 1.0 / n } else { 1.0 }
    }

    /// The sum of the squares of A's points above one, over all pairs.
    pub(super) fn squares(&self) -> f64 {
        4.0 * self.pairs() as f64 * self.second_moment(0.5)
    }

    /// The likelihood of superiority, from pairs: the sum of their points above one, over the root of the sum of squares.
    /// With single games in the place of pairs this is the formula of [`Trinomial::los`].
    pub fn los(&self) -> f64 {
        let n = self.pairs() as f64;
        superiority(n * (self.rate() - 0.5), n * self.second_moment(0.5))
    }

    /// The same pairs, B's view.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

/// `points` of `n`, half without any.
fn share(points: f64, n: f64) -> f64 {
    if n > 0.0 { points / n } else { 0.5 }
}

/// `Φ(sum / √squares)`, half when nothing was decided.
pub(super) fn superiority(sum: f64, squares: f64) -> f64 {
    if squares > 0.0 { normal_cdf(sum / squares.sqrt()) } else { 0.5 }
}
