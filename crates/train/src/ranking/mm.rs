//! Bradley-Terry by minorization-maximization: γ_i ← W_i / Σ_j C_ij / E_j, one group of features after the other.
//! [Coulom 2007, after Hunter 2004]
//!
//! W_i counts the positions whose played move has feature i; E_j is the sum of the strengths of position j's moves, and C_ij
//! that of the moves with feature i, γ_i taken out. Since γ_i·C_ij/E_j is the probability of a move with feature i, the new
//! γ_i is the old one times the number of such moves that were played by the number that was expected. A move has at most
//! one feature of a group, so all of a group can be changed at once and the likelihood never falls.
//!
//! Each feature has also won and lost `prior` games against one of strength 1, which keeps γ between nothing and
//! infinity: (W + prior) / (Σ C/E + 2·prior / (1 + γ)).

use model::ranking::Rows;

use super::sets::{Column, MoveSets};
use super::{RankingTrainer, Round, State};

/// The settings of the maximization.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MmSettings {
    /// Games won, and as many lost, against strength 1.
    pub prior: f32,
}

impl Default for MmSettings {
    fn default() -> Self {
        Self { prior: 1.0 }
    }
}

/// The maximization; a round goes through all groups once.
pub struct Mm {
    settings: MmSettings,
    /// ln γ.
    weights: Vec<f32>,
}

impl Mm {
    /// Every feature begins with γ = 1.
    pub fn new(n_features: usize, settings: MmSettings) -> Mm {
        Mm { settings, weights: vec![0.0; n_features] }
    }

    /// The strengths of all moves, e^{Σ w}.
    fn strengths(&self, sets: &MoveSets, columns: &[Column]) -> Vec<f32> {
        let mut strengths = vec![0.0; sets.n_moves()];
        for column in columns {
            for (mv, strength) in strengths.iter_mut().enumerate() {
                *strength += sets.feature(column, mv).map_or(0.0, |feature| self.weights[feature]);
            }
        }
        strengths.iter_mut().for_each(|strength| *strength = strength.exp());
        strengths
    }

    /// Changes the features of one column, and the strengths of the moves with them.
    fn improve(&mut self, sets: &MoveSets, column: &Column, strengths: &mut [f32], counts: &mut Counts) {
        counts.clear();
        for position in 0..sets.len() {
            let moves = sets.moves(position);
            let sum: f32 = strengths[moves.clone()].iter().sum();
            let played = moves.start + sets.played(position);
            for mv in moves {
                if let Some(feature) = sets.feature(column, mv) {
                    counts.expect(feature, strengths[mv] / sum);
                    counts.wins[feature] += u32::from(mv == played);
                }
            }
        }
        let prior = f64::from(self.settings.prior);
        for &feature in &counts.met {
            let gamma = f64::from(self.weights[feature]).exp();
            let (wins, expected) = (f64::from(counts.wins[feature]), counts.expected[feature]);
            // Both counts are multiplied by γ, so that the first is the number of expected wins.
            let ratio = (wins + prior) / (expected + 2.0 * prior * gamma / (1.0 + gamma));
            // A feature that never wins and has no prior goes towards 0, a step at a time.
            let step = ratio.max(1e-6).ln() as f32;
            self.weights[feature] += step;
            counts.ratios[feature] = step.exp();
        }
        for (mv, strength) in strengths.iter_mut().enumerate() {
            if let Some(feature) = sets.feature(column, mv) {
                *strength *= counts.ratios[feature];
            }
        }
    }
}

/// Wins and expected wins of the features of one column.
struct Counts {
    wins: Vec<u32>,
    expected: Vec<f64>,
    ratios: Vec<f32>,
    is_met: Vec<bool>,
    met: Vec<usize>,
}

impl Counts {
    fn new(n: usize) -> Counts {
        Counts {
            wins: vec![0; n],
            expected: vec![0.0; n],
            ratios: vec![1.0; n],
            is_met: vec![false; n],
            met: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for feature in self.met.drain(..) {
            (self.wins[feature], self.expected[feature]) = (0, 0.0);
            (self.ratios[feature], self.is_met[feature]) = (1.0, false);
        }
    }

    #[inline]
    fn expect(&mut self, feature: usize, share: f32) {
        self.expected[feature] += f64::from(share);
        if !self.is_met[feature] {
            self.is_met[feature] = true;
            self.met.push(feature);
        }
    }
}

impl RankingTrainer for Mm {
    fn round(&mut self, sets: &MoveSets, _: &Round) {
        let columns = sets.columns();
        let mut strengths = self.strengths(sets, &columns);
        let mut counts = Counts::new(sets.n_features());
        for column in &columns {
            self.improve(sets, column, &mut strengths, &mut counts);
        }
    }

    fn rows(&self) -> Rows {
        Rows::Weights(self.weights.clone())
    }

    fn state(&mut self) -> State<'_> {
        vec![&mut self.weights[..]]
    }
}
