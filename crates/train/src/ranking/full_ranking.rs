//! Bayesian full ranking: the played move beat every other move, pair by pair, by Bradley-Terry or by Thurstone-Mosteller.
//! [Weng & Lin 2011, algorithms 1 and 3; Wistuba, Schaefers & Platzner 2012]
//!
//! For each pair of the played move i and another q, with c² = σ_i² + σ_q² + 2β²:
//! Bradley-Terry p_iq = 1 / (1 + e^{(μ_q − μ_i)/c}), Ω_i += σ_i²/c·(1 − p_iq), Δ_i += γ·(σ_i/c)²·p_iq·p_qi;
//! Thurstone-Mosteller with t = (μ_i − μ_q)/c: Ω_i += σ_i²/c·v(t), Δ_i += γ·(σ_i/c)²·w(t); γ = σ_i/c, and the same with the
//! other sign for q. Nothing is said of two moves of which none was played. All pairs are judged by the same beliefs; then
//! μ_f += σ_f²/σ_i²·Ω_i and σ_f² *= max(1 − σ_f²/σ_i²·Δ_i, κ) for each feature f of move i.

use model::ranking::{Rows, Teams};

use super::beliefs::{Beliefs, Normal};
use super::gauss::above;
use super::sets::MoveSets;
use super::{RankingTrainer, Round, State};

/// How probable it is that one move beats another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairModel {
    /// Logistic.
    BradleyTerry,
    /// Normal.
    ThurstoneMosteller,
}

/// The settings of the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FullRankingSettings {
    /// The model of a pair.
    pub pairs: PairModel,
    /// β²: the variance of a performance about a move's strength.
    pub noise: f32,
    /// σ² of every feature before anything is learned.
    pub variance: f32,
}

impl FullRankingSettings {
    /// The usual settings with a model of a pair. A played move learns from every other at once, so the variance is small.
    pub fn new(pairs: PairModel) -> Self {
        Self { pairs, noise: 1.0, variance: 0.002 }
    }
}

/// The ranking.
pub struct FullRanking {
    settings: FullRankingSettings,
    beliefs: Beliefs,
}

impl FullRanking {
    /// Nothing is known yet.
    pub fn new(n_features: usize, settings: FullRankingSettings) -> FullRanking {
        FullRanking { settings, beliefs: Beliefs::new(n_features, settings.variance) }
    }
}

/// The update of one move by its pairs: Ω and Δ.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PairUpdate {
    /// Ω: how far its mean should move.
    pub shift: f64,
    /// Δ: the share by which its variance should shrink.
    pub shrink: f64,
}

/// Adds what it teaches that `winner` beat `loser`.
pub fn judge(pairs: PairModel, noise: f64, moves: [Normal; 2], lessons: [&mut PairUpdate; 2]) {
    let [winner, loser] = moves;
    let c = (winner.variance + loser.variance + 2.0 * noise).sqrt();
    let t = (winner.mean - loser.mean) / c;
    let (surprise, certainty) = match pairs {
        PairModel::BradleyTerry => {
            let p = 1.0 / (1.0 + (-t).exp());
            (1.0 - p, p * (1.0 - p))
        }
        PairModel::ThurstoneMosteller => above(t),
    };
    for ((lesson, belief), sign) in lessons.into_iter().zip(moves).zip([1.0, -1.0]) {
        let share = belief.variance / (c * c);
        lesson.shift += sign * belief.variance / c * surprise;
        lesson.shrink += share.sqrt() * share * certainty;
    }
}

impl RankingTrainer for FullRanking {
    fn round(&mut self, sets: &MoveSets, round: &Round) {
        let FullRankingSettings { pairs, noise, .. } = self.settings;
        let (mut teams, mut moves, mut lessons) = (Teams::default(), Vec::new(), Vec::new());
        for (_, position) in round.order(sets.len()) {
            sets.teams(position, &mut teams);
            moves.clear();
            moves.extend(teams.iter().map(|team| self.beliefs.of(team)));
            lessons.clear();
            lessons.resize(moves.len(), PairUpdate::default());
            let played = sets.played(position);
            let mut won = PairUpdate::default();
            for (idx, lesson) in lessons.iter_mut().enumerate() {
                if idx != played {
                    judge(pairs, f64::from(noise), [moves[played], moves[idx]], [&mut won, lesson]);
                }
            }
            lessons[played] = won;
            for ((team, belief), lesson) in teams.iter().zip(&moves).zip(&lessons) {
                let variance = belief.variance;
                self.beliefs.share(team, lesson.shift / variance, lesson.shrink / variance);
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
    fn pairs_worked_by_hand() {
        // c² = 3 + 1 + 2·0 = 4, t = (3 − 1)/2 = 1.
        let moves = [Normal { mean: 3.0, variance: 3.0 }, Normal { mean: 1.0, variance: 1.0 }];
        let check = |pairs, surprise: f64, certainty: f64| {
            let (mut won, mut lost) = (PairUpdate::default(), PairUpdate::default());
            judge(pairs, 0.0, moves, [&mut won, &mut lost]);
            // σ²/c = 1.5 and 0.5; γ·(σ/c)² = (√3/2)³ and (1/2)³.
            assert!((won.shift - 1.5 * surprise).abs() < 1e-5, "{won:?}");
            assert!((lost.shift + 0.5 * surprise).abs() < 1e-5, "{lost:?}");
            assert!((won.shrink - 0.649_519 * certainty).abs() < 1e-5, "{won:?}");
            assert!((lost.shrink - 0.125 * certainty).abs() < 1e-5, "{lost:?}");
        };
        // 1 / (1 + e) = 0.268 941; 0.268 941 · 0.731 059 = 0.196 612.
        check(PairModel::BradleyTerry, 0.268_941, 0.196_612);
        // φ(1)/Φ(1) = 0.287 600; 0.287 600 · 1.287 600 = 0.370 314.
        check(PairModel::ThurstoneMosteller, 0.287_600, 0.370_314);
    }
}
