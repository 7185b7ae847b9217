//! Tengen's own network files: what our trainer writes, with its origin.
//!
//! A file has four parts, one directly behind the other:
//!
//! 1. The line `tengen-net 1`: the magic and the version of the format.
//! 2. The header: lines of a key and its value in a fixed order, see [`header`]. They tell where the network comes from, and the
//!    sizes from which every tensor's length follows.
//! 3. The tensors in the order in which [`tensors::each`] walks over a network, little-endian numbers of 32 or 16 bits, without gaps.
//! 4. The checksum of all bytes before it ([`Fnv1a`](super::checksum::Fnv1a), eight bytes, little-endian). There the file ends.
//!
//! The kinds of layers are those that our trainer makes: ordinary and pooling blocks, folded batch norms, one activation
//! throughout. Nothing is trusted: sizes have bounds, memory grows with the bytes that arrive, weights must be finite.
//!
//! In reading order: [`header`] the text · [`tensors`] the network without weights, and the walk over them · [`read`](mod@read) ·
//! [`write`](mod@write).

pub mod header;
pub mod read;
pub mod tensors;
#[cfg(test)]
mod tests;
pub mod write;

pub use header::{NetworkOrigin, NumberForm};
pub use write::{NetWriteError, to_bytes};

/// The word that a file begins with.
pub const MAGIC: &str = "tengen-net";
/// The version of the format.
pub const FORMAT: u32 = 1;
