//! Direct convolutions: the numbers that each point's products take, side by side, and the products back to boards.

use crate::net::cpu::gemm::Number;
use crate::net::cpu::geometry::Layout;
use crate::net::cpu::simd::{Kernel, Lanes};

/// From images to the rows of a matrix: for each point its neighbours under the kernel, zeros off the board.
pub struct Gather<'a, T: Number> {
    /// How the images stand.
    pub layout: Layout,
    /// Channels of a point, whole blocks.
    pub n_channels: usize,
    /// Columns and rows of the kernel.
    pub kernel: [usize; 2],
    /// An image for each board.
    pub images: &'a [f32],
    /// For each board what its numbers are multiplied by.
    pub factors: &'a [f32],
    /// Board by board, point by point, tap by tap the channels.
    pub out: &'a mut [T],
}

impl<T: Number> Kernel for Gather<'_, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Gather { layout, n_channels, kernel: [taps_x, taps_y], images, factors, out } = self;
        let mut at = 0;
        for (board, &factor) in factors.iter().enumerate() {
            let factor = l.splat(factor);
            let image = &images[board * layout.n_points * n_channels..][..layout.n_points * n_channels];
            for point in 0..layout.width * layout.height {
                for tap in 0..taps_x * taps_y {
                    // Outside the board these wrap around and become large.
                    let x = (point % layout.width + tap % taps_x).wrapping_sub(taps_x / 2);
                    let y = (point / layout.width + tap / taps_x).wrapping_sub(taps_y / 2);
                    let is_on_board = x < layout.width && y < layout.height;
                    let place = if is_on_board { layout.origin + y * layout.row + x } else { 0 };
                    let from = &image[place * n_channels..][..n_channels];
                    let factor = if is_on_board { factor } else { l.splat(0.0) };
                    for c in (0..n_channels).step_by(L::N) {
                        T::store_grid(l, out, at + c, 1, [[l.mul(l.load(&from[c..]), factor)]]);
                    }
                    at += n_channels;
                }
            }
        }
    }
}

/// From products to dense boards: each board's products times its factor.
pub struct Scatter<'a> {
    /// Numbers of a board.
    pub n_numbers: usize,
    /// Board by board.
    pub products: &'a [f32],
    /// For each board what its numbers are multiplied by.
    pub factors: &'a [f32],
    /// Whether outputs are added to what stands in `out`; otherwise they replace it.
    pub adds: bool,
    /// Board by board.
    pub out: &'a mut [f32],
}

impl Kernel for Scatter<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for (board, &factor) in self.factors.iter().enumerate() {
            let factor = l.splat(factor);
            let from = &self.products[board * self.n_numbers..][..self.n_numbers];
            let out = &mut self.out[board * self.n_numbers..][..self.n_numbers];
            for (from, to) in from.chunks_exact(L::N).zip(out.chunks_exact_mut(L::N)) {
                let value = l.mul(l.load(from), factor);
                let value = if self.adds { l.add(l.load(to), value) } else { value };
                l.store(to, value);
            }
        }
    }
}
