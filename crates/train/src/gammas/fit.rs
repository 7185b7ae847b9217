//! The descent.

use goban::Rng;
use mcts::prior::tactics::table;

use super::Positions;

/// How it is fitted.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Times that all positions are gone through.
    pub epochs: usize,
    /// Step at the first meeting of a feature, in ln γ.
    pub rate: f32,
    /// Pull of all weights towards γ = 1, per meeting.
    pub pull: f32,
    /// Every tenth position is kept to judge by; the seed says in which order the others come.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { epochs: 12, rate: 0.15, pull: 1e-5, seed: 1 }
    }
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Fit {
    /// ln γ by feature.
    pub weights: Vec<f32>,
    /// Mean of −ln P(played move) over the positions that were kept, nats.
    pub log_loss: f64,
    /// How often the likeliest move was played there, 0..=1.
    pub top1: f64,
}

/// One position of so many is kept to judge by.
const KEPT: usize = 10;
/// Gradients below this are left out, which saves most of the time.
const NOTHING: f32 = 1e-4;

/// Fits the weights; `each` is told what has been found after every epoch.
pub fn fit(positions: &Positions, settings: &Settings, mut each: impl FnMut(usize, &Fit)) -> Fit {
    let mut rng = Rng::new(settings.seed);
    let mut found = Fit { weights: vec![0.0; table::N_FEATURES], log_loss: f64::NAN, top1: f64::NAN };
    // Sums of squared gradients; the start keeps the first steps from being wild.
    let mut squares = vec![1e-3f32; table::N_FEATURES];
    let mut order: Vec<usize> = (0..positions.len()).filter(|idx| idx % KEPT != 0).collect();
    let mut shares = Vec::new();
    for epoch in 0..settings.epochs {
        let rate = settings.rate / (1.0 + epoch as f32 / 2.0);
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last as u32 + 1) as usize);
        }
        for &position in &order {
            let (moves, played) = positions.moves(position);
            spread(positions, position, &found.weights, &mut shares);
            for (idx, (mv, &share)) in moves.zip(&shares).enumerate() {
                let gradient = if idx == played { 1.0 - share } else { -share };
                if gradient.abs() > NOTHING {
                    step(
                        positions.features(mv),
                        gradient,
                        rate,
                        settings.pull,
                        &mut found.weights,
                        &mut squares,
                    );
                }
            }
        }
        (found.log_loss, found.top1) = judge(positions, &found.weights);
        each(epoch, &found);
    }
    found
}

/// P of every move of a position.
fn spread(positions: &Positions, position: usize, weights: &[f32], out: &mut Vec<f32>) {
    let (moves, _) = positions.moves(position);
    out.clear();
    out.extend(moves.map(|mv| positions.features(mv).iter().map(|&idx| weights[idx as usize]).sum::<f32>()));
    let highest = out.iter().copied().fold(f32::MIN, f32::max);
    out.iter_mut().for_each(|weight| *weight = (*weight - highest).exp());
    let sum: f32 = out.iter().sum();
    out.iter_mut().for_each(|share| *share /= sum);
}

/// Moves the weights of some features by a gradient.
fn step(features: &[u32], gradient: f32, rate: f32, pull: f32, weights: &mut [f32], squares: &mut [f32]) {
    for &idx in features {
        let (weight, square) = (&mut weights[idx as usize], &mut squares[idx as usize]);
        let gradient = gradient - pull * *weight;
        *square += gradient * gradient;
        *weight += rate * gradient / square.sqrt();
    }
}

/// Log loss and share of first choices over the positions that were kept.
fn judge(positions: &Positions, weights: &[f32]) -> (f64, f64) {
    let (mut loss, mut hits, mut n) = (0.0, 0.0, 0.0);
    let mut shares = Vec::new();
    for position in (0..positions.len()).step_by(KEPT) {
        let (_, played) = positions.moves(position);
        spread(positions, position, weights, &mut shares);
        loss -= f64::from(shares[played]).max(1e-30).ln();
        hits += f64::from(u8::from(shares.iter().all(|&share| share <= shares[played])));
        n += 1.0;
    }
    (loss / n, hits / n)
}
