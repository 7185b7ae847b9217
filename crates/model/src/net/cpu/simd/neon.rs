//! Four lanes with NEON: every 64-bit ARM processor.

use super::{Kernel, Lanes};
use std::arch::aarch64::*;

/// Proof that the processor has NEON.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neon(());

impl Neon {
    /// The proof, if the processor has the instructions.
    pub(super) fn detect() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }

    /// The proof without asking.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline(always)]
    pub(super) unsafe fn assume() -> Neon {
        Neon(())
    }
}

#[target_feature(enable = "neon")]
fn compile<K: Kernel>(lanes: Neon, kernel: K) -> K::Out {
    kernel.run(lanes)
}

/// Methods that are one instruction.
macro_rules! instructions {
    ($($name:ident($($arg:ident),+) = $instruction:ident;)+) => {
        $(#[inline(always)]
        fn $name(self, $($arg: Self::F),+) -> Self::F {
            // SAFETY: `self` proves that the processor has the instruction.
            unsafe { $instruction($($arg),+) }
        })+
    };
}

impl Lanes for Neon {
    const N: usize = 4;
    const ROWS: usize = 6;
    const COLS: usize = 4;
    type F = float32x4_t;
    type I = int32x4_t;
    type P = int16x8_t;

    #[inline(always)]
    fn compile<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { compile(self, kernel) }
    }

    #[inline(always)]
    fn splat(self, x: f32) -> float32x4_t {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { vdupq_n_f32(x) }
    }

    instructions! {
        add(a, b) = vaddq_f32;
        sub(a, b) = vsubq_f32;
        mul(a, b) = vmulq_f32;
        div(a, b) = vdivq_f32;
    }

    #[inline(always)]
    fn max(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { vbslq_f32(vcgtq_f32(a, b), a, b) }
    }

    #[inline(always)]
    fn min(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { vbslq_f32(vcltq_f32(a, b), a, b) }
    }

    #[inline(always)]
    fn fused(self, a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { vfmaq_f32(c, a, b) }
    }

    #[inline(always)]
    fn where_positive(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { vbslq_f32(vcgtzq_f32(a), b, vdupq_n_f32(0.0)) }
    }

    #[inline(always)]
    fn scale_by_power(self, x: float32x4_t, shifted: float32x4_t) -> float32x4_t {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe {
            let power = vshlq_n_u32::<23>(vreinterpretq_u32_f32(shifted));
            vreinterpretq_f32_u32(vaddq_u32(vreinterpretq_u32_f32(x), power))
        }
    }

    #[inline(always)]
    fn zero_i32(self) -> int32x4_t {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { vdupq_n_s32(0) }
    }

    #[inline(always)]
    fn dot(self, sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe {
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)))
        }
    }

    #[inline(always)]
    fn to_f32(self, x: int32x4_t) -> float32x4_t {
        // SAFETY: `self` proves that the processor has the instruction.
        unsafe { vcvtq_f32_s32(x) }
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> float32x4_t {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { vld1q_f32(from) }
    }

    #[inline(always)]
    unsafe fn store_at(self, to: *mut f32, x: float32x4_t) {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { vst1q_f32(to, x) }
    }

    #[inline(always)]
    unsafe fn round_at(self, to: *mut i16, x: float32x4_t) {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instructions.
        unsafe { vst1_s16(to, vqmovn_s32(vcvtnq_s32_f32(x))) }
    }

    #[inline(always)]
    unsafe fn load_pairs(self, from: *const i16) -> int16x8_t {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instruction.
        unsafe { vld1q_s16(from) }
    }

    #[inline(always)]
    unsafe fn splat_pair(self, from: *const i16) -> int16x8_t {
        // SAFETY: the caller's promise, and `self` proves that the processor has the instructions.
        unsafe { vreinterpretq_s16_s32(vdupq_n_s32(from.cast::<i32>().read_unaligned())) }
    }
}
