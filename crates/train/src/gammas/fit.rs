//! The descent.

use std::convert::Infallible;

use goban::{Rng, Rules};
use model::tactics::PatternTable;
use model::tactics::weights::N_FEATURES;
use records::RecordedGame;

use super::Moves;

/// The settings of the fit.
#[derive(Debug, Clone)]
pub struct FitSettings {
    /// Times that all games are gone through.
    pub epochs: usize,
    /// Positions drawn from each game each time.
    pub positions: usize,
    /// Step at the first meeting of a feature, in ln γ.
    pub rate: f32,
    /// Pull of all weights towards γ = 1, per meeting.
    pub pull: f32,
    /// The seed says which positions are drawn, and in which order the games come.
    pub seed: u64,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { epochs: 3, positions: 12, rate: 0.15, pull: 1e-5, seed: 1 }
    }
}

/// The fitted weights, and how well they predict.
#[derive(Debug, Clone)]
pub struct GammaFit {
    /// ln γ by feature, then by slot of a circle.
    pub weights: Vec<f32>,
    /// How often each of them was met.
    pub n_met: Vec<u32>,
    /// Positions learned from.
    pub n_positions: usize,
    /// Mean of −ln P(played move) in the games that were kept, nats.
    pub log_loss: f64,
    /// How often the likeliest move was played there, 0..=1.
    pub top1: f64,
}

/// Games for each one that is kept to judge by.
pub const KEPT: usize = 20;
/// Gradients below this are left out, which saves most of the time.
const NOTHING: f32 = 1e-4;

/// The games to learn from and those to judge by.
pub fn keep_some(games: Vec<RecordedGame>) -> (Vec<RecordedGame>, Vec<RecordedGame>) {
    let (mut learned, mut kept) = (Vec::new(), Vec::new());
    for (idx, game) in games.into_iter().enumerate() {
        if idx % KEPT == 0 { kept.push(game) } else { learned.push(game) }
    }
    (learned, kept)
}

/// Fits the weights to `games`; `each` gets the fit after every epoch, judged by the games that were `kept`.
pub fn fit(
    games: &[RecordedGame],
    kept: &[RecordedGame],
    known: &PatternTable,
    settings: &FitSettings,
    mut each: impl FnMut(usize, &GammaFit),
) -> GammaFit {
    let n_weights = N_FEATURES + known.n_slots();
    let mut found = GammaFit {
        weights: vec![0.0; n_weights],
        n_met: vec![0; n_weights],
        n_positions: 0,
        log_loss: f64::NAN,
        top1: f64::NAN,
    };
    // Sums of squared gradients; the start keeps the first steps from being wild.
    let mut squares = vec![1e-3f32; n_weights];
    let mut rng = Rng::new(settings.seed);
    let mut order: Vec<&RecordedGame> = games.iter().collect();
    let mut shares = Vec::new();
    for epoch in 0..settings.epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last as u32 + 1) as usize);
        }
        for (number, game) in order.iter().enumerate() {
            let done = epoch as f32 + number as f32 / order.len() as f32;
            let rate = settings.rate * (1.0 - done / settings.epochs as f32).max(0.02);
            draw(game, settings.positions, known, &mut rng, &mut |moves| {
                found.n_positions += 1;
                spread(moves, &found.weights, &mut shares);
                for (idx, (features, &share)) in moves.iter().zip(&shares).enumerate() {
                    let gradient = if idx == moves.played { 1.0 - share } else { -share };
                    if gradient.abs() > NOTHING {
                        found.step(features, gradient, rate, settings.pull, &mut squares);
                    }
                }
            });
        }
        found.judge(kept, known, settings);
        each(epoch, &found);
    }
    found
}

/// Draws positions from a game.
fn draw(
    game: &RecordedGame,
    n_wanted: usize,
    known: &PatternTable,
    rng: &mut Rng,
    each: &mut dyn FnMut(&Moves),
) {
    let n_moves = game.plays().count() as u32;
    if n_moves == 0 {
        return;
    }
    let mut wanted: Vec<u32> = (0..n_wanted).map(|_| rng.below(n_moves)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut moves = Moves::default();
    let (mut number, mut rest) = (0, wanted.as_slice());
    // A game that cannot be followed to its end still has its beginning.
    let _ = game.replay(Rules::CHINESE, 0.0, |position, play| {
        if rest.first() == Some(&number) {
            rest = &rest[1..];
            if moves.fill(position, play.vertex, known) {
                each(&moves);
            }
        }
        number += 1;
        Ok::<_, Infallible>(!rest.is_empty())
    });
}

/// P of every move of a position.
fn spread(moves: &Moves, weights: &[f32], out: &mut Vec<f32>) {
    out.clear();
    out.extend(moves.iter().map(|features| features.iter().map(|&idx| weights[idx as usize]).sum::<f32>()));
    let highest = out.iter().copied().fold(f32::MIN, f32::max);
    out.iter_mut().for_each(|weight| *weight = (*weight - highest).exp());
    let sum: f32 = out.iter().sum();
    out.iter_mut().for_each(|share| *share /= sum);
}

impl GammaFit {
    /// Moves the weights of some features by a gradient.
    fn step(&mut self, features: &[u32], gradient: f32, rate: f32, pull: f32, squares: &mut [f32]) {
        for &idx in features {
            let idx = idx as usize;
            let (weight, square) = (&mut self.weights[idx], &mut squares[idx]);
            let gradient = gradient - pull * *weight;
            *square += gradient * gradient;
            *weight += rate * gradient / square.sqrt();
            self.n_met[idx] = self.n_met[idx].saturating_add(1);
        }
    }

    /// Log loss and share of first choices in the games that were kept; the same positions each time.
    fn judge(&mut self, kept: &[RecordedGame], known: &PatternTable, settings: &FitSettings) {
        let (mut loss, mut hits, mut n) = (0.0, 0.0, 0.0);
        let mut shares = Vec::new();
        let mut rng = Rng::new(settings.seed ^ 1 << 32);
        for game in kept {
            draw(game, settings.positions, known, &mut rng, &mut |moves| {
                spread(moves, &self.weights, &mut shares);
                let played = shares[moves.played];
                loss -= f64::from(played.max(f32::MIN_POSITIVE).ln());
                hits += f64::from(u8::from(shares.iter().all(|&share| share <= played)));
                n += 1.0;
            });
        }
        (self.log_loss, self.top1) = (loss / n, hits / n);
    }
}
