//! The products that weights learn from: for activations X and gradients D of the same rows, the sum over rows of xᵀ·d.
//!
//! A tile of a few inputs times a few vectors of outputs is summed in registers over all rows and added to what stands there.

#![allow(unsafe_code, reason = "the innermost loop reads through pointers; every block says why it is sound")]

use super::simd::{BLOCK, Isa, Kernel, Lanes};

/// Adds to matrices the sums over rows of xᵀ·d.
pub struct GradientProduct<'a> {
    /// The number of matrices.
    pub n_matrices: usize,
    /// Rows that belong to each.
    pub rows: usize,
    /// Numbers of a row of `inputs` and of `outputs`, whole blocks.
    pub shape: [usize; 2],
    /// Matrix by matrix the rows of activations.
    pub inputs: &'a [f32],
    /// Matrix by matrix the rows of gradients.
    pub outputs: &'a [f32],
    /// Matrix by matrix, input by input the outputs.
    pub sums: &'a mut [f32],
}

impl GradientProduct<'_> {
    /// Adds all products.
    ///
    /// # Panics
    /// When a slice is too short, or a row is not whole blocks.
    pub fn run(self, isa: Isa) {
        isa.run(self);
    }
}

/// Where a tile reads and adds.
#[derive(Clone, Copy)]
struct Place {
    inputs: *const f32,
    outputs: *const f32,
    sums: *mut f32,
    rows: usize,
    n_in: usize,
    n_out: usize,
}

impl Kernel for GradientProduct<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let GradientProduct { n_matrices, rows, shape: [n_in, n_out], inputs, outputs, sums } = self;
        assert!(n_in % BLOCK == 0 && n_out % BLOCK == 0);
        assert!(inputs.len() >= n_matrices * rows * n_in && outputs.len() >= n_matrices * rows * n_out);
        assert!(sums.len() >= n_matrices * n_in * n_out);
        let n_blocks = n_out / BLOCK;
        let n_panels = n_blocks.div_ceil(L::COLS * L::N / BLOCK);
        for matrix in 0..n_matrices {
            for panel in 0..n_panels {
                let [first, last] = [panel, panel + 1].map(|p| p * n_blocks / n_panels * BLOCK);
                // SAFETY: the matrix and its columns are within what was asserted above.
                let place = unsafe {
                    Place {
                        inputs: inputs.as_ptr().add(matrix * rows * n_in),
                        outputs: outputs.as_ptr().add(matrix * rows * n_out + first),
                        sums: sums.as_mut_ptr().add(matrix * n_in * n_out + first),
                        rows,
                        n_in,
                        n_out,
                    }
                };
                // SAFETY: `last` − `first` columns of all rows lie behind the place.
                unsafe {
                    match (last - first) / L::N {
                        1 if const { L::N == 16 } => panel_of::<L, 1>(l, place),
                        2 if const { L::N >= 8 } => panel_of::<L, 2>(l, place),
                        3 if const { L::N == 16 } => panel_of::<L, 3>(l, place),
                        4 if const { L::N == 4 } => panel_of::<L, 4>(l, place),
                        16 if const { L::N == 1 } => panel_of::<L, 16>(l, place),
                        _ => unreachable!("a panel has at most L::COLS vectors"),
                    }
                }
            }
        }
    }
}

/// All inputs times `C` vectors of outputs, in tiles of nearly equal height.
///
/// # Safety
/// The place has `rows` rows of `n_in` inputs and of `C` vectors to read, and `n_in` rows of `C` vectors to write.
#[inline(always)]
unsafe fn panel_of<L: Lanes, const C: usize>(l: L, place: Place) {
    let n_tiles = place.n_in.div_ceil(L::ROWS);
    for n in 0..n_tiles {
        let [first, last] = [n, n + 1].map(|n| n * place.n_in / n_tiles);
        // SAFETY: inputs from `first` to `last` are within `n_in`.
        unsafe {
            let place =
                Place { inputs: place.inputs.add(first), sums: place.sums.add(first * place.n_out), ..place };
            // Rows are whole blocks of sixteen, cut evenly: no tile is much lower than the highest.
            match last - first {
                1 => tile::<L, 1, C>(l, place),
                4 if const { L::ROWS >= 4 } => tile::<L, 4, C>(l, place),
                5 if const { L::ROWS >= 5 } => tile::<L, 5, C>(l, place),
                6 if const { L::ROWS >= 6 } => tile::<L, 6, C>(l, place),
                7 if const { L::ROWS >= 7 } => tile::<L, 7, C>(l, place),
                8 if const { L::ROWS >= 8 } => tile::<L, 8, C>(l, place),
                9 if const { L::ROWS >= 9 } => tile::<L, 9, C>(l, place),
                _ => unreachable!("sixteen inputs or more, cut evenly, are never two or three"),
            }
        }
    }
}

/// `R` inputs times `C` vectors of outputs, summed in registers.
///
/// # Safety
/// The place has `rows` rows of `R` inputs and of `C` vectors to read, and `R` rows of `C` vectors to write.
#[inline(always)]
unsafe fn tile<L: Lanes, const R: usize, const C: usize>(l: L, place: Place) {
    let mut sums = [[l.splat(0.0); C]; R];
    let (mut inputs, mut outputs) = (place.inputs, place.outputs);
    for _ in 0..place.rows {
        let mut vectors = [l.splat(0.0); C];
        // SAFETY: the caller's promise, row by row; behind the last row the pointers are not read.
        unsafe {
            for (c, vector) in vectors.iter_mut().enumerate() {
                *vector = l.load_at(outputs.add(c * L::N));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let input = l.splat(inputs.add(r).read());
                for (sum, &vector) in sums.iter_mut().zip(&vectors) {
                    *sum = l.fused(input, vector, *sum);
                }
            }
        }
        inputs = inputs.wrapping_add(place.n_in);
        outputs = outputs.wrapping_add(place.n_out);
    }
    for (r, sums) in sums.into_iter().enumerate() {
        for (c, sum) in sums.into_iter().enumerate() {
            // SAFETY: `R` rows of `C` vectors lie behind the place.
            unsafe {
                let at = place.sums.add(r * place.n_out + c * L::N);
                l.store_at(at, l.add(l.load_at(at), sum));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_of_all_shapes() {
        let mut rng = goban::Rng::new(2);
        let mut draw = |n: usize| (0..n).map(|_| 2.0 * rng.unit() - 1.0).collect::<Vec<f32>>();
        for (shape, rows) in [[16, 16], [32, 48], [48, 96], [64, 64], [96, 32], [80, 112]]
            .into_iter()
            .zip([1, 3, 9, 72, 5, 10])
        {
            let [n_in, n_out] = shape;
            let n_matrices = 2;
            let (inputs, outputs) = (draw(n_matrices * rows * n_in), draw(n_matrices * rows * n_out));
            for isa in Isa::all() {
                let mut sums = vec![0.5; n_matrices * n_in * n_out];
                let (inputs, outputs) = (&inputs[..], &outputs[..]);
                GradientProduct { n_matrices, rows, shape, inputs, outputs, sums: &mut sums }.run(isa);
                for (at, &sum) in sums.iter().enumerate() {
                    let (matrix, i, o) = (at / n_out / n_in, at / n_out % n_in, at % n_out);
                    let right: f64 = (matrix * rows..(matrix + 1) * rows)
                        .map(|row| f64::from(inputs[row * n_in + i]) * f64::from(outputs[row * n_out + o]))
                        .sum();
                    assert!((f64::from(sum) - 0.5 - right).abs() < 1e-4, "{}: {at}", isa.name());
                }
            }
        }
    }
}
