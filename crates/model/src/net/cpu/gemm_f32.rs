//! Matrix products in f32, with fused operations: fast, and different in the last bits from one instruction set to another.

#![allow(unsafe_code, reason = "loads and stores through pointers, with the caller's promise")]

use super::gemm::{Number, Weights, padded};
use super::simd::{BLOCK, Buffer, Isa, Lanes};

impl Number for f32 {
    const DEPTH: usize = 1;
    const IS_SCALED: bool = false;
    const NAME: &'static str = "f32";
    type Sum<L: Lanes> = L::F;
    type Vector<L: Lanes> = L::F;

    #[inline(always)]
    fn zero<L: Lanes>(lanes: L) -> L::F {
        lanes.splat(0.0)
    }

    #[inline(always)]
    fn multiply_add<L: Lanes>(lanes: L, sum: L::F, a: L::F, b: L::F) -> L::F {
        lanes.fused(a, b, sum)
    }

    #[inline(always)]
    fn finish<L: Lanes>(_lanes: L, sum: L::F, _factor: L::F) -> L::F {
        sum
    }

    #[inline(always)]
    unsafe fn load<L: Lanes>(lanes: L, from: *const f32) -> L::F {
        // SAFETY: the caller's promise.
        unsafe { lanes.load_at(from) }
    }

    #[inline(always)]
    unsafe fn splat<L: Lanes>(lanes: L, from: *const f32) -> L::F {
        // SAFETY: the caller's promise.
        lanes.splat(unsafe { from.read() })
    }

    #[inline(always)]
    unsafe fn store<L: Lanes>(lanes: L, to: *mut f32, x: L::F) {
        // SAFETY: the caller's promise.
        unsafe { lanes.store_at(to, x) }
    }

    fn limit(_depth: usize) -> f32 {
        1.0
    }

    fn quantise(column: &[f32], _other_side: f64, to: &mut [f32]) -> f32 {
        // A subnormal number would slow every product down and changes no result.
        for (to, &w) in to.iter_mut().zip(column) {
            *to = if w.abs() < f32::MIN_POSITIVE { 0.0 } else { w };
        }
        1.0
    }
}

impl Weights<f32> {
    /// Matrices of `depth` rows and `width` columns, both padded to whole blocks, to be filled by [`Weights::set_row`].
    pub fn zeros(n_matrices: usize, [depth, width]: [usize; 2]) -> Weights<f32> {
        let (depth, width) = (padded(depth), padded(width));
        let mut factors = Buffer::zeros(n_matrices * width);
        factors.fill(1.0);
        Weights { n_matrices, depth, width, data: Buffer::zeros(n_matrices * depth * width), factors }
    }

    /// Writes the first columns of one row of one matrix.
    ///
    /// # Panics
    /// When there is no such matrix or row, or the row is shorter.
    pub fn set_row(&mut self, matrix: usize, row: usize, numbers: &[f32]) {
        assert!(matrix < self.n_matrices && row < self.depth && numbers.len() <= self.width);
        let at = matrix * self.depth * self.width + row * BLOCK;
        for (block, numbers) in numbers.chunks(BLOCK).enumerate() {
            self.data[at + block * BLOCK * self.depth..][..numbers.len()].copy_from_slice(numbers);
        }
    }

    /// [`Weights::multiply`], compiled here and not again in the crates that train.
    ///
    /// # Panics
    /// As that does.
    pub fn multiply_f32(&self, isa: Isa, left: &[f32], rows: usize, out: &mut [f32]) {
        self.multiply(isa, left, rows, out);
    }

    /// The rows of each matrix, padding included.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The columns of each matrix, padding included.
    pub fn width(&self) -> usize {
        self.width
    }
}
