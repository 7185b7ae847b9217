//! Bradley-Terry by stochastic gradient descent: −ln P(played move) is made small one position after the other, with steps
//! that shrink for features that were often met. [Duchi, Hazan & Singer 2011]

use model::ranking::{Rows, Teams};

use super::sets::MoveSets;
use super::{RankingTrainer, Round, State};

/// The settings of the descent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SgdSettings {
    /// Step at the first meeting of a feature, in ln γ.
    pub rate: f32,
    /// Pull of all weights towards γ = 1, per meeting.
    pub pull: f32,
}

impl Default for SgdSettings {
    fn default() -> Self {
        Self { rate: 0.15, pull: 1e-5 }
    }
}

/// Gradients below this are left out, which saves most of the time.
pub(super) const NOTHING: f32 = 1e-4;
/// Sums of squared gradients begin with this, which keeps the first steps from being wild.
pub(super) const FIRST_SQUARE: f32 = 1e-3;

/// The descent.
pub struct Sgd {
    settings: SgdSettings,
    weights: Vec<f32>,
    squares: Vec<f32>,
}

impl Sgd {
    /// Every feature begins with γ = 1.
    pub fn new(n_features: usize, settings: SgdSettings) -> Sgd {
        Sgd { settings, weights: vec![0.0; n_features], squares: vec![FIRST_SQUARE; n_features] }
    }

    fn step(&mut self, team: &[u32], gradient: f32, rate: f32) {
        for &feature in team {
            let feature = feature as usize;
            let (weight, square) = (&mut self.weights[feature], &mut self.squares[feature]);
            let gradient = gradient - self.settings.pull * *weight;
            *square += gradient * gradient;
            *weight += rate * gradient / square.sqrt();
        }
    }
}

/// P of every move by their strengths, in place.
pub(super) fn spread(strengths: &mut [f32]) {
    let highest = strengths.iter().copied().fold(f32::MIN, f32::max);
    strengths.iter_mut().for_each(|strength| *strength = (*strength - highest).exp());
    let sum: f32 = strengths.iter().sum();
    strengths.iter_mut().for_each(|share| *share /= sum);
}

impl RankingTrainer for Sgd {
    fn round(&mut self, sets: &MoveSets, round: &Round) {
        let (mut teams, mut shares) = (Teams::default(), Vec::new());
        for (done, position) in round.order(sets.len()) {
            let rate = self.settings.rate * round.share_left(done);
            sets.teams(position, &mut teams);
            shares.clear();
            let strength = |team: &[u32]| team.iter().map(|&f| self.weights[f as usize]).sum::<f32>();
            shares.extend(teams.iter().map(strength));
            spread(&mut shares);
            let played = sets.played(position);
            for (idx, (team, &share)) in teams.iter().zip(&shares).enumerate() {
                let gradient = if idx == played { 1.0 - share } else { -share };
                if gradient.abs() > NOTHING {
                    self.step(team, gradient, rate);
                }
            }
        }
    }

    fn rows(&self) -> Rows {
        Rows::Weights(self.weights.clone())
    }

    fn state(&mut self) -> State<'_> {
        vec![&mut self.weights[..], &mut self.squares[..]]
    }
}
