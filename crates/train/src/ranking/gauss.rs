//! The normal distribution, and what a comparison teaches about one.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The density of the standard normal distribution.
pub fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

/// Its distribution function Φ, to about 10⁻⁷. [Abramowitz & Stegun 7.1.26]
pub fn cumulative(x: f64) -> f64 {
    let z = x.abs() * FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = 0.5 * series * (-z * z).exp();
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// v(t) = φ(t) / Φ(t) and w(t) = v·(v + t), 0..1: how far the mean of a difference moves, and by which share its variance
/// shrinks, when it is found to be above 0. [Herbrich, Minka & Graepel 2006]
pub fn above(t: f64) -> (f64, f64) {
    if t < -2.0 {
        let v = tail_ratio(-t);
        return (v, (v * (v + t)).clamp(0.0, 1.0));
    }
    let v = density(t) / cumulative(t);
    (v, (v * (v + t)).clamp(0.0, 1.0))
}

/// φ(x) / Φ(−x) for x ≥ 2: x + 1/(x + 2/(x + 3/(x + …))).
fn tail_ratio(x: f64) -> f64 {
    (1..=40).rev().fold(x, |rest, n| x + f64::from(n) / rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (x, right) in [(0.0, 0.5), (1.0, 0.841_344_75), (-1.0, 0.158_655_25), (2.5, 0.993_790_33)] {
            assert!((cumulative(x) - right).abs() < 2e-7, "{x}");
        }
        // v(0) = √(2/π), w(0) = 2/π.
        let (v, w) = above(0.0);
        assert!((v - (2.0 / PI).sqrt()).abs() < 1e-6 && (w - 2.0 / PI).abs() < 1e-6);
        // Nothing is learned from what was sure; everything from what was held impossible.
        assert!(above(8.0).0 < 1e-10 && (above(-40.0).1 - 1.0).abs() < 0.01);
        // Both forms meet at −2; φ(4) / Φ(−4) = 4.225 607 1.
        let (near, far) = (above(-1.999_999), above(-2.000_001));
        assert!((near.0 - far.0).abs() < 1e-5, "{near:?} {far:?}");
        assert!((above(-4.0).0 - 4.225_607_1).abs() < 1e-5, "{:?}", above(-4.0));
    }
}
