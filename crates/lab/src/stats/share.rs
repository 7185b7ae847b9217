//! The share of points and its interval.

use super::gamma::upper_share;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The 95 % interval of Wilson's score for a share: `points` of `n` games, where a draw may count as half a win. It stays
/// within 0 to 1 and is honest for few games; without any it says nothing, which is 0 to 1.
///
/// Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22.
pub fn wilson95(points: f64, n: u64) -> [f64; 2] {
    if n == 0 {
        return [0.0, 1.0];
    }
    wilson(points / n as f64, n as f64, Z95)
}

/// Wilson's interval for the share `p` of `n` trials, which need not be a whole number, at `z` standard deviations.
pub fn wilson(p: f64, n: f64, z: f64) -> [f64; 2] {
    if n <= 0.0 {
        return [0.0, 1.0];
    }
    let z2 = z * z;
    let center = p + z2 / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // The ends of "none" and "all" are exactly 0 and 1, which rounding would miss by a hair.
    let low = if p <= 0.0 { 0.0 } else { (center - half) / scale };
    let high = if p >= 1.0 { 1.0 } else { (center + half) / scale };
    [low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)]
}

/// The probability that a normal variable of mean 0 and variance 1 lies below `z`.
pub fn normal_cdf(z: f64) -> f64 {
    // Beyond |z| on one side lies half of what lies beyond it on both.
    let beyond = 0.5 * upper_share(0.5, 0.5 * z * z);
    if z < 0.0 { beyond } else { 1.0 - beyond }
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
        assert_eq!(wilson95(7.0, 7)[1], 1.0);
        assert_eq!(wilson95(0.0, 7)[0], 0.0);
    }

    #[test]
    fn the_published_example_of_wilsons_interval() {
        // Newcombe (1998), "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, table I,
        // method 3: 81/263 gives 0.2553 to 0.3662; 15/148: 0.0624 to 0.1605; 0/20: 0 to 0.1611; 1/29: 0.0061 to 0.1718.
        for (x, n, expected) in [
            (81.0, 263, [0.2553, 0.3662]),
            (15.0, 148, [0.0624, 0.1605]),
            (0.0, 20, [0.0, 0.1611]),
            (1.0, 29, [0.0061, 0.1718]),
        ] {
            assert!(near(wilson95(x, n), expected), "{x}/{n}: {:?}", wilson95(x, n));
        }
    }

    #[test]
    fn the_normal_distribution() {
        assert_eq!(normal_cdf(0.0), 0.5);
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-9);
        assert!((normal_cdf(-1.0) - 0.158_655_254).abs() < 1e-8);
        assert_eq!(normal_cdf(60.0), 1.0);
    }
}
