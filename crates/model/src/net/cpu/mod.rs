//! Networks on plain processors.
//!
//! In reading order: [`simd`] vectors for each instruction set · [`gemm`] matrix products, [`gemm_f32`] and [`gemm_i16`] the
//! numbers they are taken in.

pub mod gemm;
pub mod gemm_f32;
pub mod gemm_i16;
pub mod simd;
