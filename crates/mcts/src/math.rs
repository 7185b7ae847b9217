//! Elementary functions that give the same bits on every machine. Only additions, multiplications, divisions and
//! `sqrt`, which IEEE 754 defines exactly; no fused operations and no platform library. Without branches, so that loops
//! over columns vectorise. `exp` is shared with the playouts, `ln` with the networks; they live there.

pub use model::math::ln;
pub use playout::math::{at_least, at_most, exp};

/// The bits of √½: mantissas are brought into [√½, √2), which is centred on 1.
const SQRT_HALF_BITS: u32 = 0x3f35_04f3;

/// Win rates are kept this far from 0 and 1 where their logarithms are taken.
pub const WIN_RATE_MARGIN: f32 = 1.0 / (1 << 20) as f32;

/// The Kullback–Leibler divergence of two win rates, p·ln(p/q) + (1−p)·ln((1−p)/(1−q)), never negative. Both are first
/// brought into the range from [`WIN_RATE_MARGIN`] to 1 − that, so it is below 14 and 0·ln 0 counts as about 0.
///
/// With φ(t) = t − 1 − ln t ≥ 0 it is p·φ(q/p) + (1−p)·φ((1−q)/(1−p)), where no large terms cancel: the relative error
/// stays small when p and q are close, which matters since n reaches millions.
#[inline]
pub fn kl(p: f32, q: f32) -> f32 {
    let inside = |x| at_least(at_most(x, 1.0 - WIN_RATE_MARGIN), WIN_RATE_MARGIN);
    let (p, q) = (inside(p), inside(q));
    let gap = q - p;
    p * excess_of_ln(gap / p) + (1.0 - p) * excess_of_ln(-gap / (1.0 - p))
}

/// φ(1 + u) = u − ln(1 + u) for −1 < u < 2⁶⁴, to about six parts in a million, and far better near 0.
///
/// 1 + u = 2ᵉ·(1 + v) with 1 + v in [√½, √2); φ = u − v − e·ln 2 + v²·R(v), where R(v) = (v − ln(1 + v))/v² = ½ − v/3 + …
/// as a polynomial. If e is 0 then v is u itself, without the rounding of 1 + u.
#[inline]
fn excess_of_ln(u: f32) -> f32 {
    const LN2_PER_BIT: f32 = std::f32::consts::LN_2 / (1 << 23) as f32;
    let exponent_bits = (1.0 + u).to_bits().wrapping_sub(SQRT_HALF_BITS) & 0xff80_0000;
    let scale = f32::from_bits(1f32.to_bits().wrapping_sub(exponent_bits));
    let v = u * scale + (scale - 1.0);
    let high = -0.199_474_46 + v * (0.170_016_58 + v * (-0.158_193_88 + v * 0.104_905_27));
    let series = 0.5 + v * (-0.333_336_24 + v * (0.249_918_4 + v * high));
    ((u - v) - exponent_bits as i32 as f32 * LN2_PER_BIT) + v * v * series
}

/// The place of the largest score, or `None` if there are none. Scores are never NaN; equal ones are decided by `draw`,
/// which gets their number and is not asked when there is one.
pub fn argmax(scores: &[f32], draw: impl FnOnce(u32) -> u32) -> Option<usize> {
    debug_assert!(scores.iter().all(|score| !score.is_nan()), "a score is not a number");
    let best = max(scores);
    let n_equal: u32 = scores.iter().map(|&score| u32::from(score == best)).sum();
    let nth = if n_equal > 1 { draw(n_equal) as usize } else { 0 };
    if nth == 0 {
        return position(scores, best);
    }
    scores.iter().enumerate().filter(|(_, score)| **score == best).nth(nth).map(|(idx, _)| idx)
}

/// The first place of a number, eight at a time.
fn position(numbers: &[f32], wanted: f32) -> Option<usize> {
    let (chunks, rest) = numbers.as_chunks::<8>();
    for (chunk_idx, chunk) in chunks.iter().enumerate() {
        if chunk.iter().fold(false, |found, &x| found | (x == wanted)) {
            return chunk.iter().position(|&x| x == wanted).map(|idx| 8 * chunk_idx + idx);
        }
    }
    rest.iter().position(|&x| x == wanted).map(|idx| 8 * chunks.len() + idx)
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
    fn kl_worked_by_hand() {
        #[track_caller]
        fn check(p: f32, q: f32, right: f32) {
            assert!(
                (kl(p, q) - right).abs() <= 6e-6 * right,
                "KL({p}‖{q}) = {} instead of {right}",
                kl(p, q)
            );
        }
        check(0.5, 0.5, 0.0);
        // ¾·ln 3 + ¼·ln(1/3) = ½·ln 3.
        check(0.75, 0.25, 0.549_306_14);
        // ½·ln ½ + ½·ln 1.5… the other way round: ½·ln(½/¾) + ½·ln(½/¼) = ½·ln(4/3).
        check(0.5, 0.75, 0.143_841_04);
        // 0·ln 0 is 0 up to the margin: ln 2 less 2⁻²⁰·(1 + 20·ln 2).
        check(0.0, 0.5, 0.693_133);
        check(1.0, 0.5, 0.693_133);
        // As far apart as can be: (1 − 2⁻¹⁹)·ln(2²⁰ − 1).
        check(0.0, 1.0, 13.862_917);
        check(1.0, 0.0, 13.862_917);
        check(0.0, 0.0, 0.0);
    }

    #[test]
    fn kl_is_exact_where_rates_are_close() {
        for p in [1e-5f32, 0.01, 0.2, 0.5, 0.77, 0.999] {
            for factor in [0.2, 0.7, 0.99, 0.999, 0.9999, 1.000_01, 1.000_3, 1.001] {
                let q = p * factor;
                let (exact_p, exact_q) = (f64::from(p), f64::from(q));
                let right = exact_p * (exact_p / exact_q).ln()
                    + (1.0 - exact_p) * ((1.0 - exact_p) / (1.0 - exact_q)).ln();
                let error = (f64::from(kl(p, q)) - right).abs();
                assert!(error <= 6e-6 * right + 1e-15, "KL({p}‖{q}) = {} instead of {right}", kl(p, q));
            }
        }
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
