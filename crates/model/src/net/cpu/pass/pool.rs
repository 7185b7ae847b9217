//! Pooling: three numbers for each channel of a board.

use crate::net::cpu::simd::{Isa, Kernel, Lanes};

/// The third number of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Third {
    /// The maximum: trunk and policy.
    Maximum,
    /// The mean times a function of the board's size: value head.
    Mean,
}

/// From dense boards to vectors: for a board of A points and s = √A − 14 all means, all means · s / 10, and all maxima or all
/// means · (s² / 100 − 1 / 10).
pub struct Pool<'a> {
    /// Points of a board.
    pub n_points: usize,
    /// Channels of a point, whole blocks.
    pub n_channels: usize,
    /// The third number of each channel.
    pub third: Third,
    /// Dense boards.
    pub from: &'a [f32],
    /// Three numbers a channel for each board.
    pub to: &'a mut [f32],
}

impl Pool<'_> {
    /// Pools all boards.
    pub fn run(self, isa: Isa) {
        isa.run(self);
    }
}

impl Kernel for Pool<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Pool { n_points, n_channels, third, from, to } = self;
        let side = (n_points as f32).sqrt() - 14.0;
        let (second, last) = (l.splat(side * 0.1), l.splat(side * side * 0.01 - 0.1));
        let count = l.splat(n_points as f32);
        let boards = from.chunks_exact(n_points * n_channels);
        for (from, to) in boards.zip(to.chunks_exact_mut(3 * n_channels)) {
            for c in (0..n_channels).step_by(L::N) {
                let first = l.load(&from[c..]);
                let (mut sum, mut most) = (first, first);
                for point in from.chunks_exact(n_channels).skip(1) {
                    let x = l.load(&point[c..]);
                    (sum, most) = (l.add(sum, x), l.max(x, most));
                }
                let mean = l.div(sum, count);
                l.store(&mut to[c..], mean);
                l.store(&mut to[n_channels + c..], l.mul(mean, second));
                let third = if third == Third::Maximum { most } else { l.mul(mean, last) };
                l.store(&mut to[2 * n_channels + c..], third);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooling_worked_by_hand() {
        // Four points, √4 − 14 = −12, 12²/100 − 0.1 = 1.34; the first channel is 1, 2, 3, 6, the second its opposite.
        let mut from = [0.0; 64];
        for (point, x) in [1.0, 2.0, 3.0, 6.0].into_iter().enumerate() {
            from[16 * point..][..2].copy_from_slice(&[x, -x]);
        }
        for isa in Isa::all() {
            for (third, right) in [(Third::Maximum, [6.0, -1.0]), (Third::Mean, [4.02, -4.02])] {
                let mut to = [f32::NAN; 48];
                Pool { n_points: 4, n_channels: 16, third, from: &from, to: &mut to }.run(isa);
                let near = |n: usize, right: f32| (to[n] - right).abs() < 1e-5;
                assert!(near(0, 3.0) && near(1, -3.0) && near(16, -3.6) && near(17, 3.6) && near(2, 0.0));
                assert!(near(32, right[0]) && near(33, right[1]), "{to:?}");
            }
        }
    }
}
