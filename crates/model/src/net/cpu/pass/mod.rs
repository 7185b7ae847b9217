//! What is done to boards point by point, without fused operations, so that every instruction set gives the same bits.
//!
//! In reading order: [`activate`] norms and activations · [`adjoint`] their gradients, for training · [`gather`] the rows of a matrix product · [`pool`] · [`dense`] small
//! products in f32.

pub mod activate;
pub mod adjoint;
pub mod dense;
pub mod gather;
pub mod pool;
