//! Memory for vectors: numbers that begin at a multiple of 64 bytes, so that no vector crosses a cache line.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Numbers for which all bits are values: f32 and i16.
pub trait Plain: Copy + private::Sealed {}
impl Plain for f32 {}
impl Plain for i16 {}

mod private {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i16 {}
}

/// A slice of fixed length on the heap, aligned to 64 bytes.
#[derive(Debug, Clone)]
pub struct Buffer<T: Plain> {
    lines: Vec<Line>,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Plain> Buffer<T> {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Buffer<T> {
        let n_lines = (len * size_of::<T>()).div_ceil(64);
        Buffer { lines: vec![Line([0; 64]); n_lines], len, kind: PhantomData }
    }
}

impl<T: Plain> Deref for Buffer<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold at least `len` numbers, initialised, aligned, and any bits are a number.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: Plain> DerefMut for Buffer<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`, and the lines are borrowed for as long.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_and_zero() {
        for len in [0, 1, 31, 32, 33] {
            let mut buffer = Buffer::<i16>::zeros(len);
            assert_eq!((buffer.len(), buffer.as_ptr().align_offset(64)), (len, 0));
            assert!(buffer.iter().all(|&x| x == 0));
            buffer.fill(7);
            assert!(buffer.clone().iter().all(|&x| x == 7));
        }
    }
}
