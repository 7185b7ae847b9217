//! Convolutions of 3×3 as matrix products, after Winograd: the inputs of each tile are transformed, every *frequency* of the
//! transform is one matrix product over channels for all tiles of all boards, and the products are transformed back.
//!
//! In reading order: [`tile`] the transforms of one row · this file, the choice of the tile and the weights · [`pass`] the transforms
//! of whole boards · [`adjoint`] the transforms backwards, for training · [`kernel`] weights that change with every step.

pub mod adjoint;
pub mod kernel;
pub mod pass;
pub mod tile;

use super::gemm::{Number, Weights};
use super::geometry::Shape;
use crate::net::graph::Conv;
use tile::{F2, F3, F4, Tile};

/// The frequencies of the largest tile.
pub const MAX_FREQUENCIES: usize = 36;

/// The size of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TileSize {
    /// 2×2 outputs.
    Two,
    /// 3×3 outputs.
    Three,
    /// 4×4 outputs.
    Four,
}

impl TileSize {
    /// All sizes.
    pub const ALL: [TileSize; 3] = [TileSize::Two, TileSize::Three, TileSize::Four];

    /// Outputs along one side.
    pub fn side(self) -> usize {
        match self {
            TileSize::Two => 2,
            TileSize::Three => 3,
            TileSize::Four => 4,
        }
    }

    /// The number of frequencies: products for each tile and pair of channels.
    pub fn n_frequencies(self) -> usize {
        (self.side() + 2).pow(2)
    }

    /// The size that takes the fewest products on a board, the smaller of equals.
    pub fn for_board(width: usize, height: usize) -> TileSize {
        let cost = |tile: &TileSize| {
            tile.n_frequencies() * width.div_ceil(tile.side()) * height.div_ceil(tile.side())
        };
        TileSize::ALL.into_iter().min_by_key(cost).unwrap_or(TileSize::Two)
    }

    /// The bounds of each frequency for inputs between 0 and 1. If inputs range from lo ≤ 0 to hi ≥ 0, they are
    /// (hi − lo) times as large.
    pub fn bounds(self) -> Vec<Bound> {
        match self {
            TileSize::Two => bounds(F2::INPUT),
            TileSize::Three => bounds(F3::INPUT),
            TileSize::Four => bounds(F4::INPUT),
        }
    }

    /// G of the tile, row by row.
    fn kernel(self) -> &'static [[f64; 3]] {
        match self {
            TileSize::Two => &F2::KERNEL,
            TileSize::Three => &F3::KERNEL,
            TileSize::Four => &F4::KERNEL,
        }
    }
}

/// How far a frequency can be from 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// The largest magnitude.
    pub largest: f64,
    /// The largest magnitude of numbers of the other sign, as a share of it.
    pub other_side: f64,
}

fn bounds<const T: usize>(rows: [[f64; T]; T]) -> Vec<Bound> {
    let parts = rows.map(|row| {
        let positive: f64 = row.iter().filter(|&&b| b > 0.0).sum();
        [positive, positive - row.iter().sum::<f64>()]
    });
    let pair = |a: [f64; 2], b: [f64; 2]| {
        let (same, opposite) = (a[0] * b[0] + a[1] * b[1], a[0] * b[1] + a[1] * b[0]);
        let largest = same.max(opposite);
        Bound { largest, other_side: same.min(opposite) / largest }
    };
    parts.iter().flat_map(|&a| parts.iter().map(move |&b| pair(a, b))).collect()
}

/// The factor of each frequency when it is written: all become at most 1 in magnitude for i16, and stay as they are in f32.
/// The weights are multiplied by its inverse.
pub fn factors<T: Number>(tile: TileSize) -> Vec<f64> {
    let factor = |bound: Bound| if T::IS_SCALED { 1.0 / bound.largest } else { 1.0 };
    tile.bounds().into_iter().map(factor).collect()
}

/// The transformed kernels of convolutions that read the same channels; their outputs stand side by side, each padded to
/// whole blocks.
pub fn weights<T: Number>(tile: TileSize, convs: &[&Conv]) -> Weights<T> {
    let shape = Shape::of(convs);
    let kernel = tile.kernel();
    let factors = factors::<T>(tile);
    let other_sides: Vec<f64> = tile.bounds().iter().map(|bound| bound.other_side).collect();
    Weights::pack(&other_sides, [shape.n_in, shape.n_out], |frequency, output, column| {
        let (row, col) = (&kernel[frequency / kernel.len()], &kernel[frequency % kernel.len()]);
        let Some((conv, output)) = shape.find(convs, output) else { return column.fill(0.0) };
        for (input, w) in column.iter_mut().enumerate() {
            let mut sum = 0.0;
            for (y, a) in row.iter().enumerate() {
                for (x, b) in col.iter().enumerate() {
                    sum += a * b * f64::from(conv.row(y, x, input)[output]);
                }
            }
            *w = (sum / factors[frequency]) as f32;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_by_board() {
        let of = |n| TileSize::for_board(n, n);
        assert_eq!(of(9), TileSize::Three);
        assert!([7, 8, 13, 16, 19, 20].iter().all(|&n| of(n) == TileSize::Four));
        // 5 = 3 + 3 − 1: 4 tiles of 25 products, or 9 of 16, or 4 of 36.
        assert_eq!(of(5), TileSize::Three);
        assert_eq!(TileSize::for_board(9, 3), TileSize::Three);
    }

    #[test]
    fn bounds_worked_by_hand() {
        // Rows of Bᵀ for 2×2: (+1, −1), (+2, 0), (+1, −1), (+1, −1) as sums of positive and negative entries.
        let bounds = TileSize::Two.bounds();
        assert_eq!(bounds[0], Bound { largest: 2.0, other_side: 1.0 }); // 1·1 + 1·1 on both sides
        assert_eq!(bounds[1], Bound { largest: 2.0, other_side: 1.0 }); // 1·2
        assert_eq!(bounds[5], Bound { largest: 4.0, other_side: 0.0 }); // 2·2, and nothing below 0
    }
}
