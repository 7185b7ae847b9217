//! The tiles of Winograd's convolution for kernels of 3×3, one after Toom and Cook for each size: `M` outputs of a row come from
//! T = M + 2 inputs by T products instead of 3·M.
//!
//! For one row, with inputs d, kernel g and outputs y: y = Aᵀ·((G·g) ∘ (Bᵀ·d)); in two dimensions each transform is applied to
//! rows and columns. The points of interpolation are 0, 1, −1, 2, −2 as far as needed, and infinity.

use crate::net::cpu::simd::Lanes;

/// A tile with `M`×`M` outputs and `T`×`T` inputs.
pub trait Tile<const M: usize, const T: usize>: Copy + Send + Sync + 'static {
    /// G: from a row of a kernel.
    const KERNEL: [[f64; 3]; T];
    /// Bᵀ: from inputs; for bounds and tests, `input` computes it.
    const INPUT: [[f64; T]; T];
    /// Bᵀ·d.
    fn input<L: Lanes>(lanes: L, d: [L::F; T]) -> [L::F; T];
    /// Aᵀ·m.
    fn output<L: Lanes>(lanes: L, m: [L::F; T]) -> [L::F; M];
}

/// 2×2 outputs.
#[derive(Debug, Clone, Copy)]
pub struct F2;

impl Tile<2, 4> for F2 {
    const KERNEL: [[f64; 3]; 4] = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];
    const INPUT: [[f64; 4]; 4] =
        [[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]];

    #[inline(always)]
    fn input<L: Lanes>(l: L, d: [L::F; 4]) -> [L::F; 4] {
        [l.sub(d[0], d[2]), l.add(d[1], d[2]), l.sub(d[2], d[1]), l.sub(d[3], d[1])]
    }

    #[inline(always)]
    fn output<L: Lanes>(l: L, m: [L::F; 4]) -> [L::F; 2] {
        [l.add(m[0], l.add(m[1], m[2])), l.add(l.sub(m[1], m[2]), m[3])]
    }
}

/// 3×3 outputs: nothing is wasted on a board of 9×9.
#[derive(Debug, Clone, Copy)]
pub struct F3;

impl Tile<3, 5> for F3 {
    const KERNEL: [[f64; 3]; 5] = [
        [0.5, 0.0, 0.0],
        [-0.5, -0.5, -0.5],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 1.0],
    ];
    const INPUT: [[f64; 5]; 5] = [
        [2.0, -1.0, -2.0, 1.0, 0.0],
        [0.0, -2.0, -1.0, 1.0, 0.0],
        [0.0, 2.0, -3.0, 1.0, 0.0],
        [0.0, -1.0, 0.0, 1.0, 0.0],
        [0.0, 2.0, -1.0, -2.0, 1.0],
    ];

    #[inline(always)]
    fn input<L: Lanes>(l: L, d: [L::F; 5]) -> [L::F; 5] {
        let outer = l.sub(d[3], d[1]);
        let first = l.sub(d[0], d[2]);
        let inner = l.sub(d[3], d[2]);
        let twice = l.add(d[1], d[1]);
        [
            l.add(l.add(first, first), outer),
            l.sub(inner, twice),
            l.add(inner, l.sub(twice, l.add(d[2], d[2]))),
            outer,
            l.sub(l.sub(d[4], d[2]), l.add(outer, outer)),
        ]
    }

    #[inline(always)]
    fn output<L: Lanes>(l: L, m: [L::F; 5]) -> [L::F; 3] {
        let (sum, difference) = (l.add(m[1], m[2]), l.sub(m[1], m[2]));
        let twice = l.add(m[3], m[3]);
        [
            l.add(l.add(m[0], sum), m[3]),
            l.add(difference, twice),
            l.add(l.add(sum, m[4]), l.add(twice, twice)),
        ]
    }
}

/// 4×4 outputs: the fewest products on most boards.
#[derive(Debug, Clone, Copy)]
pub struct F4;

impl Tile<4, 6> for F4 {
    const KERNEL: [[f64; 3]; 6] = [
        [0.25, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    const INPUT: [[f64; 6]; 6] = [
        [4.0, 0.0, -5.0, 0.0, 1.0, 0.0],
        [0.0, -4.0, -4.0, 1.0, 1.0, 0.0],
        [0.0, 4.0, -4.0, -1.0, 1.0, 0.0],
        [0.0, -2.0, -1.0, 2.0, 1.0, 0.0],
        [0.0, 2.0, -1.0, -2.0, 1.0, 0.0],
        [0.0, 4.0, 0.0, -5.0, 0.0, 1.0],
    ];

    #[inline(always)]
    fn input<L: Lanes>(l: L, d: [L::F; 6]) -> [L::F; 6] {
        let four = l.splat(4.0);
        let even = l.sub(d[4], l.mul(four, d[2]));
        let odd = l.sub(d[3], l.mul(four, d[1]));
        let far = l.sub(d[4], d[2]);
        let near = l.sub(d[3], d[1]);
        let twice = l.add(near, near);
        [
            l.add(l.mul(four, l.sub(d[0], d[2])), far),
            l.add(even, odd),
            l.sub(even, odd),
            l.add(far, twice),
            l.sub(far, twice),
            l.add(l.sub(d[5], d[3]), l.mul(four, l.sub(d[1], d[3]))),
        ]
    }

    #[inline(always)]
    fn output<L: Lanes>(l: L, m: [L::F; 6]) -> [L::F; 4] {
        let (sum, difference) = (l.add(m[1], m[2]), l.sub(m[1], m[2]));
        let (outer_sum, outer_difference) = (l.add(m[3], m[4]), l.sub(m[3], m[4]));
        let twice = l.add(outer_difference, outer_difference);
        let four = l.splat(4.0);
        [
            l.add(l.add(m[0], sum), outer_sum),
            l.add(difference, twice),
            l.add(sum, l.mul(four, outer_sum)),
            l.add(l.add(difference, l.mul(four, twice)), m[5]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::cpu::simd::scalar::Scalar;

    /// Convolves the same row directly and through the transforms.
    fn check<W: Tile<M, T>, const M: usize, const T: usize>() {
        let d: [f32; T] = std::array::from_fn(|n| [1.0, -2.0, 0.5, 3.0, -1.5, 4.0][n]);
        let g = [0.75f64, -2.0, 1.25];
        let transformed = W::input(Scalar, d);
        for (row, x) in W::INPUT.iter().zip(transformed) {
            let right: f64 = row.iter().zip(d).map(|(b, d)| b * f64::from(d)).sum();
            assert!((f64::from(x) - right).abs() < 1e-5);
        }
        let products: [f32; T] = std::array::from_fn(|n| {
            let u: f64 = W::KERNEL[n].iter().zip(g).map(|(a, b)| a * b).sum();
            u as f32 * transformed[n]
        });
        for (n, y) in W::output(Scalar, products).into_iter().enumerate() {
            let right: f64 = (0..3).map(|k| g[k] * f64::from(d[n + k])).sum();
            assert!((f64::from(y) - right).abs() < 1e-4, "{n}: {y} instead of {right}");
        }
    }

    #[test]
    fn rows_as_by_direct_convolution() {
        check::<F2, 2, 4>();
        check::<F3, 3, 5>();
        check::<F4, 4, 6>();
    }
}
