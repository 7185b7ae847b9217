//! Engines that run a network on a processor.
//!
//! [`mod@f32`] is the reference: straightforward, in single precision, for every network and every board. Faster engines are
//! compared with it.

pub mod f32;
