//! Ratings of many players at once: the Bradley–Terry model by maximum likelihood, relative to an anchor.
//!
//! A player rated `r` expects the share `1 / (1 + 10^((r' − r)/400))` of the points against one rated `r'` (Bradley and
//! Terry 1952, "Rank analysis of incomplete block designs"). A draw is half a win and half a loss. The logarithm of the
//! likelihood is concave, so Newton's method finds its maximum.
//!
//! Intervals come from the observed information, the second derivatives at the maximum with the anchor's row and column
//! taken out: they are intervals of the *difference from the anchor*. Half-points vary less than the model's all-or-nothing
//! games, by a quarter of the draws' share each game, so the covariance is scaled by the ratio of the two variances
//! (Wedderburn 1974, "Quasi-likelihood functions"); without draws the ratio is exactly 1.
//!
//! A player that won or lost everything has no finite likeliest rating. Then, and only then, one drawn game is assumed in
//! each encounter that went all one way between groups that took no points from each other ([`super::components`]); the
//! ratings that rest on it are marked. A player that no chain of games joins with the anchor is an error.

use serde::{Deserialize, Serialize};

use super::StatsError;
use super::components::{strong_components, unconnected};
use super::elo::{Elo, MOST_ELO};
use super::share::{Z95, normal_cdf};
use crate::algebra::{DenseMatrix, add_scaled, dot};

/// Elo per natural logarithm of the odds: 400 / ln 10.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// All games between two players, `a`'s view. The same two may meet in several encounters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Encounter {
    /// The first player's index.
    pub a: usize,
    /// The second player's index.
    pub b: usize,
    /// Games that `a` won.
    pub wins: f64,
    /// Drawn games.
    pub draws: f64,
    /// Games that `b` won.
    pub losses: f64,
}

impl Encounter {
    fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    fn points(&self) -> f64 {
        self.wins + 0.5 * self.draws
    }
}

/// A player's rating with its 95 % interval, both on the anchor's scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The likeliest rating.
    pub elo: f64,
    /// The lower end of the 95 % interval of the difference from the anchor, plus the anchor's rating.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// True if all points between this player's group and the anchor's went one way, so that the rating rests on an
    /// assumed draw and says little more than "above" or "below".
    pub assumed: bool,
}

/// Ratings and how they vary together.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// A rating for each player.
    pub players: Vec<Rating>,
    /// The covariance of the ratings, Elo²; the anchor's row and column are 0.
    pub covariance: DenseMatrix,
}

/// The likeliest ratings of `n_players` players, `anchor` (player, rating) given.
pub fn ratings(
    n_players: usize,
    encounters: &[Encounter],
    anchor: (usize, f64),
) -> Result<Vec<Rating>, StatsError> {
    Ok(Ratings::fit(n_players, encounters, anchor)?.players)
}

impl Ratings {
    /// The likeliest ratings of `n_players` players, `anchor` (player, rating) given, with their covariance.
    pub fn fit(n_players: usize, encounters: &[Encounter], anchor: (usize, f64)) -> Result<Self, StatsError> {
        check(n_players, encounters, anchor)?;
        let played: Vec<Encounter> = encounters.iter().copied().filter(|e| e.games() > 0.0).collect();
        let joined: Vec<(usize, usize)> = played.iter().map(|e| (e.a, e.b)).collect();
        if let Some(player) = unconnected(n_players, &joined, anchor.0) {
            return Err(StatsError::Unconnected { player, anchor: anchor.0 });
        }
        let (played, groups) = with_assumed_draws(n_players, played);
        let model = RatingModel { n_players, anchor: anchor.0, encounters: &played };
        let (strengths, mut covariance) = model.maximum()?;
        covariance.scale(model.dispersion(&strengths) * ELO_PER_NAT * ELO_PER_NAT);
        let players = (0..n_players)
            .map(|player| {
                let difference = strengths[player] * ELO_PER_NAT;
                let half = Z95 * covariance[(player, player)].max(0.0).sqrt();
                let elo = |difference: f64| anchor.1 + difference.clamp(-MOST_ELO, MOST_ELO);
                Rating {
                    elo: elo(difference),
                    low: elo(difference - half),
                    high: elo(difference + half),
                    assumed: groups[player] != groups[anchor.0],
                }
            })
            .collect();
        Ok(Self { players, covariance })
    }

    /// How far player `a` is ahead of player `b`, with the 95 % interval of the difference.
    pub fn difference(&self, a: usize, b: usize) -> Elo {
        let elo = self.players[a].elo - self.players[b].elo;
        let half = Z95 * self.deviation(a, b);
        let within = |elo: f64| elo.clamp(-MOST_ELO, MOST_ELO);
        Elo { elo: within(elo), low: within(elo - half), high: within(elo + half) }
    }

    /// The likelihood that player `a` is better than player `b`; half for a player and itself.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        let deviation = self.deviation(a, b);
        if deviation > 0.0 {
            normal_cdf((self.players[a].elo - self.players[b].elo) / deviation)
        } else {
            0.5
        }
    }

    /// The standard deviation of the difference of two ratings, Elo.
    fn deviation(&self, a: usize, b: usize) -> f64 {
        let c = &self.covariance;
        (c[(a, a)] + c[(b, b)] - 2.0 * c[(a, b)]).max(0.0).sqrt()
    }
}

/// Refuses indices and numbers that make no tournament.
fn check(n_players: usize, encounters: &[Encounter], anchor: (usize, f64)) -> Result<(), StatsError> {
    if anchor.0 >= n_players || !anchor.1.is_finite() {
        return Err(StatsError::Anchor { anchor: anchor.0, elo: anchor.1, n_players });
    }
    for &Encounter { a, b, wins, draws, losses } in encounters {
        let numbers = [wins, draws, losses].iter().all(|n| n.is_finite() && *n >= 0.0);
        if a == b || a >= n_players || b >= n_players || !numbers {
            return Err(StatsError::Encounter { a, b, wins, draws, losses, n_players });
        }
    }
    Ok(())
}

/// Adds a draw to each encounter between groups that took no points from each other; the groups are given as well.
fn with_assumed_draws(n_players: usize, mut played: Vec<Encounter>) -> (Vec<Encounter>, Vec<usize>) {
    let mut took = Vec::new();
    for e in &played {
        if e.points() > 0.0 {
            took.push((e.a, e.b));
        }
        if e.points() < e.games() {
            took.push((e.b, e.a));
        }
    }
    let groups = strong_components(n_players, &took);
    for e in &mut played {
        if groups[e.a] != groups[e.b] {
            e.draws += 1.0;
        }
    }
    (played, groups)
}

/// The likelihood of strengths (natural logarithm of the odds; the anchor's is 0).
struct RatingModel<'a> {
    n_players: usize,
    anchor: usize,
    encounters: &'a [Encounter],
}

impl RatingModel<'_> {
    /// The likeliest strengths and the inverse of the information there, of all players (the anchor's part is 0).
    fn maximum(&self) -> Result<(Vec<f64>, DenseMatrix), StatsError> {
        let none = || StatsError::NoMaximum {
            n_games: self.encounters.iter().map(Encounter::games).sum(),
            n_players: self.n_players,
        };
        let mut strengths = vec![0.0; self.n_players];
        let mut value = self.log_likelihood(&strengths);
        for _ in 0..200 {
            let (gradient, information) = self.derivatives(&strengths);
            let factors = information.cholesky().ok_or_else(none)?;
            let step = factors.solve(&gradient);
            // Twice the gain that a full step promises, which is the square of its length in standard deviations.
            if dot(&gradient, &step) < 1e-12 {
                let mut inverse = factors.inverse();
                inverse.clear(self.anchor);
                add_scaled(&mut strengths, 1.0, &step);
                return Ok((strengths, inverse));
            }
            // Far from the maximum a full step may overshoot; half of it, and half again, cannot for ever. Near it the
            // gain is lost in the rounding of the sum, and a full step is right.
            let rounding = 1e-12 * (1.0 + value.abs());
            let mut scale = 1.0;
            loop {
                let mut next = strengths.clone();
                add_scaled(&mut next, scale, &step);
                let next_value = self.log_likelihood(&next);
                if next_value >= value - rounding || scale < 1e-9 {
                    (strengths, value) = (next, next_value);
                    break;
                }
                scale *= 0.5;
            }
        }
        Err(none())
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        self.encounters
            .iter()
            .map(|e| {
                let ahead = strengths[e.a] - strengths[e.b];
                -e.points() * (-ahead).exp().ln_1p() - (e.games() - e.points()) * ahead.exp().ln_1p()
            })
            .sum()
    }

    /// The gradient and the information (the negative second derivatives). The anchor stands still: its gradient is 0 and
    /// its part of the information is a 1 apart from the rest, so that the matrix can be inverted as it is.
    fn derivatives(&self, strengths: &[f64]) -> (Vec<f64>, DenseMatrix) {
        let mut gradient = vec![0.0; self.n_players];
        let mut information = DenseMatrix::zeros(self.n_players);
        for e in self.encounters {
            let p = expected(strengths[e.a] - strengths[e.b]);
            let surprise = e.points() - e.games() * p;
            gradient[e.a] += surprise;
            gradient[e.b] -= surprise;
            let weight = e.games() * p * (1.0 - p);
            information[(e.a, e.a)] += weight;
            information[(e.b, e.b)] += weight;
            information[(e.a, e.b)] -= weight;
            information[(e.b, e.a)] -= weight;
        }
        gradient[self.anchor] = 0.0;
        information.clear(self.anchor);
        information[(self.anchor, self.anchor)] = 1.0;
        (gradient, information)
    }

    /// The variance of the points over that of games without draws. A game of variance ¼ is added to both, so that nothing
    /// but draws does not prove equality.
    fn dispersion(&self, strengths: &[f64]) -> f64 {
        let (mut binomial, mut draws) = (0.0, 0.0);
        for e in self.encounters {
            let p = expected(strengths[e.a] - strengths[e.b]);
            binomial += e.games() * p * (1.0 - p);
            draws += e.draws;
        }
        ((binomial - 0.25 * draws).max(0.0) + 0.25) / (binomial + 0.25)
    }
}

/// The share of the points expected by a player `ahead` in natural logarithm of the odds.
fn expected(ahead: f64) -> f64 {
    1.0 / (1.0 + (-ahead).exp())
}
