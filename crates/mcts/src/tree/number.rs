//! Cells as numbers: whole vectors of atomic cells at once, and sums in fixed point.

use crate::sync::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

/// Some cells as plain numbers in memory. Atomic loads are single ones; what follows then takes whole vectors of them,
/// but only if the compiler does not keep each number in a register: hence the black box.
#[inline(always)]
pub(super) fn gather<A, T: Copy + Default, const N: usize>(cells: &[A; N], load: impl Fn(&A) -> T) -> [T; N] {
    let mut numbers = [T::default(); N];
    numbers.iter_mut().zip(cells).for_each(|(number, cell)| *number = load(cell));
    std::hint::black_box(&mut numbers);
    numbers
}

/// Reads sixteen sums at once.
#[inline(always)]
pub(super) fn read_sixteen(cells: &[AtomicI64; 16], unit: f64, out: &mut [f32; 16]) {
    let words = gather(cells, |cell| cell.load(Relaxed));
    for i in 0..16 {
        out[i] = (to_f64(words[i]) * unit) as f32;
    }
}

/// A count below 2³¹, which vector units convert at once.
#[inline]
pub(super) fn small_to_f32(count: u32) -> f32 {
    count as i32 as f32
}

/// A whole number as a double, rounded if it is beyond 2⁵³, by way of two mantissas: vector units of every machine can do
/// that. The high word stands in one of 2⁸⁴ (shifted by 2³¹, so that it is never negative), the low one in one of 2⁵².
#[inline]
pub(super) fn to_f64(x: i64) -> f64 {
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    const TWO_84: u64 = 0x4530_0000_0000_0000;
    const SIGN: u64 = 0x8000_0000;
    let high = f64::from_bits(((x as u64) >> 32) ^ (TWO_84 | SIGN));
    let low = f64::from_bits((x as u64 & 0xffff_ffff) | TWO_52);
    // 2⁸⁴ + 2⁶³ + 2⁵²: what the two mantissas have too much.
    (high - f64::from_bits(TWO_84 | SIGN | 0x10_0000)) + low
}

/// The value of one quantum: 2⁻ᵇ, exactly.
#[inline]
pub(super) fn unit(n_fraction_bits: u16) -> f64 {
    1.0 / (1u64 << n_fraction_bits) as f64
}

/// To the nearest quantum, halves away from zero.
#[inline]
pub(super) fn to_quanta(value: f32, n_fraction_bits: u16) -> i64 {
    debug_assert!(value.is_finite());
    let scaled = f64::from(value) * (1u64 << n_fraction_bits) as f64;
    (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i64
}
