//! Matrix products in i16 with sums in i32, which are exact: the same bits with every instruction set.
//!
//! Activations are at most [`Number::limit`] in magnitude, and the weights of each column are scaled as large as i16 and the
//! largest possible sum allow, which stays below 2³¹. Partial sums wrap around, so that it does not matter what they reach.

#![allow(unsafe_code, reason = "loads and stores through pointers, with the caller's promise")]

use super::gemm::Number;
use super::simd::Lanes;

impl Number for i16 {
    const DEPTH: usize = 2;
    const IS_SCALED: bool = true;
    const NAME: &'static str = "i16";
    type Sum<L: Lanes> = L::I;
    type Vector<L: Lanes> = L::P;

    #[inline(always)]
    fn zero<L: Lanes>(lanes: L) -> L::I {
        lanes.zero_i32()
    }

    #[inline(always)]
    fn multiply_add<L: Lanes>(lanes: L, sum: L::I, a: L::P, b: L::P) -> L::I {
        lanes.dot(sum, a, b)
    }

    #[inline(always)]
    fn finish<L: Lanes>(lanes: L, sum: L::I, factor: L::F) -> L::F {
        lanes.mul(lanes.to_f32(sum), factor)
    }

    #[inline(always)]
    unsafe fn load<L: Lanes>(lanes: L, from: *const i16) -> L::P {
        // SAFETY: the caller's promise.
        unsafe { lanes.load_pairs(from) }
    }

    #[inline(always)]
    unsafe fn splat<L: Lanes>(lanes: L, from: *const i16) -> L::P {
        // SAFETY: the caller's promise.
        unsafe { lanes.splat_pair(from) }
    }

    #[inline(always)]
    unsafe fn store<L: Lanes>(lanes: L, to: *mut i16, x: L::F) {
        // SAFETY: the caller's promise.
        unsafe { lanes.round_at(to, x) }
    }

    /// The larger the limit, the less is lost by rounding activations; the smaller, the less by rounding weights, whose room is
    /// 2³¹ ÷ limit for a whole column. Both lose about the same with a limit in proportion to 1 ÷ √depth; the factor is measured.
    fn limit(depth: usize) -> f32 {
        (200_000.0 / (depth as f32).sqrt()).floor().min(32_767.0)
    }

    fn quantise(column: &[f32], other_side: f64, to: &mut [i16]) -> f32 {
        let largest = column.iter().fold(0.0f64, |most, &w| most.max(f64::from(w).abs()));
        if largest < 1e-30 {
            to.fill(0);
            return 0.0;
        }
        let side = |sign: f64| column.iter().map(|&w| (sign * f64::from(w)).max(0.0)).sum::<f64>();
        let (positive, negative) = (side(1.0), side(-1.0));
        let sum = (positive + other_side * negative).max(negative + other_side * positive);
        // Rounding adds at most ½ to a weight, and less than 1 to an activation of either side.
        let limit = f64::from(Self::limit(column.len())) + 2.0;
        let room = f64::from(i32::MAX) / limit - 0.5 * column.len() as f64;
        let scale = (room / sum).min(32_767.0 / largest);
        for (to, &w) in to.iter_mut().zip(column) {
            *to = (f64::from(w) * scale).round_ties_even() as i16;
        }
        (1.0 / scale) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest sum of activations that reach `high` above 0 and `low` below, rounding included, with these weights.
    fn largest_sum(weights: &[i16], high: i64, low: i64) -> i64 {
        let sum = |upper: i64, lower: i64| -> i64 {
            weights.iter().map(|&w| i64::from(w)).map(|w| (w * (upper + 1)).max(-w * (lower + 1))).sum()
        };
        sum(high, low).max(sum(low, high))
    }

    #[test]
    fn no_sum_can_overflow() {
        let mixed = (0..384).map(|n| if n % 3 == 0 { 0.2 } else { -0.3 }).collect();
        for column in [vec![1.0; 4], vec![-0.3; 384], vec![1e-3; 2048], vec![5.0, 0.0, -1e-9], mixed] {
            let limit = i16::limit(column.len()) as i64;
            for other_side in [0.0, 0.5, 1.0] {
                let mut to = vec![0; column.len()];
                let factor = i16::quantise(&column, other_side, &mut to);
                let sum = largest_sum(&to, limit, (limit as f64 * other_side) as i64);
                assert!(sum <= i64::from(i32::MAX), "{sum}");
                if other_side == 0.0 {
                    // As far on both sides together as on one.
                    let sum = largest_sum(&to, limit / 3, limit - limit / 3);
                    assert!(sum <= i64::from(i32::MAX), "{sum}");
                }
                for (&w, &rounded) in column.iter().zip(&to) {
                    assert!((f32::from(rounded) * factor - w).abs() <= 0.51 * factor);
                }
            }
        }
        // Nothing but zeros gives nothing but zeros.
        let mut to = [3; 2];
        assert_eq!((i16::quantise(&[0.0, 0.0], 1.0, &mut to), to), (0.0, [0, 0]));
    }

    #[test]
    fn limits_by_depth() {
        assert_eq!([16, 37, 100, 400].map(i16::limit), [32_767.0, 32_767.0, 20_000.0, 10_000.0]);
    }
}
