//! Matrix products in i16 with sums in i32, which are exact: the same bits with every instruction set.
//!
//! Activations are at most [`Number::LIMIT`] in magnitude, and the weights of each column are scaled as large as i16 and the
//! bound Σ|w| · `LIMIT` < 2³¹ allow, so that no partial sum overflows, in whatever order it is taken.

#![allow(unsafe_code, reason = "loads and stores through pointers, with the caller's promise")]

use super::gemm::Number;
use super::simd::Lanes;

impl Number for i16 {
    const DEPTH: usize = 2;
    const LIMIT: f32 = 32_767.0;
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

    fn quantise(column: &[f32], to: &mut [i16]) -> f32 {
        let largest = column.iter().fold(0.0f64, |most, &w| most.max(f64::from(w).abs()));
        let sum: f64 = column.iter().map(|&w| f64::from(w).abs()).sum();
        if largest < 1e-30 {
            to.fill(0);
            return 0.0;
        }
        // A weight is rounded by at most ½, and 32 768 bounds an activation whatever happens to it.
        let room = f64::from(i32::MAX) / 32_768.0 - 0.5 * column.len() as f64;
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

    #[test]
    fn no_sum_can_overflow() {
        for column in [vec![1.0; 4], vec![-0.3; 384], vec![1e-3; 2048], vec![5.0, 0.0, -1e-9]] {
            let mut to = vec![0; column.len()];
            let factor = i16::quantise(&column, &mut to);
            let sum: i64 = to.iter().map(|&w| i64::from(w).abs() * 32_768).sum();
            assert!(sum <= i64::from(i32::MAX), "{sum}");
            for (&w, &rounded) in column.iter().zip(&to) {
                assert!((f32::from(rounded) * factor - w).abs() <= 0.51 * factor);
            }
        }
        // Nothing but zeros gives nothing but zeros.
        let mut to = [3; 2];
        assert_eq!((i16::quantise(&[0.0, 0.0], &mut to), to), (0.0, [0, 0]));
    }
}
