//! Elementary functions that give the same bits on every machine. Only additions, multiplications, divisions and
//! `sqrt`, which IEEE 754 defines exactly; no fused operations and no platform library. Without branches, so that loops
//! over columns vectorise.

/// The natural logarithm of a positive, normal number, to about one unit in the last place.
///
/// x = 2ᵉ·m with m in [√½, √2); ln m = 2·artanh(s) with s = (m−1)/(m+1), |s| < 0.172, as its odd power series.
#[inline]
pub fn ln(x: f32) -> f32 {
    const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
    const LN2_HIGH: f32 = 0.693_145_75;
    const LN2_LOW: f32 = 1.428_606_8e-6;
    let shifted = x.to_bits().wrapping_sub(SQRT_HALF_BITS) as i32;
    let exponent = (shifted >> 23) as f32;
    let m = f32::from_bits(((shifted & 0x007f_ffff) as u32).wrapping_add(SQRT_HALF_BITS));
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = z * (0.666_666_7 + z * (0.4 + z * (0.285_714_3 + z * 0.222_222_22)));
    exponent * LN2_HIGH + (exponent * LN2_LOW + (2.0 * s + s * series))
}

/// The place of the largest score, or `None` if there are none. Scores are never NaN; equal ones are decided by `draw`,
/// which gets their number and is not asked when there is one.
pub fn argmax(scores: &[f32], draw: impl FnOnce(u32) -> u32) -> Option<usize> {
    debug_assert!(scores.iter().all(|score| !score.is_nan()), "a score is not a number");
    let best = max(scores);
    let n_equal: u32 = scores.iter().map(|&score| u32::from(score == best)).sum();
    let nth = if n_equal > 1 { draw(n_equal) as usize } else { 0 };
    scores.iter().enumerate().filter(|(_, score)| **score == best).nth(nth).map(|(idx, _)| idx)
}

/// The largest of the numbers, −∞ if there are none. Eight at a time, since the order of comparisons is free.
fn max(numbers: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let (chunks, rest) = numbers.as_chunks::<8>();
    let mut lanes = [f32::NEG_INFINITY; 8];
    for chunk in chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, x);
        }
    }
    lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |best, &x| larger(best, x))
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
    fn argmax_draws_among_equals_only() {
        let scores = [1.0, 3.0, 3.0, 2.0, 3.0];
        let nth = |nth| move |n| if n == 3 { nth } else { panic!("three are equal") };
        assert_eq!([0, 1, 2].map(|n| argmax(&scores, nth(n))), [Some(1), Some(2), Some(4)]);
        assert_eq!(argmax(&scores[3..], |_| panic!("nothing to draw")), Some(1));
        assert_eq!(argmax(&[], |_| panic!("nothing to draw")), None);
        assert_eq!(argmax(&[f32::NEG_INFINITY; 2], |n| n - 1), Some(1));
        let long: Vec<f32> = (0..100u16).map(|x| f32::from(x * 37 % 101)).collect();
        let best = long.iter().copied().fold(0.0, f32::max);
        assert_eq!(long[argmax(&long, |_| 0).unwrap()], best);
    }
}
