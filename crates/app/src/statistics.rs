//! Numbers about numbers of games.

/// The two-sided 95 % quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// The 95 % interval of Wilson's score for a share: `wins` of `n`, where a draw may count as half a win. It stays
/// within 0 to 1 and is honest for few games; without any it says nothing, which is 0 to 1.
pub(crate) fn wilson95(wins: f64, n: u64) -> [f64; 2] {
    if n == 0 {
        return [0.0, 1.0];
    }
    let n = n as f64;
    let (p, z2) = (wins / n, Z95 * Z95);
    let center = p + z2 / (2.0 * n);
    let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    [((center - half) / scale).max(0.0), ((center + half) / scale).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(interval: [f64; 2], expected: [f64; 2]) -> bool {
        interval.iter().zip(expected).all(|(a, b)| (a - b).abs() < 5e-5)
    }

    #[test]
    fn wilson_by_hand() {
        // z² = 3.841459. Half of 10: center (0.5 + 0.192073) / 1.384146 = 0.5, half-width
        // 1.959964 · √(0.025 + 0.0096036) / 1.384146 = 0.263410.
        assert!(near(wilson95(5.0, 10), [0.23659, 0.76341]));
        // All of 10: the lower end is 1 / (1 + z²/10) = 0.722467.
        assert!(near(wilson95(10.0, 10), [0.72247, 1.0]));
        assert!(near(wilson95(0.0, 10), [0.0, 0.27753]));
        // 60 of 100: center 0.619207 / 1.038415 = 0.596300, half-width 1.959964 · √(0.0024 + 0.0000960) / 1.038415.
        assert!(near(wilson95(60.0, 100), [0.50200, 0.69060]));
        // A draw is half a win.
        assert!(near(wilson95(4.5, 9), [0.22653, 0.77347]));
        assert_eq!(wilson95(0.0, 0), [0.0, 1.0]);
    }
}
