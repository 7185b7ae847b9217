//! Matrix products: one driver for all kinds of numbers and all instruction sets.
//!
//! The right-hand matrices are weights, packed once: blocks of sixteen columns, in each block row by row (i16: pairs of rows,
//! interleaved). A tile of a few rows times a few vectors is summed in registers over the whole depth. The layout is the same for
//! all instruction sets.

#![allow(unsafe_code, reason = "the innermost loop reads through pointers; every block says why it is sound")]

use super::simd::{BLOCK, Buffer, Isa, Kernel, Lanes, buffer::Plain};

/// A kind of number that matrices are multiplied in.
pub trait Number: Plain + Send + Sync + 'static {
    /// Rows of the right-hand matrix that one step of the sum takes.
    const DEPTH: usize;
    /// Whether activations are scaled to a limit; otherwise they are taken as they are.
    const IS_SCALED: bool;
    /// The name, such as `i16`.
    const NAME: &'static str;
    /// A vector of sums.
    type Sum<L: Lanes>: Copy;
    /// A vector of `DEPTH` numbers a lane.
    type Vector<L: Lanes>: Copy;

    /// Sums of nothing.
    fn zero<L: Lanes>(lanes: L) -> Self::Sum<L>;
    /// Adds the products of each lane to its sum.
    fn multiply_add<L: Lanes>(
        lanes: L,
        sum: Self::Sum<L>,
        a: Self::Vector<L>,
        b: Self::Vector<L>,
    ) -> Self::Sum<L>;
    /// The sums as f32, each times the factor of its column.
    fn finish<L: Lanes>(lanes: L, sum: Self::Sum<L>, factor: L::F) -> L::F;
    /// Reads a vector.
    ///
    /// # Safety
    /// `L::N` · `DEPTH` numbers are readable.
    unsafe fn load<L: Lanes>(lanes: L, from: *const Self) -> Self::Vector<L>;
    /// Reads `DEPTH` numbers into every lane.
    ///
    /// # Safety
    /// They are readable.
    unsafe fn splat<L: Lanes>(lanes: L, from: *const Self) -> Self::Vector<L>;
    /// Writes a vector of activations.
    ///
    /// # Safety
    /// `L::N` numbers are writable.
    unsafe fn store<L: Lanes>(lanes: L, to: *mut Self, x: L::F);

    /// The largest magnitude that activations are scaled to, for sums over this depth.
    fn limit(depth: usize) -> f32;
    /// Turns the weights of one column into numbers; gives the factor that turns a sum back. Activations reach the limit on one
    /// side of 0 and this share of it on the other.
    fn quantise(column: &[f32], other_side: f64, to: &mut [Self]) -> f32;

    /// Writes `R` × `C` vectors of activations, the first at index `at`, neighbours `stride` numbers apart.
    #[inline(always)]
    fn store_grid<L: Lanes, const R: usize, const C: usize>(
        lanes: L,
        to: &mut [Self],
        at: usize,
        stride: usize,
        grid: [[L::F; C]; R],
    ) {
        assert!(at + (R * C - 1) * stride + L::N <= to.len());
        for (r, row) in grid.into_iter().enumerate() {
            for (c, vector) in row.into_iter().enumerate() {
                // SAFETY: the last vector ends within the slice, and the others lie before it.
                unsafe { Self::store(lanes, to.as_mut_ptr().add(at + (r * C + c) * stride), vector) };
            }
        }
    }
}

/// A number of channels, rounded up to whole blocks.
#[inline]
pub fn padded(n: usize) -> usize {
    n.next_multiple_of(BLOCK)
}

/// Packed right-hand matrices of equal shape. Only [`Weights::pack`] and [`Weights::zeros`]
/// make them, so that shape and buffers fit each other.
#[derive(Debug, Clone)]
pub struct Weights<T: Number> {
    pub(super) n_matrices: usize,
    /// Rows of each, a multiple of [`BLOCK`].
    pub(super) depth: usize,
    /// Columns of each, a multiple of [`BLOCK`].
    pub(super) width: usize,
    /// The matrices, `depth` · `width` numbers each.
    pub(super) data: Buffer<T>,
    /// The factor of each column, `width` for each matrix.
    pub(super) factors: Buffer<f32>,
}

impl<T: Number> Weights<T> {
    /// Packs matrices of `depth` rows and `width` columns, both padded with zeros to whole blocks. `other_sides` has for each
    /// matrix the share of the limit that activations reach on the other side of 0, `column` fills in the weights of one
    /// column of one matrix.
    ///
    /// Activations between −a and b with a + b at most the limit count as 0 on the other side: no sum of theirs is larger.
    pub fn pack(
        other_sides: &[f64],
        [depth, width]: [usize; 2],
        mut column: impl FnMut(usize, usize, &mut [f32]),
    ) -> Weights<T> {
        let n_matrices = other_sides.len();
        let (n_rows, n_columns) = (depth, width);
        let (depth, width) = (padded(depth), padded(width));
        let mut data = Buffer::<T>::zeros(n_matrices * depth * width);
        let mut factors = Buffer::zeros(n_matrices * width);
        let mut exact = vec![0.0; depth];
        let mut rounded = Buffer::<T>::zeros(depth);
        for (matrix, &other_side) in other_sides.iter().enumerate() {
            for n in 0..n_columns {
                column(matrix, n, &mut exact[..n_rows]);
                factors[matrix * width + n] = T::quantise(&exact, other_side, &mut rounded);
                let at = matrix * depth * width + n / BLOCK * BLOCK * depth + n % BLOCK * T::DEPTH;
                for (k, &number) in rounded.iter().enumerate() {
                    data[at + k / T::DEPTH * BLOCK * T::DEPTH + k % T::DEPTH] = number;
                }
            }
        }
        Weights { n_matrices, depth, width, data, factors }
    }

    /// The memory in bytes.
    pub fn n_bytes(&self) -> usize {
        self.data.len() * size_of::<T>() + self.factors.len() * 4
    }

    /// The largest magnitude that activations are scaled to.
    #[inline]
    pub fn limit(&self) -> f32 {
        T::limit(self.depth)
    }

    /// Multiplies `rows` rows with each matrix: `left` has the rows of the first matrix, then those of the second and so on,
    /// and `out` gets the products in the same order. Without rows nothing is written.
    ///
    /// # Panics
    /// When `left` is shorter than matrices · `rows` · depth, or `out` shorter than matrices · `rows` · width.
    pub fn multiply(&self, isa: Isa, left: &[T], rows: usize, out: &mut [f32]) {
        if rows == 0 {
            return;
        }
        isa.run(Multiply { weights: self, left, rows, out });
    }
}

struct Multiply<'a, T: Number> {
    weights: &'a Weights<T>,
    left: &'a [T],
    rows: usize,
    out: &'a mut [f32],
}

/// Where a tile reads and writes: rows, blocks of weights, factors and products.
#[derive(Clone, Copy)]
struct Place<T> {
    left: *const T,
    right: *const T,
    factors: *const f32,
    out: *mut f32,
}

/// Weights that are needed next.
#[derive(Clone, Copy)]
struct Ahead<T> {
    /// Where a tile begins to ask for them.
    at: *const T,
    /// Numbers between what two steps of the sum ask for, in each block.
    stride: usize,
}

impl<T: Number> Kernel for Multiply<'_, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Weights { n_matrices, depth, width, .. } = *self.weights;
        let [n_left, n_out] = [depth, width].map(|n| self.rows.saturating_mul(n_matrices * n));
        assert!(self.left.len() >= n_left, "{} numbers on the left, expected {n_left}", self.left.len());
        assert!(self.out.len() >= n_out, "room for {} products, expected {n_out}", self.out.len());
        // What `pack` sees to.
        debug_assert!(depth % BLOCK == 0 && width % BLOCK == 0);
        debug_assert_eq!(self.weights.data.len(), n_matrices * depth * width);
        debug_assert_eq!(self.weights.factors.len(), n_matrices * width);
        // Panels begin and end with a block.
        let n_blocks = width / BLOCK;
        let n_panels = n_blocks.div_ceil(L::COLS * L::N / BLOCK);
        for matrix in 0..n_matrices {
            for panel in 0..n_panels {
                let [first, last] = [panel, panel + 1].map(|p| p * n_blocks / n_panels);
                let column = first * BLOCK;
                // SAFETY: the matrix and the column are within what was asserted above, and within the buffers of `pack`.
                let place = unsafe {
                    Place {
                        left: self.left.as_ptr().add(matrix * self.rows * depth),
                        right: self.weights.data.as_ptr().add((matrix * width + column) * depth),
                        factors: self.weights.factors.as_ptr().add(matrix * width + column),
                        out: self.out.as_mut_ptr().add(matrix * self.rows * width + column),
                    }
                };
                let shape = Shape { rows: self.rows, depth, width };
                // What an instruction set never needs is not compiled for it: guards are constants, not only constant.
                // SAFETY: `rows` rows of `depth` numbers, and `last` − `first` blocks of columns, lie behind the place.
                unsafe {
                    match (last - first) * BLOCK / L::N {
                        1 if const { L::N == 16 } => panel_of::<T, L, 1>(lanes, place, shape),
                        2 if const { L::N >= 8 } => panel_of::<T, L, 2>(lanes, place, shape),
                        3 if const { L::N == 16 } => panel_of::<T, L, 3>(lanes, place, shape),
                        4 if const { L::N == 4 } => panel_of::<T, L, 4>(lanes, place, shape),
                        16 if const { L::N == 1 } => panel_of::<T, L, 16>(lanes, place, shape),
                        _ => unreachable!("a panel has at most L::COLS vectors"),
                    }
                }
            }
        }
    }
}

/// The shape of a product.
#[derive(Clone, Copy)]
struct Shape {
    rows: usize,
    depth: usize,
    width: usize,
}

/// All rows times `C` vectors of columns, in tiles of nearly equal height.
///
/// # Safety
/// The place has `shape.rows` rows, at least one, to read and write, and weights and factors of `C` vectors.
#[inline(always)]
unsafe fn panel_of<T: Number, L: Lanes, const C: usize>(lanes: L, place: Place<T>, shape: Shape) {
    debug_assert!(shape.rows > 0);
    let n_tiles = shape.rows.div_ceil(L::ROWS);
    // The tiles share the work of asking for the next panel: all of it asked for at once would have to wait for memory.
    let step = BLOCK * T::DEPTH;
    let mut ahead =
        Ahead { at: place.right.wrapping_add(C * L::N * shape.depth), stride: step.div_ceil(n_tiles) };
    for n in 0..n_tiles {
        let [first, last] = [n, n + 1].map(|n| n * shape.rows / n_tiles);
        // SAFETY: rows from `first` to `last` are within `shape.rows`.
        unsafe {
            let place = Place {
                left: place.left.add(first * shape.depth),
                out: place.out.add(first * shape.width),
                ..place
            };
            match last - first {
                1 => tile::<T, L, 1, C>(lanes, place, shape, ahead),
                2 if const { L::ROWS >= 2 } => tile::<T, L, 2, C>(lanes, place, shape, ahead),
                3 if const { L::ROWS >= 3 } => tile::<T, L, 3, C>(lanes, place, shape, ahead),
                4 if const { L::ROWS >= 4 } => tile::<T, L, 4, C>(lanes, place, shape, ahead),
                5 if const { L::ROWS >= 5 } => tile::<T, L, 5, C>(lanes, place, shape, ahead),
                6 if const { L::ROWS >= 6 } => tile::<T, L, 6, C>(lanes, place, shape, ahead),
                7 if const { L::ROWS >= 7 } => tile::<T, L, 7, C>(lanes, place, shape, ahead),
                8 if const { L::ROWS >= 8 } => tile::<T, L, 8, C>(lanes, place, shape, ahead),
                _ if const { L::ROWS >= 9 } => tile::<T, L, 9, C>(lanes, place, shape, ahead),
                _ => unreachable!("a tile has at most L::ROWS rows"),
            }
        }
        ahead.at = ahead.at.wrapping_add(shape.depth * BLOCK / n_tiles);
    }
}

/// `R` rows times `C` vectors of columns, summed in registers.
///
/// # Safety
/// The place has `R` rows to read and write, and weights and factors of `C` vectors.
#[inline(always)]
unsafe fn tile<T: Number, L: Lanes, const R: usize, const C: usize>(
    lanes: L,
    place: Place<T>,
    shape: Shape,
    mut ahead: Ahead<T>,
) {
    let mut sums = [[T::zero(lanes); C]; R];
    let mut rows = [place.left; R];
    for (r, row) in rows.iter_mut().enumerate() {
        // SAFETY: the place has `R` rows.
        *row = unsafe { place.left.add(r * shape.depth) };
    }
    // The compiler would compute these addresses anew in every step. For more rows it is short of registers.
    let rows = if const { L::ROWS <= 6 } { std::hint::black_box(rows) } else { rows };
    let mut k = 0;
    while k < shape.depth {
        // Depths are whole blocks, so that two steps are always left.
        for k in [k, k + T::DEPTH] {
            // SAFETY: what is multiplied with the k-th number of each row lies behind the place.
            unsafe { multiply_step::<T, L, R, C>(lanes, &rows, place.right, shape.depth, k, &mut sums) };
            for block in 0..C * L::N / BLOCK {
                lanes.prefetch(ahead.at.wrapping_add(block * BLOCK * shape.depth).cast());
            }
            ahead.at = ahead.at.wrapping_add(ahead.stride);
        }
        k += 2 * T::DEPTH;
    }
    for c in 0..C {
        // SAFETY: factors of `C` vectors and `R` rows to write lie behind the place.
        unsafe {
            let factor = lanes.load_at(place.factors.add(c * L::N));
            for (r, sums) in sums.iter().enumerate() {
                let out = place.out.add(r * shape.width + c * L::N);
                lanes.store_at(out, T::finish(lanes, sums[c], factor));
            }
        }
    }
}

/// Adds the products of numbers `k` to `k` + `DEPTH` of each row.
///
/// # Safety
/// The rows and `C` vectors of weights in blocks of `depth` are longer than `k`.
#[inline(always)]
unsafe fn multiply_step<T: Number, L: Lanes, const R: usize, const C: usize>(
    lanes: L,
    rows: &[*const T; R],
    right: *const T,
    depth: usize,
    k: usize,
    sums: &mut [[T::Sum<L>; C]; R],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut vectors = [T::splat(lanes, right); C];
        for (c, vector) in vectors.iter_mut().enumerate() {
            let (block, column) = (c * L::N / BLOCK, c * L::N % BLOCK);
            *vector = T::load(lanes, right.add((block * depth + k) * BLOCK + column * T::DEPTH));
        }
        for (row, sums) in rows.iter().zip(sums) {
            let left = T::splat(lanes, row.add(k));
            for (sum, &vector) in sums.iter_mut().zip(&vectors) {
                *sum = T::multiply_add(lanes, *sum, left, vector);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products of random matrices of one shape against the sum of products in f64; the largest error, with the spread of
    /// the products for comparison.
    fn check<T: Number>(isa: Isa, n_matrices: usize, rows: usize, shape: [usize; 2]) -> Vec<f32> {
        let mut rng = goban::Rng::new((rows * 1000 + shape[0]) as u64);
        let mut draw = || 2.0 * rng.unit() - 1.0;
        let [depth, width] = shape;
        let right: Vec<f32> = (0..n_matrices * depth * width).map(|_| draw()).collect();
        let at = |m: usize, k: usize, n: usize| right[(m * depth + k) * width + n];
        let weights = Weights::<T>::pack(&vec![1.0; n_matrices], shape, |m, n, column| {
            for (k, w) in column.iter_mut().enumerate() {
                *w = at(m, k, n);
            }
        });
        let scale = weights.limit();
        let exact: Vec<f32> = (0..n_matrices * rows * weights.depth).map(|_| draw()).collect();
        let mut left = Buffer::<T>::zeros(exact.len());
        isa.run(Fill { from: &exact, to: &mut left, scale });
        let mut out = vec![f32::NAN; n_matrices * rows * weights.width];
        weights.multiply(isa, &left, rows, &mut out);
        for m in 0..n_matrices {
            for r in 0..rows {
                let row = m * rows + r;
                for n in 0..weights.width {
                    let right: f64 = (0..depth)
                        .filter(|_| n < width)
                        .map(|k| f64::from(at(m, k, n)) * f64::from(exact[row * weights.depth + k]))
                        .sum();
                    let error = (f64::from(out[row * weights.width + n] / scale) - right).abs();
                    let name = isa.name();
                    assert!(error < 1e-2, "{name} {} {rows}×{shape:?}: {row},{n} off by {error}", T::NAME);
                }
            }
        }
        out
    }

    struct Fill<'a, T> {
        from: &'a [f32],
        to: &'a mut [T],
        scale: f32,
    }

    impl<T: Number> Kernel for Fill<'_, T> {
        type Out = ();

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) {
            for n in (0..self.from.len()).step_by(L::N) {
                let x = l.mul(l.load(&self.from[n..]), l.splat(self.scale));
                T::store_grid(l, self.to, n, 1, [[x]]);
            }
        }
    }

    #[test]
    fn products_of_odd_shapes() {
        let shapes = [[1, 1], [16, 16], [17, 33], [96, 96], [50, 64], [3, 130]];
        for (shape, rows) in shapes.into_iter().zip([1, 9, 10, 25, 81, 7]) {
            let right = check::<i16>(Isa::SCALAR, 3, rows, shape);
            for isa in Isa::all() {
                assert!(check::<i16>(isa, 3, rows, shape) == right, "{} differs in bits", isa.name());
                check::<f32>(isa, 2, rows, shape);
            }
        }
        for rows in 1..=20 {
            let right = check::<i16>(Isa::SCALAR, 1, rows, [32, 48]);
            assert!(Isa::all().into_iter().all(|isa| check::<i16>(isa, 1, rows, [32, 48]) == right));
        }
    }

    #[test]
    fn no_rows_and_no_matrices_write_nothing() {
        let ones = |_: usize, _: usize, column: &mut [f32]| column.fill(1.0);
        for isa in Isa::all() {
            let mut out = [7.0; 16];
            Weights::<i16>::pack(&[1.0], [16, 16], ones).multiply(isa, &[], 0, &mut out);
            Weights::<f32>::pack(&[], [16, 16], ones).multiply(isa, &[], 3, &mut out);
            assert_eq!(out, [7.0; 16], "{}", isa.name());
        }
    }

    #[test]
    #[should_panic(expected = "15 numbers on the left, expected 16")]
    fn rows_that_are_too_short_are_refused() {
        let weights = Weights::<f32>::pack(&[1.0], [16, 16], |_, _, column| column.fill(1.0));
        weights.multiply(Isa::SCALAR, &[0.0; 15], 1, &mut [0.0; 16]);
    }
}
