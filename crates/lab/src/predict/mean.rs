//! Means over positions that come in games.
//!
//! The mean over all positions is a ratio, m = ΣS_g / Σn_g with S_g the sum and n_g the number of the positions of game g.
//! Games are independent, positions of one game are not, so its standard error is that of a ratio over clusters:
//! SE² = G/(G−1) · Σ(S_g − m·n_g)² / (Σn_g)², G being the number of games. [Cochran 1977, §2.11 and §9]

/// A mean that grows by games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClusterMean {
    n_clusters: f64,
    /// Σ n, Σ n², Σ S, Σ S², Σ S·n.
    n: f64,
    n_sq: f64,
    sum: f64,
    sum_sq: f64,
    sum_n: f64,
}

impl ClusterMean {
    /// Adds a game: the sum over its positions, and their number. A game without positions counts for nothing.
    pub fn add(&mut self, sum: f64, n: u64) {
        if n == 0 {
            return;
        }
        let n = n as f64;
        self.n_clusters += 1.0;
        self.n += n;
        self.n_sq += n * n;
        self.sum += sum;
        self.sum_sq += sum * sum;
        self.sum_n += sum * n;
    }

    /// The mean over all positions; no number without any.
    pub fn mean(&self) -> f64 {
        self.sum / self.n
    }

    /// Its standard error; no number with fewer than two games.
    pub fn standard_error(&self) -> f64 {
        if self.n_clusters < 2.0 {
            return f64::NAN;
        }
        let mean = self.mean();
        let squares = self.sum_sq - 2.0 * mean * self.sum_n + mean * mean * self.n_sq;
        // Rounding may leave a little less than nothing where all games agree.
        let variance = squares.max(0.0) * self.n_clusters / (self.n_clusters - 1.0);
        variance.sqrt() / self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        let mut mean = ClusterMean::default();
        assert!(mean.mean().is_nan() && mean.standard_error().is_nan());
        mean.add(2.0, 1);
        assert!(mean.mean() == 2.0 && mean.standard_error().is_nan());
        mean.add(0.0, 0);
        mean.add(6.0, 2);
        mean.add(4.0, 3);
        // 12 over 6 positions. Residuals 2 − 2, 6 − 4, 4 − 6: squares 0 + 4 + 4 = 8; 3/2 · 8 = 12; √12 / 6.
        assert!((mean.mean() - 2.0).abs() < 1e-12);
        assert!((mean.standard_error() - 12.0_f64.sqrt() / 6.0).abs() < 1e-12);
    }

    #[test]
    fn games_of_one_position_give_the_usual_error() {
        let values = [1.0, 4.0, 2.0, 7.0, 3.5];
        let mut mean = ClusterMean::default();
        values.iter().for_each(|&value| mean.add(value, 1));
        let m = values.iter().sum::<f64>() / 5.0;
        let variance = values.iter().map(|v| (v - m).powi(2)).sum::<f64>() / 4.0;
        assert!((mean.standard_error() - (variance / 5.0).sqrt()).abs() < 1e-12);
    }
}
