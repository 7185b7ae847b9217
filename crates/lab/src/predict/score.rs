//! The score of one prediction once the move is known.

use crate::error::{Error, Result};

/// How far the curve of right predictions goes: top-1 to top-50.
pub const N_TOP: usize = 50;

/// One prediction and the move that was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionScore {
    /// −ln P(played move), in nats.
    pub loss: f64,
    /// Moves rated higher than the played one.
    pub n_higher: usize,
    /// Moves rated as high, itself included.
    pub n_equal: usize,
    /// Legal moves.
    pub n_moves: usize,
    /// Whether the played move was held impossible.
    pub is_impossible: bool,
}

impl PredictionScore {
    /// Scores weights of the legal moves, of which number `played` was played. `mixed` is the share of the uniform
    /// distribution in P, 0..=1.
    ///
    /// # Errors
    /// When a weight is no number or negative.
    pub fn new(weights: &[f64], played: usize, mixed: f64) -> Result<Self> {
        if let Some(weight) = weights.iter().find(|weight| !(0.0..f64::INFINITY).contains(*weight)) {
            return Err(Error::input(format!(
                "the predictor gave a move the weight {weight}; expected 0 or more"
            )));
        }
        let n_moves = weights.len();
        let sum: f64 = weights.iter().sum();
        let (uniform, own) = (1.0 / n_moves as f64, weights[played]);
        let p = if sum > 0.0 { (1.0 - mixed) * own / sum + mixed * uniform } else { uniform };
        Ok(Self {
            loss: -p.ln(),
            n_higher: weights.iter().filter(|&&weight| weight > own).count(),
            n_equal: weights.iter().filter(|&&weight| weight == own).count(),
            n_moves,
            is_impossible: sum > 0.0 && own == 0.0,
        })
    }

    /// The probability that the played move is among the first `k` when ties are broken by lot, 0..=1.
    pub fn hit(&self, k: usize) -> f64 {
        let n_left = k.saturating_sub(self.n_higher);
        (n_left as f64 / self.n_equal as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        // Four moves, P = 0.5, 0.25, 0.25, 0 before a tenth of the uniform 0.25 is mixed in.
        let weights = [2.0, 1.0, 1.0, 0.0];
        let score = PredictionScore::new(&weights, 1, 0.1).unwrap();
        // 0.9 · 0.25 + 0.1 · 0.25 = 0.25.
        assert!((score.loss - 4.0_f64.ln()).abs() < 1e-12);
        assert_eq!((score.n_higher, score.n_equal, score.is_impossible), (1, 2, false));
        // First place is taken; the second is a lot between two.
        assert_eq!([1, 2, 3, 4].map(|k| score.hit(k)), [0.0, 0.5, 1.0, 1.0]);
        let last = PredictionScore::new(&weights, 3, 0.1).unwrap();
        assert!((last.loss - 40.0_f64.ln()).abs() < 1e-12 && last.is_impossible);
        assert_eq!([3, 4].map(|k| last.hit(k)), [0.0, 1.0]);
        // 0.9 · 0.5 + 0.025.
        assert!((PredictionScore::new(&weights, 0, 0.1).unwrap().loss + 0.475_f64.ln()).abs() < 1e-12);
        assert_eq!(PredictionScore::new(&weights, 3, 0.0).unwrap().loss, f64::INFINITY);
    }

    #[test]
    fn silence_is_uniform_and_nonsense_is_refused() {
        let silent = PredictionScore::new(&[0.0; 5], 2, 0.0).unwrap();
        assert!((silent.loss - 5.0_f64.ln()).abs() < 1e-12 && !silent.is_impossible);
        assert_eq!([1, 2, 5, 6].map(|k| silent.hit(k)), [0.2, 0.4, 1.0, 1.0]);
        for bad in [f64::NAN, -1.0, f64::INFINITY] {
            assert!(PredictionScore::new(&[1.0, bad], 0, 0.0).is_err(), "{bad}");
        }
    }
}
