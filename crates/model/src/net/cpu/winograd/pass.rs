//! The transforms of whole boards, in f32 and without fused operations.

use super::TileSize;
use super::tile::{F2, F3, F4, Tile};
use crate::net::cpu::gemm::Number;
use crate::net::cpu::geometry::Geometry;
use crate::net::cpu::simd::{Isa, Kernel, Lanes};
use std::marker::PhantomData;

/// From images to frequencies.
pub struct InputPass<'a, T: Number> {
    /// Board and tiles.
    pub geometry: Geometry,
    /// Channels of a point, whole blocks.
    pub n_channels: usize,
    /// An image for each board.
    pub images: &'a [f32],
    /// For each board and frequency what it is multiplied by.
    pub factors: &'a [f32],
    /// Frequency by frequency, board by board, tile by tile the channels.
    pub out: &'a mut [T],
}

impl<T: Number> InputPass<'_, T> {
    /// Transforms all boards, one for each set of factors.
    pub fn run(self, isa: Isa) {
        match self.geometry.tile {
            TileSize::Two => isa.run(Sized::<_, F2, 2, 4>(self, PhantomData)),
            TileSize::Three => isa.run(Sized::<_, F3, 3, 5>(self, PhantomData)),
            TileSize::Four => isa.run(Sized::<_, F4, 4, 6>(self, PhantomData)),
        }
    }
}

impl InputPass<'_, f32> {
    /// [`InputPass::run`], compiled here and not again in the crates that train.
    pub fn run_f32(self, isa: Isa) {
        self.run(isa);
    }
}

/// A pass with the size of its tile.
pub(super) struct Sized<P, W, const M: usize, const T: usize>(pub(super) P, pub(super) PhantomData<W>);

impl<N: Number, W: Tile<M, T>, const M: usize, const T: usize> Kernel for Sized<InputPass<'_, N>, W, M, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let InputPass { geometry, n_channels, images, factors, out } = self.0;
        let [tiles_x, tiles_y] = geometry.tiles();
        let n_boards = factors.len() / (T * T);
        let stride = n_boards * geometry.n_tiles() * n_channels;
        let row = geometry.image_width() * n_channels;
        for board in 0..n_boards {
            let image = &images[board * geometry.image().n_points * n_channels..];
            let mut own = [[l.splat(0.0); T]; T];
            for (to, &factor) in own.as_flattened_mut().iter_mut().zip(&factors[board * T * T..]) {
                *to = l.splat(factor);
            }
            for tile in 0..tiles_x * tiles_y {
                let from = (tile / tiles_x * M * geometry.image_width() + tile % tiles_x * M) * n_channels;
                let to = (board * tiles_x * tiles_y + tile) * n_channels;
                for c in (0..n_channels).step_by(L::N) {
                    let grid = l.load_grid::<T, T>(image, from + c, [row, n_channels]);
                    let grid = transform_input::<L, W, M, T>(l, grid, &own);
                    N::store_grid(l, out, to + c, stride, grid);
                }
            }
        }
    }
}

#[inline(always)]
fn transform_input<L: Lanes, W: Tile<M, T>, const M: usize, const T: usize>(
    l: L,
    grid: [[L::F; T]; T],
    factors: &[[L::F; T]; T],
) -> [[L::F; T]; T] {
    let mut out = grid;
    for x in 0..T {
        let mut column = grid[0];
        for y in 0..T {
            column[y] = grid[y][x];
        }
        let column = W::input(l, column);
        for y in 0..T {
            out[y][x] = column[y];
        }
    }
    for y in 0..T {
        out[y] = W::input(l, out[y]);
        for x in 0..T {
            out[y][x] = l.mul(out[y][x], factors[y][x]);
        }
    }
    out
}

/// From products to dense boards.
pub struct OutputPass<'a> {
    /// Board and tiles.
    pub geometry: Geometry,
    /// Channels of a point, whole blocks.
    pub n_channels: usize,
    /// Frequency by frequency, board by board, tile by tile the channels.
    pub products: &'a [f32],
    /// For each board what its outputs are multiplied by.
    pub factors: &'a [f32],
    /// Whether outputs are added to what stands in `out`; otherwise they replace it.
    pub adds: bool,
    /// A dense board for each.
    pub out: &'a mut [f32],
}

impl OutputPass<'_> {
    /// Transforms all boards, one for each factor.
    pub fn run(self, isa: Isa) {
        match self.geometry.tile {
            TileSize::Two => isa.run(Sized::<_, F2, 2, 4>(self, PhantomData)),
            TileSize::Three => isa.run(Sized::<_, F3, 3, 5>(self, PhantomData)),
            TileSize::Four => isa.run(Sized::<_, F4, 4, 6>(self, PhantomData)),
        }
    }
}

impl<W: Tile<M, T>, const M: usize, const T: usize> Kernel for Sized<OutputPass<'_>, W, M, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let OutputPass { geometry, n_channels, products, factors, adds, out } = self.0;
        let [tiles_x, tiles_y] = geometry.tiles();
        let stride = factors.len() * geometry.n_tiles() * n_channels;
        for (board, &factor) in factors.iter().enumerate() {
            let factor = l.splat(factor);
            let out =
                &mut out[board * geometry.n_points() * n_channels..][..geometry.n_points() * n_channels];
            for tile in 0..tiles_x * tiles_y {
                let (x0, y0) = (tile % tiles_x * M, tile / tiles_x * M);
                let (columns, rows) = (M.min(geometry.width - x0), M.min(geometry.height - y0));
                let from = (board * tiles_x * tiles_y + tile) * n_channels;
                for c in (0..n_channels).step_by(L::N) {
                    let grid = l.load_grid::<T, T>(products, from + c, [T * stride, stride]);
                    let grid = transform_output::<L, W, M, T>(l, grid);
                    for (y, row) in grid.iter().enumerate().take(rows) {
                        for (x, &value) in row.iter().enumerate().take(columns) {
                            let at = ((y0 + y) * geometry.width + x0 + x) * n_channels + c;
                            let value = l.mul(value, factor);
                            let to = &mut out[at..];
                            let value = if adds { l.add(l.load(to), value) } else { value };
                            l.store(to, value);
                        }
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn transform_output<L: Lanes, W: Tile<M, T>, const M: usize, const T: usize>(
    l: L,
    grid: [[L::F; T]; T],
) -> [[L::F; M]; M] {
    let zero = l.splat(0.0);
    let mut half = [[zero; T]; M];
    for x in 0..T {
        let mut column = [zero; T];
        for y in 0..T {
            column[y] = grid[y][x];
        }
        let column = W::output(l, column);
        for y in 0..M {
            half[y][x] = column[y];
        }
    }
    let mut out = [[zero; M]; M];
    for y in 0..M {
        out[y] = W::output(l, half[y]);
    }
    out
}
