//! Kernels and their gradients between the two forms: the nine taps that are stored and learned, and the frequencies that are
//! multiplied. Unlike [`super::weights`] this packs weights that change with every step, in f32 throughout.

use super::TileSize;
use super::tile::{F2, F3, F4, Tile};
use crate::net::cpu::gemm::{Number, Weights};
use crate::net::cpu::simd::{BLOCK, Isa, Kernel, Lanes};
use std::marker::PhantomData;

/// The taps of a kernel.
pub const N_TAPS: usize = 9;

/// From taps to the frequencies of packed weights.
pub struct KernelPass<'a> {
    /// The tile.
    pub tile: TileSize,
    /// Tap by tap, input by input the outputs, both padded to whole blocks.
    pub taps: &'a [f32],
    /// A matrix for each frequency.
    pub weights: &'a mut Weights<f32>,
}

/// From gradients of frequencies to gradients of taps.
pub struct KernelAdjoint<'a> {
    /// The tile.
    pub tile: TileSize,
    /// Frequency by frequency, input by input the outputs.
    pub frequencies: &'a [f32],
    /// Tap by tap, input by input the outputs.
    pub taps: &'a mut [f32],
}

struct Sized<P, W, const M: usize, const T: usize>(P, PhantomData<W>);

impl KernelPass<'_> {
    /// Transforms a convolution.
    ///
    /// # Panics
    /// When the weights have another shape.
    pub fn run(self, isa: Isa) {
        assert_eq!(self.weights.n_matrices, self.tile.n_frequencies());
        assert_eq!(self.taps.len(), N_TAPS * self.weights.depth * self.weights.width);
        match self.tile {
            TileSize::Two => isa.run(Sized::<_, F2, 2, 4>(self, PhantomData)),
            TileSize::Three => isa.run(Sized::<_, F3, 3, 5>(self, PhantomData)),
            TileSize::Four => isa.run(Sized::<_, F4, 4, 6>(self, PhantomData)),
        }
    }
}

impl KernelAdjoint<'_> {
    /// Transforms the gradient of a convolution.
    ///
    /// # Panics
    /// When the two forms have different shapes.
    pub fn run(self, isa: Isa) {
        assert_eq!(self.frequencies.len() / self.tile.n_frequencies(), self.taps.len() / N_TAPS);
        match self.tile {
            TileSize::Two => isa.run(Sized::<_, F2, 2, 4>(self, PhantomData)),
            TileSize::Three => isa.run(Sized::<_, F3, 3, 5>(self, PhantomData)),
            TileSize::Four => isa.run(Sized::<_, F4, 4, 6>(self, PhantomData)),
        }
    }
}

impl<W: Tile<M, T>, const M: usize, const T: usize> Kernel for Sized<KernelPass<'_>, W, M, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let KernelPass { taps, weights: Weights { depth, width, data, .. }, .. } = self.0;
        let (depth, width) = (*depth, *width);
        for input in 0..depth {
            for output in (0..width).step_by(L::N) {
                let at = input * width + output;
                let grid = l.load_grid::<3, 3>(taps, at, [3 * depth * width, depth * width]);
                let mut half = [[l.splat(0.0); 3]; T];
                let mut out = [[l.splat(0.0); T]; T];
                for (half, kernel) in half.iter_mut().zip(W::KERNEL) {
                    for (x, half) in half.iter_mut().enumerate() {
                        *half = row_of::<L>(l, kernel, [grid[0][x], grid[1][x], grid[2][x]]);
                    }
                }
                for (half, out) in half.into_iter().zip(&mut out) {
                    for (out, kernel) in out.iter_mut().zip(W::KERNEL) {
                        *out = row_of::<L>(l, kernel, half);
                    }
                }
                let to = output / BLOCK * BLOCK * depth + input * BLOCK + output % BLOCK;
                f32::store_grid(l, data, to, depth * width, out);
            }
        }
    }
}

/// One number of G·g.
#[inline(always)]
fn row_of<L: Lanes>(l: L, row: [f64; 3], g: [L::F; 3]) -> L::F {
    let [a, b, c] = row.map(|a| l.splat(a as f32));
    l.fused(a, g[0], l.fused(b, g[1], l.mul(c, g[2])))
}

impl<W: Tile<M, T>, const M: usize, const T: usize> Kernel for Sized<KernelAdjoint<'_>, W, M, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let KernelAdjoint { frequencies, taps, .. } = self.0;
        let n = taps.len() / N_TAPS;
        for at in (0..n).step_by(L::N) {
            let grid = l.load_grid::<T, T>(frequencies, at, [T * n, n]);
            let mut half = [[l.splat(0.0); T]; 3];
            let mut out = [[l.splat(0.0); 3]; 3];
            for x in 0..T {
                for (y, kernel) in W::KERNEL.iter().enumerate() {
                    for (half, &a) in half.iter_mut().zip(kernel) {
                        half[x] = l.fused(l.splat(a as f32), grid[y][x], half[x]);
                    }
                }
            }
            for (half, out) in half.into_iter().zip(&mut out) {
                for (x, kernel) in W::KERNEL.iter().enumerate() {
                    for (out, &a) in out.iter_mut().zip(kernel) {
                        *out = l.fused(l.splat(a as f32), half[x], *out);
                    }
                }
            }
            f32::store_grid(l, taps, at, n, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::cpu::winograd;
    use crate::net::graph::Conv;

    #[test]
    fn packed_as_for_engines_and_back_by_the_adjoint() {
        let mut rng = goban::Rng::new(5);
        let mut draw = |n: usize| (0..n).map(|_| 2.0 * rng.unit() - 1.0).collect::<Vec<f32>>();
        let (n_in, n_out) = (32, 16);
        let taps = draw(N_TAPS * n_in * n_out);
        let conv = Conv { height: 3, width: 3, n_in, n_out, weights: taps.clone() };
        for tile in TileSize::ALL {
            let right = winograd::weights::<f32>(tile, &[&conv]);
            let gradient = draw(tile.n_frequencies() * n_in * n_out);
            for isa in Isa::all() {
                let mut weights = Weights::zeros(tile.n_frequencies(), [n_in, n_out]);
                KernelPass { tile, taps: &taps, weights: &mut weights }.run(isa);
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
                assert!(weights.data.iter().zip(&*right.data).all(near), "{}", isa.name());
                let mut back = vec![f32::NAN; taps.len()];
                KernelAdjoint { tile, frequencies: &gradient, taps: &mut back }.run(isa);
                let left: f64 = back.iter().zip(&taps).map(|(a, b)| f64::from(a * b)).sum();
                // One block of outputs: the packed layout is that of the gradient.
                let right: f64 = weights.data.iter().zip(&gradient).map(|(a, b)| f64::from(a * b)).sum();
                assert!((left - right).abs() < 1e-3 * (1.0 + right.abs()), "{left} and {right}");
            }
        }
    }
}
