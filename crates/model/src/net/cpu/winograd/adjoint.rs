//! The transforms of whole boards backwards: what gradients pass through on their way from outputs to inputs.
//!
//! If outputs are y = Aᵀ·(U ∘ (Bᵀ·d·B))·A, a gradient of y becomes one of the products by A on both sides ([`OutputAdjoint`]), and one
//! of the transformed inputs becomes one of d by B on both sides ([`InputAdjoint`]). Inputs of neighbouring tiles overlap; their
//! gradients are added.

use super::TileSize;
use super::pass::Sized;
use super::tile::{F2, F3, F4, Tile};
use crate::net::cpu::gemm::Number;
use crate::net::cpu::geometry::Geometry;
use crate::net::cpu::simd::{Isa, Kernel, Lanes};
use std::marker::PhantomData;

/// From gradients of dense boards to gradients of products.
pub struct OutputAdjoint<'a> {
    /// Board and tiles.
    pub geometry: Geometry,
    /// The number of boards.
    pub n_boards: usize,
    /// Channels of a point, whole blocks.
    pub n_channels: usize,
    /// Dense boards.
    pub boards: &'a [f32],
    /// Frequency by frequency, board by board, tile by tile the channels.
    pub out: &'a mut [f32],
}

impl OutputAdjoint<'_> {
    /// Transforms all boards.
    pub fn run(self, isa: Isa) {
        match self.geometry.tile {
            TileSize::Two => isa.run(Sized::<_, F2, 2, 4>(self, PhantomData)),
            TileSize::Three => isa.run(Sized::<_, F3, 3, 5>(self, PhantomData)),
            TileSize::Four => isa.run(Sized::<_, F4, 4, 6>(self, PhantomData)),
        }
    }
}

impl<W: Tile<M, T>, const M: usize, const T: usize> Kernel for Sized<OutputAdjoint<'_>, W, M, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let OutputAdjoint { geometry, n_boards, n_channels, boards, out } = self.0;
        let [tiles_x, tiles_y] = geometry.tiles();
        let stride = n_boards * geometry.n_tiles() * n_channels;
        let n_board = geometry.n_points() * n_channels;
        for (board, from) in boards.chunks_exact(n_board).take(n_boards).enumerate() {
            for tile in 0..tiles_x * tiles_y {
                let (x0, y0) = (tile % tiles_x * M, tile / tiles_x * M);
                let (columns, rows) = (M.min(geometry.width - x0), M.min(geometry.height - y0));
                let to = (board * tiles_x * tiles_y + tile) * n_channels;
                let at = (y0 * geometry.width + x0) * n_channels;
                let strides = [geometry.width * n_channels, n_channels];
                for c in (0..n_channels).step_by(L::N) {
                    let grid = if columns == M && rows == M {
                        l.load_grid::<M, M>(from, at + c, strides)
                    } else {
                        let mut grid = [[l.splat(0.0); M]; M];
                        for (y, row) in grid.iter_mut().enumerate().take(rows) {
                            for (x, value) in row.iter_mut().enumerate().take(columns) {
                                *value = l.load(&from[at + c + y * strides[0] + x * strides[1]..]);
                            }
                        }
                        grid
                    };
                    f32::store_grid(l, out, to + c, stride, spread::<L, W, M, T>(l, grid));
                }
            }
        }
    }
}

/// A·y·Aᵀ.
#[inline(always)]
fn spread<L: Lanes, W: Tile<M, T>, const M: usize, const T: usize>(
    l: L,
    grid: [[L::F; M]; M],
) -> [[L::F; T]; T] {
    let zero = l.splat(0.0);
    let mut out = [[zero; T]; T];
    let mut half = [[zero; M]; T];
    for x in 0..M {
        let mut column = [zero; M];
        for y in 0..M {
            column[y] = grid[y][x];
        }
        let column = W::output_adjoint(l, column);
        for y in 0..T {
            half[y][x] = column[y];
        }
    }
    for y in 0..T {
        out[y] = W::output_adjoint(l, half[y]);
    }
    out
}

/// From gradients of transformed inputs to gradients of images.
pub struct InputAdjoint<'a> {
    /// Board and tiles.
    pub geometry: Geometry,
    /// The number of boards.
    pub n_boards: usize,
    /// Channels of a point, whole blocks.
    pub n_channels: usize,
    /// Frequency by frequency, board by board, tile by tile the channels.
    pub products: &'a [f32],
    /// An image for each board; what its margin gets has no meaning.
    pub images: &'a mut [f32],
}

impl InputAdjoint<'_> {
    /// Transforms all boards.
    pub fn run(self, isa: Isa) {
        match self.geometry.tile {
            TileSize::Two => isa.run(Sized::<_, F2, 2, 4>(self, PhantomData)),
            TileSize::Three => isa.run(Sized::<_, F3, 3, 5>(self, PhantomData)),
            TileSize::Four => isa.run(Sized::<_, F4, 4, 6>(self, PhantomData)),
        }
    }
}

impl<W: Tile<M, T>, const M: usize, const T: usize> Kernel for Sized<InputAdjoint<'_>, W, M, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let InputAdjoint { geometry, n_boards, n_channels, products, images } = self.0;
        let [tiles_x, tiles_y] = geometry.tiles();
        let stride = n_boards * geometry.n_tiles() * n_channels;
        let n_image = geometry.image().n_points * n_channels;
        let row = geometry.image_width() * n_channels;
        for (board, image) in images.chunks_exact_mut(n_image).take(n_boards).enumerate() {
            image.fill(0.0);
            for tile in 0..tiles_x * tiles_y {
                let from = (board * tiles_x * tiles_y + tile) * n_channels;
                let to = (tile / tiles_x * M * geometry.image_width() + tile % tiles_x * M) * n_channels;
                for c in (0..n_channels).step_by(L::N) {
                    let grid = l.load_grid::<T, T>(products, from + c, [T * stride, stride]);
                    let grid = gather::<L, W, M, T>(l, grid);
                    let mut sums = l.load_grid::<T, T>(image, to + c, [row, n_channels]);
                    for (sums, grid) in sums.iter_mut().zip(grid) {
                        for (sum, more) in sums.iter_mut().zip(grid) {
                            *sum = l.add(*sum, more);
                        }
                    }
                    for (y, sums) in sums.into_iter().enumerate() {
                        f32::store_grid(l, image, to + c + y * row, n_channels, [sums]);
                    }
                }
            }
        }
    }
}

/// B·v·Bᵀ.
#[inline(always)]
fn gather<L: Lanes, W: Tile<M, T>, const M: usize, const T: usize>(
    l: L,
    grid: [[L::F; T]; T],
) -> [[L::F; T]; T] {
    let mut out = grid;
    for x in 0..T {
        let mut column = grid[0];
        for y in 0..T {
            column[y] = grid[y][x];
        }
        let column = W::input_adjoint(l, column);
        for y in 0..T {
            out[y][x] = column[y];
        }
    }
    for row in &mut out {
        *row = W::input_adjoint(l, *row);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::pass::{InputPass, OutputPass};
    use super::*;
    use crate::net::cpu::simd::BLOCK;

    fn dot(a: &[f32], b: &[f32]) -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    }

    fn near(left: f64, right: f64) {
        assert!((left - right).abs() < 1e-4 * (1.0 + left.abs()), "{left} and {right}");
    }

    /// ⟨T·a, b⟩ = ⟨a, adjoint of T · b⟩ for both passes, on boards with whole tiles and without.
    #[test]
    fn adjoint_passes() {
        let mut rng = goban::Rng::new(3);
        let mut draw = |n: usize| (0..n).map(|_| 2.0 * rng.unit() - 1.0).collect::<Vec<f32>>();
        for [width, height] in [[9, 9], [7, 7], [8, 6], [5, 4], [2, 3], [13, 10]] {
            for tile in TileSize::ALL {
                let geometry = Geometry { width, height, tile };
                let (n_boards, n_channels) = (2, 2 * BLOCK);
                let n_image = n_boards * geometry.image().n_points * n_channels;
                let n_dense = n_boards * geometry.n_points() * n_channels;
                let n_products = tile.n_frequencies() * n_boards * geometry.n_tiles() * n_channels;
                let (images, boards, products) = (draw(n_image), draw(n_dense), draw(n_products));
                for isa in Isa::all() {
                    let mut out = vec![f32::NAN; n_products];
                    let factors = vec![1.0; n_boards * tile.n_frequencies()];
                    InputPass { geometry, n_channels, images: &images, factors: &factors, out: &mut out }
                        .run(isa);
                    let mut back = vec![f32::NAN; n_image];
                    let images_back = &mut back;
                    InputAdjoint { geometry, n_boards, n_channels, products: &products, images: images_back }
                        .run(isa);
                    near(dot(&out, &products), dot(&images, &back));

                    OutputAdjoint { geometry, n_boards, n_channels, boards: &boards, out: &mut out }.run(isa);
                    let mut back = vec![f32::NAN; n_dense];
                    let (products, factors) = (&products, &[1.0; 2]);
                    OutputPass { geometry, n_channels, products, factors, adds: false, out: &mut back }
                        .run(isa);
                    near(dot(&back, &boards), dot(products, &out));
                }
            }
        }
    }
}
