//! Thurstone-Mosteller by Gaussian density filtering: features are worth something normal, N(μ, σ²); a move performs as the
//! sum of its features with a noise of variance β², and the played move was the one that performed best. [Stern, Herbrich &
//! Graepel 2006]
//!
//! P(a beats b) = Φ((θ_a − θ_b) / √(σ_a² + σ_b²)), where the variances are those of the performances. Within a position
//! the performance of the played move is compared with those of all others by expectation propagation: each comparison
//! begins with what all the others teach, a few times over, since one pass alone would make the first losers lose most
//! and all moves together lose more than they win. Then what was learned of each performance is shared out over its
//! features by their variances, and the next position begins with these.

use model::ranking::{Rows, Teams};

use super::beliefs::{Beliefs, Normal};
use super::gauss::above;
use super::sets::MoveSets;
use super::{RankingTrainer, Round, State};

/// The settings of the filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TmSettings {
    /// β²: the variance of a performance about a move's strength.
    pub noise: f32,
    /// σ² of every feature before anything is learned.
    pub variance: f32,
}

impl Default for TmSettings {
    fn default() -> Self {
        Self { noise: 1.0, variance: 0.1 }
    }
}

/// The filter.
pub struct Tm {
    settings: TmSettings,
    beliefs: Beliefs,
}

impl Tm {
    /// Nothing is known yet.
    pub fn new(n_features: usize, settings: TmSettings) -> Tm {
        Tm { settings, beliefs: Beliefs::new(n_features, settings.variance) }
    }
}

/// Updates both normals after `winner` performed better than `loser`.
pub fn compare(winner: &mut Normal, loser: &mut Normal) {
    let sum = winner.variance + loser.variance;
    let root = sum.sqrt();
    let (v, w) = above((winner.mean - loser.mean) / root);
    winner.mean += winner.variance / root * v;
    loser.mean -= loser.variance / root * v;
    winner.variance *= 1.0 - winner.variance / sum * w;
    loser.variance *= 1.0 - loser.variance / sum * w;
}

/// Times that all comparisons of a position are gone through.
const N_SWEEPS: usize = 3;

/// Updates the normals after number `played` of them performed best; `messages` is scratch.
pub fn best(moves: &mut [Normal], played: usize, messages: &mut Vec<[f64; 2]>) {
    let prior = moves.to_vec();
    let start = prior[played];
    // Precision and precision times mean: what the comparison with each other move says of the played one.
    messages.clear();
    messages.resize(moves.len(), [0.0; 2]);
    let (mut precision, mut weighted) = (1.0 / start.variance, start.mean / start.variance);
    for _ in 0..N_SWEEPS {
        for (idx, message) in messages.iter_mut().enumerate().filter(|&(idx, _)| idx != played) {
            let (others, others_weighted) = (precision - message[0], weighted - message[1]);
            let mut winner = Normal { mean: others_weighted / others, variance: 1.0 / others };
            let mut loser = prior[idx];
            compare(&mut winner, &mut loser);
            (precision, weighted) = (1.0 / winner.variance, winner.mean / winner.variance);
            *message = [precision - others, weighted - others_weighted];
            moves[idx] = loser;
        }
    }
    moves[played] = Normal { mean: weighted / precision, variance: 1.0 / precision };
}

impl RankingTrainer for Tm {
    fn round(&mut self, sets: &MoveSets, round: &Round) {
        let noise = f64::from(self.settings.noise);
        let (mut teams, mut messages) = (Teams::default(), Vec::new());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (_, position) in round.order(sets.len()) {
            sets.teams(position, &mut teams);
            before.clear();
            before.extend(teams.iter().map(|team| {
                let strength = self.beliefs.of(team);
                Normal { variance: strength.variance + noise, ..strength }
            }));
            after.clone_from(&before);
            best(&mut after, sets.played(position), &mut messages);
            for ((team, before), after) in teams.iter().zip(&before).zip(&after) {
                let shift = (after.mean - before.mean) / before.variance;
                let shrink = (1.0 - after.variance / before.variance) / before.variance;
                self.beliefs.share(team, shift, shrink);
            }
        }
    }

    fn rows(&self) -> Rows {
        self.beliefs.rows()
    }

    fn state(&mut self) -> State<'_> {
        vec![&mut self.beliefs.means[..], &mut self.beliefs.variances[..]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_worked_by_hand() {
        // Two performances N(0, 1): t = 0, v = √(2/π), w = 2/π; c² = 2.
        let (mut winner, mut loser) =
            (Normal { mean: 0.0, variance: 1.0 }, Normal { mean: 0.0, variance: 1.0 });
        compare(&mut winner, &mut loser);
        let (shift, left) = (1.0 / std::f64::consts::PI.sqrt(), 1.0 - 1.0 / std::f64::consts::PI);
        assert!((winner.mean - shift).abs() < 1e-6 && (loser.mean + shift).abs() < 1e-6, "{winner:?}");
        assert!((winner.variance - left).abs() < 1e-6 && (loser.variance - left).abs() < 1e-6);
        // (θ_a − θ_b) / √(σ_a² + σ_b²) = (3 − 1) / √(3 + 1) = 1: v = φ(1)/Φ(1) = 0.287 600, w = v(v + 1) = 0.370 314.
        let (mut winner, mut loser) =
            (Normal { mean: 3.0, variance: 3.0 }, Normal { mean: 1.0, variance: 1.0 });
        compare(&mut winner, &mut loser);
        assert!((winner.mean - (3.0 + 1.5 * 0.287_600)).abs() < 1e-5, "{winner:?}");
        assert!((loser.mean - (1.0 - 0.5 * 0.287_600)).abs() < 1e-5, "{loser:?}");
        assert!((winner.variance - 3.0 * (1.0 - 0.75 * 0.370_314)).abs() < 1e-4, "{winner:?}");
        assert!((loser.variance - (1.0 - 0.25 * 0.370_314)).abs() < 1e-4, "{loser:?}");
    }

    #[test]
    fn the_best_of_many_wins_what_the_others_lose() {
        // The largest of five standard normal numbers has mean 1.163, the others a quarter of that below 0.
        let mut moves = [Normal { mean: 0.0, variance: 1.0 }; 5];
        best(&mut moves, 2, &mut Vec::new());
        assert!((moves[2].mean - 1.163).abs() < 0.03, "{moves:?}");
        let sum: f64 = moves.iter().map(|performance| performance.mean).sum();
        assert!(sum.abs() < 0.01, "{moves:?}");
        assert!(moves.iter().all(|performance| (0.3..1.0).contains(&performance.variance)), "{moves:?}");
    }
}
