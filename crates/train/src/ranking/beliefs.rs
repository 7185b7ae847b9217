//! Normal beliefs about what features are worth: a mean and a variance each. A move's strength is the sum over its features.

use model::ranking::Rows;

/// Beliefs by feature.
#[derive(Debug, Clone)]
pub struct Beliefs {
    /// μ.
    pub means: Vec<f32>,
    /// σ².
    pub variances: Vec<f32>,
}

/// A mean and a variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normal {
    /// μ.
    pub mean: f64,
    /// σ².
    pub variance: f64,
}

/// No variance falls below this: there is always something to learn.
const LEAST_VARIANCE: f32 = 1e-6;

impl Beliefs {
    /// The same belief about every feature, with mean 0.
    pub fn new(n_features: usize, variance: f32) -> Beliefs {
        Beliefs { means: vec![0.0; n_features], variances: vec![variance; n_features] }
    }

    /// The belief about the strength of a move with these features.
    pub fn of(&self, team: &[u32]) -> Normal {
        let sum = |numbers: &[f32]| team.iter().map(|&f| f64::from(numbers[f as usize])).sum();
        Normal { mean: sum(&self.means), variance: sum(&self.variances) }
    }

    /// Shares out what was learned of a move's strength: each feature's mean moves by σ² times `shift`, and its
    /// variance shrinks by the share σ² times `shrink`.
    pub fn share(&mut self, team: &[u32], shift: f64, shrink: f64) {
        for &feature in team {
            let (mean, variance) = (&mut self.means[feature as usize], &mut self.variances[feature as usize]);
            let old = f64::from(*variance);
            *mean += (old * shift) as f32;
            // Many moves of a position may say something of one feature: never more than all is taken away.
            *variance = ((old * (1.0 - old * shrink).max(0.1)) as f32).max(LEAST_VARIANCE);
        }
    }

    /// The means, as weights.
    pub fn rows(&self) -> Rows {
        Rows::Weights(self.means.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_shares() {
        let mut beliefs = Beliefs::new(3, 0.5);
        beliefs.means[2] = 1.0;
        assert_eq!(beliefs.of(&[0, 2]), Normal { mean: 1.0, variance: 1.0 });
        beliefs.share(&[0, 2], 0.2, 0.4);
        assert!((beliefs.means[0] - 0.1).abs() < 1e-6 && (beliefs.means[2] - 1.1).abs() < 1e-6);
        // 0.5 · (1 − 0.5 · 0.4).
        assert!((beliefs.variances[0] - 0.4).abs() < 1e-6);
        assert_eq!((beliefs.means[1], beliefs.variances[1]), (0.0, 0.5));
    }
}
