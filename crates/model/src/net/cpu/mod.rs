//! Engines that run a network on a processor.
//!
//! [`mod@f32`] is the reference: straightforward, in single precision, for every network and every board. Faster engines are
//! compared with it. [`engine`] is the fast one, in i16 or f32.
//!
//! In reading order: [`mod@f32`] · [`simd`] vectors for each instruction set · [`gemm`] matrix products, [`gemm_f32`] and
//! [`gemm_i16`] the numbers they are taken in · [`gemm_gradient`] the products that weights learn from · [`geometry`] where numbers stand in memory · [`winograd`] convolutions of 3×3 as
//! matrix products · [`pass`] what is done point by point · [`first`] the first layer · [`engine`] a whole network ·
//! [`runner`] engines of both kinds for who compares them · [`peak`] the measure of speed.

pub mod engine;
pub mod f32;
pub mod first;
pub mod gemm;
pub mod gemm_f32;
pub mod gemm_gradient;
pub mod gemm_i16;
pub mod geometry;
pub mod pass;
pub mod peak;
pub mod runner;
pub mod simd;
pub mod winograd;
