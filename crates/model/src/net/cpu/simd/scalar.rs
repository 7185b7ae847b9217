//! One lane, in plain code: what every other instruction set must agree with, and what runs where there is none.

use super::{Kernel, Lanes};

/// Vectors of one number.
#[derive(Debug, Clone, Copy)]
pub struct Scalar;

impl Lanes for Scalar {
    const N: usize = 1;
    const ROWS: usize = 1;
    const COLS: usize = 16;
    type F = f32;
    type I = i32;
    type P = [i16; 2];

    fn compile<K: Kernel>(self, kernel: K) -> K::Out {
        kernel.run(self)
    }

    #[inline(always)]
    fn splat(self, x: f32) -> f32 {
        x
    }

    #[inline(always)]
    fn add(self, a: f32, b: f32) -> f32 {
        a + b
    }

    #[inline(always)]
    fn sub(self, a: f32, b: f32) -> f32 {
        a - b
    }

    #[inline(always)]
    fn mul(self, a: f32, b: f32) -> f32 {
        a * b
    }

    #[inline(always)]
    fn div(self, a: f32, b: f32) -> f32 {
        a / b
    }

    #[inline(always)]
    fn max(self, a: f32, b: f32) -> f32 {
        if a > b { a } else { b }
    }

    #[inline(always)]
    fn min(self, a: f32, b: f32) -> f32 {
        if a < b { a } else { b }
    }

    #[inline(always)]
    fn fused(self, a: f32, b: f32, c: f32) -> f32 {
        a * b + c
    }

    #[inline(always)]
    fn where_positive(self, a: f32, b: f32) -> f32 {
        if a > 0.0 { b } else { 0.0 }
    }

    #[inline(always)]
    fn scale_by_power(self, x: f32, shifted: f32) -> f32 {
        f32::from_bits(x.to_bits().wrapping_add(shifted.to_bits() << 23))
    }

    #[inline(always)]
    fn zero_i32(self) -> i32 {
        0
    }

    #[inline(always)]
    fn dot(self, sum: i32, a: [i16; 2], b: [i16; 2]) -> i32 {
        let products = [0, 1].map(|n| i32::from(a[n]) * i32::from(b[n]));
        sum.wrapping_add(products[0].wrapping_add(products[1]))
    }

    #[inline(always)]
    fn to_f32(self, x: i32) -> f32 {
        x as f32
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> f32 {
        // SAFETY: the caller's promise.
        unsafe { from.read() }
    }

    #[inline(always)]
    unsafe fn store_at(self, to: *mut f32, x: f32) {
        // SAFETY: the caller's promise.
        unsafe { to.write(x) }
    }

    #[inline(always)]
    unsafe fn round_at(self, to: *mut i16, x: f32) {
        // What does not fit in an i32 becomes the lowest number, as the instructions of x86 have it.
        let whole = if x.abs() < 2_147_483_648.0 { x.round_ties_even() as i32 } else { i32::MIN };
        // SAFETY: the caller's promise.
        unsafe { to.write(whole.clamp(i16::MIN.into(), i16::MAX.into()) as i16) }
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const i16) -> [i16; 2] {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<[i16; 2]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn splat_pair(self, from: *const i16) -> [i16; 2] {
        // SAFETY: the caller's promise.
        unsafe { self.load_pairs(from) }
    }
}
