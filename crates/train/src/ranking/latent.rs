//! Bradley-Terry with pairwise interactions: every feature has some latent factors beside its weight, and two features of a
//! move add the product of theirs. [Wistuba & Schmidt-Thieme 2013; with the likelihood of Xiao & Müller 2016]
//!
//! Stochastic gradient descent as in [`super::sgd`]; ∂s/∂w_i = 1 and ∂s/∂v_if = Σ_j v_jf − v_if.

use goban::Rng;
use model::ranking::rows::{MAX_FACTORS, ROW, TeamSums, together};
use model::ranking::{Rows, Teams};

use super::sets::MoveSets;
use super::sgd::{FIRST_SQUARE, NOTHING, spread};
use super::{RankingTrainer, Round, State};

/// The settings of the descent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatentSettings {
    /// Factors of each feature, 1 to [`MAX_FACTORS`].
    pub n_factors: usize,
    /// Step of a weight at the first meeting of its feature.
    pub rate: f32,
    /// The same for factors.
    pub factor_rate: f32,
    /// Pull of all numbers towards 0, per meeting.
    pub pull: f32,
    /// Factors begin with numbers drawn evenly from −start to start.
    pub start: f32,
}

impl Default for LatentSettings {
    fn default() -> Self {
        Self { n_factors: 5, rate: 0.15, factor_rate: 0.05, pull: 1e-5, start: 0.1 }
    }
}

/// The descent.
pub struct Latent {
    settings: LatentSettings,
    rows: Vec<[f32; ROW]>,
    squares: Vec<[f32; ROW]>,
}

impl Latent {
    /// Weights of 0, small factors that follow from the seed.
    pub fn new(n_features: usize, settings: LatentSettings, seed: u64) -> Latent {
        let n_factors = settings.n_factors.clamp(1, MAX_FACTORS);
        let mut rng = Rng::new(seed);
        let mut row = || {
            let mut row = [0.0; ROW];
            row[1..=n_factors].iter_mut().for_each(|x| *x = settings.start * (2.0 * rng.unit() - 1.0));
            row
        };
        Latent {
            settings: LatentSettings { n_factors, ..settings },
            rows: (0..n_features).map(|_| row()).collect(),
            squares: vec![[FIRST_SQUARE; ROW]; n_features],
        }
    }

    /// Moves the rows of a move's features along `gradient`, that of its strength.
    fn step(&mut self, team: &[u32], sums: &TeamSums, gradient: f32, rates: &[f32; ROW]) {
        let pull = self.settings.pull;
        for &feature in team {
            let row = &mut self.rows[feature as usize];
            let squares = &mut self.squares[feature as usize];
            let slope = slopes(row, sums);
            for (((x, square), slope), rate) in row.iter_mut().zip(squares).zip(slope).zip(rates) {
                let gradient = gradient * slope - pull * *x;
                *square += gradient * gradient;
                *x += rate * gradient / square.sqrt();
            }
        }
    }
}

/// ∂s by the numbers of one of the rows in a sum.
#[inline]
fn slopes(row: &[f32; ROW], sums: &TeamSums) -> [f32; ROW] {
    let mut slopes = sums.sum;
    slopes.iter_mut().zip(row).for_each(|(slope, x)| *slope -= x);
    slopes[0] = 1.0;
    slopes
}

impl RankingTrainer for Latent {
    fn round(&mut self, sets: &MoveSets, round: &Round) {
        let LatentSettings { n_factors, rate, factor_rate, .. } = self.settings;
        let (mut teams, mut shares, mut sums) = (Teams::default(), Vec::new(), Vec::new());
        for (done, position) in round.order(sets.len()) {
            // Numbers beyond the factors stay 0.
            let mut rates = [0.0; ROW];
            rates[..=n_factors].fill(factor_rate * round.share_left(done));
            rates[0] = rate * round.share_left(done);
            sets.teams(position, &mut teams);
            sums.clear();
            sums.extend(teams.iter().map(|team| together(&self.rows, team)));
            shares.clear();
            shares.extend(sums.iter().map(TeamSums::strength));
            spread(&mut shares);
            let played = sets.played(position);
            for (idx, (team, &share)) in teams.iter().zip(&shares).enumerate() {
                let gradient = if idx == played { 1.0 - share } else { -share };
                if gradient.abs() > NOTHING {
                    self.step(team, &sums[idx], gradient, &rates);
                }
            }
        }
    }

    fn rows(&self) -> Rows {
        Rows::Factors { n_factors: self.settings.n_factors, rows: self.rows.clone() }
    }

    fn state(&mut self) -> State<'_> {
        vec![self.rows.as_flattened_mut(), self.squares.as_flattened_mut()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let mut latent = Latent::new(6, LatentSettings { start: 0.8, ..LatentSettings::default() }, 3);
        latent.rows[4][0] = 0.7;
        let team = [0, 2, 4, 5];
        let sums = together(&latent.rows, &team);
        for feature in team {
            let slopes = slopes(&latent.rows[feature as usize], &sums);
            for number in 0..=5 {
                let at = |step: f32| {
                    let mut rows = latent.rows.clone();
                    rows[feature as usize][number] += step;
                    f64::from(together(&rows, &team).strength())
                };
                let difference = (at(0.01) - at(-0.01)) / 0.02;
                assert!((difference - f64::from(slopes[number])).abs() < 1e-3, "{feature} {number}");
            }
        }
    }

    #[test]
    fn numbers_beyond_the_factors_stay_0() {
        let latent = Latent::new(20, LatentSettings { n_factors: 2, ..LatentSettings::default() }, 1);
        assert!(latent.rows.iter().all(|row| row[3..] == [0.0; 5] && row[0] == 0.0 && row[1] != 0.0));
    }
}
