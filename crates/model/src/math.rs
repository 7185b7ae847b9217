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
