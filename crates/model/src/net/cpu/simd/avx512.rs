//! Sixteen lanes with AVX-512: server processors of Intel since 2017, AMD since Zen 4.

use super::{Kernel, Lanes};
use std::arch::x86_64::*;

/// Proof that the processor has AVX-512 (F and BW), and with `VNNI` the product of pairs as one instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512<const VNNI: bool>(());

impl<const VNNI: bool> Avx512<VNNI> {
    /// The proof, if the processor has the instructions.
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && (!VNNI || is_x86_feature_detected!("avx512vnni"));
        has.then_some(Avx512(()))
    }

    /// The proof without asking.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline(always)]
    pub(super) unsafe fn assume() -> Self {
        Avx512(())
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")]
fn compile<K: Kernel>(lanes: Avx512<false>, kernel: K) -> K::Out {
    kernel.run(lanes)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma")]
fn compile_vnni<K: Kernel>(lanes: Avx512<true>, kernel: K) -> K::Out {
    kernel.run(lanes)
}

/// `vpdpwssd` by name: the compiler would split most of `_mm512_dpwssd_epi32` into a product and a sum again, which have less
/// latency but half the throughput.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn dot(mut sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the function is compiled for the instruction, which touches registers alone.
    unsafe {
        std::arch::asm!(
            "vpdpwssd {sum}, {a}, {b}",
            sum = inout(zmm_reg) sum, a = in(zmm_reg) a, b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    sum
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

impl<const VNNI: bool> Lanes for Avx512<VNNI> {
    const N: usize = 16;
    const ROWS: usize = 9;
    const COLS: usize = 3;
    type F = __m512;
    type I = __m512i;
    type P = __m512i;

    #[inline(always)]
    fn compile<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { if VNNI { compile_vnni(Avx512(()), kernel) } else { compile(Avx512(()), kernel) } }
    }

    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { _mm512_set1_ps(x) }
    }

    instructions! {
        add(a, b) -> __m512 = _mm512_add_ps;
        sub(a, b) -> __m512 = _mm512_sub_ps;
        mul(a, b) -> __m512 = _mm512_mul_ps;
        div(a, b) -> __m512 = _mm512_div_ps;
        max(a, b) -> __m512 = _mm512_max_ps;
        min(a, b) -> __m512 = _mm512_min_ps;
        fused(a, b, c) -> __m512 = _mm512_fmadd_ps;
    }

    #[inline(always)]
    fn where_positive(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { _mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, _mm512_setzero_ps()), b) }
    }

    #[inline(always)]
    fn scale_by_power(self, x: __m512, shifted: __m512) -> __m512 {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe {
            let power = _mm512_slli_epi32::<23>(_mm512_castps_si512(shifted));
            _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(x), power))
        }
    }

    #[inline(always)]
    fn zero_i32(self) -> __m512i {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn dot(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { if VNNI { dot(sum, a, b) } else { _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)) } }
    }

    #[inline(always)]
    fn to_f32(self, x: __m512i) -> __m512 {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { _mm512_cvtepi32_ps(x) }
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> __m512 {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store_at(self, to: *mut f32, x: __m512) {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm512_storeu_ps(to, x) }
    }

    #[inline(always)]
    unsafe fn round_at(self, to: *mut i16, x: __m512) {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instructions.
        unsafe { _mm256_storeu_si256(to.cast(), _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(x))) }
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const i16) -> __m512i {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn splat_pair(self, from: *const i16) -> __m512i {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { _mm512_set1_epi32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    fn prefetch(self, at: *const u8) {
        // SAFETY: asking for memory touches none.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
}
