//! The cells and locks through which threads share a tree: those of the standard library. The crate `interleavings`
//! compiles the tree with others in their place, which try all orders in which threads can meet at them.

pub(crate) use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicUsize};
pub(crate) use std::sync::{Mutex, OnceLock};

/// The bytes of a chunk of nodes, about.
pub(crate) const CHUNK_BYTES: usize = 1 << 16;
