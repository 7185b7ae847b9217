//! Matrix products in f32, with fused operations: fast, and different in the last bits from one instruction set to another.

#![allow(unsafe_code, reason = "loads and stores through pointers, with the caller's promise")]

use super::gemm::Number;
use super::simd::Lanes;

impl Number for f32 {
    const DEPTH: usize = 1;
    const IS_SCALED: bool = false;
    const NAME: &'static str = "f32";
    type Sum<L: Lanes> = L::F;
    type Vector<L: Lanes> = L::F;

    #[inline(always)]
    fn zero<L: Lanes>(lanes: L) -> L::F {
        lanes.splat(0.0)
    }

    #[inline(always)]
    fn multiply_add<L: Lanes>(lanes: L, sum: L::F, a: L::F, b: L::F) -> L::F {
        lanes.fused(a, b, sum)
    }

    #[inline(always)]
    fn finish<L: Lanes>(_lanes: L, sum: L::F, _factor: L::F) -> L::F {
        sum
    }

    #[inline(always)]
    unsafe fn load<L: Lanes>(lanes: L, from: *const f32) -> L::F {
        // SAFETY: the caller's promise.
        unsafe { lanes.load_at(from) }
    }

    #[inline(always)]
    unsafe fn splat<L: Lanes>(lanes: L, from: *const f32) -> L::F {
        // SAFETY: the caller's promise.
        lanes.splat(unsafe { from.read() })
    }

    #[inline(always)]
    unsafe fn store<L: Lanes>(lanes: L, to: *mut f32, x: L::F) {
        // SAFETY: the caller's promise.
        unsafe { lanes.store_at(to, x) }
    }

    fn limit(_depth: usize) -> f32 {
        1.0
    }

    fn quantise(column: &[f32], _other_side: f64, to: &mut [f32]) -> f32 {
        // A subnormal number would slow every product down and changes no result.
        for (to, &w) in to.iter_mut().zip(column) {
            *to = if w.abs() < f32::MIN_POSITIVE { 0.0 } else { w };
        }
        1.0
    }
}
