//! Traits that only this crate implements: the unchecked indices of `board/table.rs` are proofs about the types that
//! implement them, so no other type may.

use crate::board::{Full, Lean, Tactical};
use crate::class::{Upto9, Upto13, Upto19, Upto25};
use crate::set::Words;

/// Nobody outside the crate can name this trait, and so nobody can implement a trait that asks for it.
pub trait Sealed {}

impl<T, const N: usize> Sealed for [T; N] {}
impl<const W: usize> Sealed for Words<W> {}

macro_rules! seal {
    ($($name:ty),*) => {$(impl Sealed for $name {})*};
}
seal!(u8, u16, Upto9, Upto13, Upto19, Upto25, Full, Tactical, Lean);
