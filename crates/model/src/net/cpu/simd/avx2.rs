//! Eight lanes with AVX2 and FMA: x86-64 processors since about 2013.

use super::{Kernel, Lanes};
use std::arch::x86_64::*;

/// Proof that the processor has AVX2 and FMA.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, if the processor has the instructions.
    pub(super) fn detect() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }

    /// The proof without asking.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline(always)]
    pub(super) unsafe fn assume() -> Avx2 {
        Avx2(())
    }
}

#[target_feature(enable = "avx2,fma")]
fn compile<K: Kernel>(lanes: Avx2, kernel: K) -> K::Out {
    kernel.run(lanes)
}

/// Methods that are one instruction.
macro_rules! instructions {
    ($($name:ident($($arg:ident),+) -> $out:ty = $instruction:ident;)+) => {
        $(#[inline(always)]
        fn $name(self, $($arg: Self::F),+) -> $out {
            // SAFETY: `self` proves that the processor has the instruction.
            unsafe { $instruction($($arg),+) }
        })+
    };
}

impl Lanes for Avx2 {
    const N: usize = 8;
    const ROWS: usize = 6;
    const COLS: usize = 2;
    type F = __m256;
    type I = __m256i;
    type P = __m256i;

    #[inline(always)]
    fn compile<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { compile(self, kernel) }
    }

    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { _mm256_set1_ps(x) }
    }

    instructions! {
        add(a, b) -> __m256 = _mm256_add_ps;
        sub(a, b) -> __m256 = _mm256_sub_ps;
        mul(a, b) -> __m256 = _mm256_mul_ps;
        div(a, b) -> __m256 = _mm256_div_ps;
        max(a, b) -> __m256 = _mm256_max_ps;
        min(a, b) -> __m256 = _mm256_min_ps;
        fused(a, b, c) -> __m256 = _mm256_fmadd_ps;
    }

    #[inline(always)]
    fn where_positive(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { _mm256_and_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, _mm256_setzero_ps()), b) }
    }

    #[inline(always)]
    fn scale_by_power(self, x: __m256, shifted: __m256) -> __m256 {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe {
            let power = _mm256_slli_epi32::<23>(_mm256_castps_si256(shifted));
            _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(x), power))
        }
    }

    #[inline(always)]
    fn zero_i32(self) -> __m256i {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn dot(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)) }
    }

    #[inline(always)]
    fn to_f32(self, x: __m256i) -> __m256 {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { _mm256_cvtepi32_ps(x) }
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> __m256 {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store_at(self, to: *mut f32, x: __m256) {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm256_storeu_ps(to, x) }
    }

    #[inline(always)]
    unsafe fn round_at(self, to: *mut i16, x: __m256) {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instructions.
        unsafe {
            let whole = _mm256_cvtps_epi32(x);
            let low = _mm256_castsi256_si128(whole);
            _mm_storeu_si128(to.cast(), _mm_packs_epi32(low, _mm256_extracti128_si256::<1>(whole)));
        }
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const i16) -> __m256i {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn splat_pair(self, from: *const i16) -> __m256i {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm256_set1_epi32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    fn prefetch(self, at: *const u8) {
        // SAFETY: asking for memory touches none.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
}
