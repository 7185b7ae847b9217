//! Elementary functions that give the same bits on every machine. Only additions, multiplications, divisions and
//! `sqrt`, which IEEE 754 defines exactly; no fused operations and no platform library. Without branches, so that loops
//! over columns vectorise. `exp` is shared with the playouts and lives there.

pub use playout::math::{at_least, at_most, exp};

use playout::math::{LN2_HIGH, LN2_LOW};

/// The bits of √½: mantissas are brought into [√½, √2), which is centred on 1.
const SQRT_HALF_BITS: u32 = 0x3f35_04f3;

/// The natural logarithm of a positive, normal number, to about one unit in the last place.
///
/// x = 2ᵉ·m with m in [√½, √2); ln m = 2·artanh(s) with s = (m−1)/(m+1), |s| < 0.172, as its odd power series.
#[inline]
pub fn ln(x: f32) -> f32 {
    let shifted = x.to_bits().wrapping_sub(SQRT_HALF_BITS) as i32;
    let exponent = (shifted >> 23) as f32;
    let m = f32::from_bits(((shifted & 0x007f_ffff) as u32).wrapping_add(SQRT_HALF_BITS));
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = z * (0.666_666_7 + z * (0.4 + z * (0.285_714_3 + z * 0.222_222_22)));
    exponent * LN2_HIGH + (exponent * LN2_LOW + (2.0 * s + s * series))
}

/// The logistic function, 1 / (1 + e⁻ˣ): from a number without bounds to 0..=1.
#[inline]
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent, to about 10⁻⁷ of 1.
#[inline]
pub fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

/// ln(1 + eˣ): a smooth max(0, x), to about 10⁻⁷ of the larger of 1 and x.
#[inline]
pub fn softplus(x: f32) -> f32 {
    let small = exp(-x.abs());
    let log = if small < 1e-3 { small * (1.0 - 0.5 * small) } else { ln(1.0 + small) };
    at_least(x, 0.0) + log
}

/// x · tanh(ln(1 + eˣ)). With e = eˣ the factor is (e² + 2e) / (e² + 2e + 2), which is 1 for every x from 20 on.
#[inline]
pub fn mish(x: f32) -> f32 {
    let e = exp(at_most(x, 20.0));
    let n = e * (e + 2.0);
    x * (n / (n + 2.0))
}

/// x / (1 + e⁻ˣ).
#[inline]
pub fn silu(x: f32) -> f32 {
    x * logistic(x)
}

/// Sine and cosine of an angle of less than some thousand turns, to about 10⁻¹².
///
/// x = k·π/2 + r with |r| ≤ π/4, and the power series of both functions at r.
pub fn sin_cos(x: f64) -> (f64, f64) {
    let k = (x * std::f64::consts::FRAC_2_PI).round();
    let r = x - k * std::f64::consts::FRAC_PI_2;
    let z = r * r;
    let (mut sin, mut cos) = (1.0, 1.0);
    for n in (1..=7u8).rev() {
        let n = f64::from(2 * n);
        cos = 1.0 - cos * z / (n * (n - 1.0));
        sin = 1.0 - sin * z / (n * (n + 1.0));
    }
    sin *= r;
    match k.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Turns scores into probabilities in place, e^x / Σ e^x; the largest score becomes e⁰, so that nothing overflows.
pub fn softmax(scores: &mut [f32]) {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, at_least);
    scores.iter_mut().for_each(|score| *score = exp(*score - highest));
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ln_agrees_with_the_library() {
        let mut x = 1.2e-38f32;
        while x < 3e38 {
            let right = f64::from(x).ln();
            let error = (f64::from(ln(x)) - right).abs();
            assert!(error <= 1.2e-7 * right.abs().max(0.5), "ln({x}) = {} instead of {right}", ln(x));
            x *= 1.000_37;
        }
        assert_eq!(ln(1.0), 0.0);
        for n in 1..=100_000u32 {
            let right = f64::from(n).ln();
            assert!((f64::from(ln(n as f32)) - right).abs() <= 1.2e-7 * right.max(0.5));
        }
    }

    #[test]
    fn ln_has_fixed_bits() {
        // Worked out once; another machine must give the same.
        let bits: Vec<u32> = [2.0, 10.0, 1e7, 0.3].iter().map(|&x| ln(x).to_bits()).collect();
        assert_eq!(bits, [0x3f31_7218, 0x4013_5d8e, 0x4180_f1dc, 0xbf9a_1bc8]);
    }

    #[test]
    fn activations_agree_with_the_library() {
        for step in -3000..=3000 {
            let x = step as f32 * 0.03;
            let wide = f64::from(x);
            let soft = wide.max(0.0) + (-wide.abs()).exp().ln_1p();
            let check = |name: &str, got: f32, right: f64| {
                assert!((f64::from(got) - right).abs() <= 4e-7 * right.abs().max(1.0), "{name}({x}) = {got}");
            };
            check("tanh", tanh(x), wide.tanh());
            check("softplus", softplus(x), soft);
            check("mish", mish(x), wide * soft.tanh());
            check("silu", silu(x), wide / (1.0 + (-wide).exp()));
        }
        assert!([tanh(1e30), mish(1e30) / 1e30, silu(1e30) / 1e30].iter().all(|&one| one == 1.0));
        assert!(mish(-1e30).is_finite() && tanh(-1e30) == -1.0);
    }

    #[test]
    fn sine_and_cosine_agree_with_the_library() {
        for step in -20_000..=20_000 {
            let x = f64::from(step) * 0.01;
            let (sin, cos) = sin_cos(x);
            assert!((sin - x.sin()).abs() < 1e-12 && (cos - x.cos()).abs() < 1e-12, "{x}: {sin} {cos}");
        }
    }

    #[test]
    fn logistic_and_softmax_worked_by_hand() {
        assert_eq!(logistic(0.0), 0.5);
        // e^{ln 3} = 3: ¾ and ¼.
        assert!((logistic(3f32.ln()) - 0.75).abs() < 1e-6 && (logistic(-(3f32.ln())) - 0.25).abs() < 1e-6);
        assert!(logistic(-1e9) >= 0.0 && logistic(1e9) <= 1.0);
        let mut scores = [1000.0, 1000.0 + 3f32.ln(), -1e9];
        softmax(&mut scores);
        assert!((scores[0] - 0.25).abs() < 1e-4 && (scores[1] - 0.75).abs() < 1e-4 && scores[2] < 1e-30);
        softmax(&mut []);
    }
}
