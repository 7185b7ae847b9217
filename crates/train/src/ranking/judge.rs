//! How well a model predicts positions that were kept apart.

use model::ranking::{Rows, Teams};

use super::sets::MoveSets;
use super::sgd::spread;

/// Means over positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Of −ln P(played move), nats.
    pub log_loss: f64,
    /// How often the likeliest move was played, 0..=1.
    pub top1: f64,
    /// How often the played move was among the first twenty, 0..=1.
    pub top20: f64,
}

/// Judges a model by all positions of some sets.
pub fn judge(rows: &Rows, sets: &MoveSets) -> Score {
    let (mut loss, mut top1, mut top20) = (0.0, 0u32, 0u32);
    let (mut teams, mut shares) = (Teams::default(), Vec::new());
    for position in 0..sets.len() {
        sets.teams(position, &mut teams);
        shares.clear();
        shares.extend(teams.iter().map(|team| rows.strength(team)));
        spread(&mut shares);
        let own = shares[sets.played(position)];
        loss -= f64::from(own.max(f32::MIN_POSITIVE).ln());
        let n_higher = shares.iter().filter(|&&share| share > own).count();
        top1 += u32::from(n_higher == 0);
        top20 += u32::from(n_higher < 20);
    }
    let n = sets.len().max(1) as f64;
    Score { log_loss: loss / n, top1: f64::from(top1) / n, top20: f64::from(top20) / n }
}

/// Positions from which a scale is found.
const N_SCALED: usize = 20_000;

/// The factor by which strengths should be multiplied so that e^s gives the best probabilities: trainers that compare pairs
/// leave it open. Newton's method on the log loss, which is convex in it.
pub fn scale(rows: &Rows, sets: &MoveSets) -> f32 {
    let step = sets.len().div_ceil(N_SCALED).max(1);
    let mut teams = Teams::default();
    let mut strengths: Vec<(Vec<f32>, f32)> = Vec::new();
    for position in (0..sets.len()).step_by(step) {
        sets.teams(position, &mut teams);
        let all: Vec<f32> = teams.iter().map(|team| rows.strength(team)).collect();
        let own = all[sets.played(position)];
        strengths.push((all, own));
    }
    let mut factor = 1.0f64;
    for _ in 0..30 {
        let (mut slope, mut bend) = (0.0, 1e-9);
        for (all, own) in &strengths {
            let highest = all.iter().copied().fold(f32::MIN, f32::max);
            let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
            for &strength in all {
                let x = f64::from(strength);
                let weight = (factor * f64::from(strength - highest)).exp();
                sum += weight;
                first += weight * x;
                second += weight * x * x;
            }
            let mean = first / sum;
            slope += mean - f64::from(*own);
            bend += second / sum - mean * mean;
        }
        // Half and double at most: a step too far would overflow.
        let next = (factor - slope / bend).clamp(0.5 * factor, 2.0 * factor);
        let is_there = (next - factor).abs() < 1e-6 * factor;
        factor = next;
        if is_there {
            break;
        }
    }
    factor as f32
}

/// A model whose strengths are multiplied; only weights can be.
pub fn scaled(rows: Rows, factor: f32) -> Rows {
    match rows {
        Rows::Weights(weights) => Rows::Weights(weights.iter().map(|weight| factor * weight).collect()),
        factors @ Rows::Factors { .. } => factors,
    }
}
