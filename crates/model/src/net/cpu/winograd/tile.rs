//! The tiles of Winograd's convolution for kernels of 3×3, one after Toom and Cook for each size: `M` outputs of a row come from
//! T = M + 2 inputs by T products instead of 3·M.
//!
//! For one row, with inputs d, kernel g and outputs y: y = Aᵀ·((G·g) ∘ (Bᵀ·d)); in two dimensions each transform is applied to
//! rows and columns. The points of interpolation of F2 are 0, 1, −1 and infinity.

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

/// The pairs of points ±x and ±y beside 0, x < y, as F3 and F4 have them. Small whole numbers would take fewer operations, but
/// cost i16 two to three times the precision: the error of an output grows with the sum over frequencies of output weight · kernel
/// weight · range of the input, and these points make that sum nearly as small as it can be.
#[derive(Debug, Clone, Copy)]
struct Points {
    x: f64,
    y: f64,
}

impl Points {
    /// Of F3.
    const THREE: Points = Points { x: 0.75, y: 2.5 };
    /// Of F4; x·y = 1.
    const FOUR: Points = Points { x: 2.0 / 3.0, y: 1.5 };

    /// Rows of G for 0, x, −x, y, −y: the powers of the point divided by its distances from the other points.
    const fn kernel(self) -> [[f64; 3]; 5] {
        const fn row(x: f64, y: f64) -> [f64; 3] {
            let distances = 2.0 * x * x * (x * x - y * y);
            [1.0 / distances, x / distances, x * x / distances]
        }
        let Points { x, y } = self;
        [[1.0 / (x * x * y * y), 0.0, 0.0], row(x, y), row(-x, y), row(y, x), row(-y, x)]
    }

    /// Rows of Bᵀ for 0, x, −x, y, −y: the coefficients of the product of (z − point) over the other points.
    const fn input_rows(self) -> [[f64; 5]; 5] {
        const fn row(x: f64, y: f64) -> [f64; 5] {
            [0.0, -x * y * y, -y * y, x, 1.0]
        }
        let Points { x, y } = self;
        [[x * x * y * y, 0.0, -x * x - y * y, 0.0, 1.0], row(x, y), row(-x, y), row(y, x), row(-y, x)]
    }

    /// The four rows of Bᵀ·d for x, −x, y, −y, from d₁ to d₄.
    #[inline(always)]
    fn pairs<L: Lanes>(self, l: L, d: [L::F; 4]) -> [L::F; 4] {
        let pair = |x: f64, y: f64| {
            let square = l.splat((y * y) as f32);
            let even = l.sub(d[3], l.mul(square, d[1]));
            let odd = l.mul(l.splat(x as f32), l.sub(d[2], l.mul(square, d[0])));
            [l.add(even, odd), l.sub(even, odd)]
        };
        let ([a, b], [c, d]) = (pair(self.x, self.y), pair(self.y, self.x));
        [a, b, c, d]
    }

    /// The sums that these four points give to outputs 0 to 3.
    #[inline(always)]
    fn outputs<L: Lanes>(self, l: L, m: [L::F; 4]) -> [L::F; 4] {
        let [x, y] = [self.x, self.y].map(|x| l.splat(x as f32));
        let [x2, y2] = [self.x, self.y].map(|x| l.splat((x * x) as f32));
        let (near, far) = (l.add(m[0], m[1]), l.add(m[2], m[3]));
        let (near_odd, far_odd) = (l.mul(x, l.sub(m[0], m[1])), l.mul(y, l.sub(m[2], m[3])));
        [
            l.add(near, far),
            l.add(near_odd, far_odd),
            l.add(l.mul(x2, near), l.mul(y2, far)),
            l.add(l.mul(x2, near_odd), l.mul(y2, far_odd)),
        ]
    }
}

/// 3×3 outputs: nothing is wasted on a board of 9×9. Its points are 0 and two pairs, without infinity.
#[derive(Debug, Clone, Copy)]
pub struct F3;

impl Tile<3, 5> for F3 {
    const KERNEL: [[f64; 3]; 5] = Points::THREE.kernel();
    const INPUT: [[f64; 5]; 5] = Points::THREE.input_rows();

    #[inline(always)]
    fn input<L: Lanes>(l: L, d: [L::F; 5]) -> [L::F; 5] {
        let [product, _, sum, ..] = Self::INPUT[0].map(|b| l.splat(b as f32));
        let zero = l.add(l.add(d[4], l.mul(sum, d[2])), l.mul(product, d[0]));
        let [a, b, c, e] = Points::THREE.pairs(l, [d[1], d[2], d[3], d[4]]);
        [zero, a, b, c, e]
    }

    #[inline(always)]
    fn output<L: Lanes>(l: L, m: [L::F; 5]) -> [L::F; 3] {
        let y = Points::THREE.outputs(l, [m[1], m[2], m[3], m[4]]);
        [l.add(m[0], y[0]), y[1], y[2]]
    }
}

/// 4×4 outputs: the fewest products on most boards. Its points are 0, two pairs and infinity.
#[derive(Debug, Clone, Copy)]
pub struct F4;

impl Tile<4, 6> for F4 {
    const KERNEL: [[f64; 3]; 6] = {
        let [zero, a, b, c, d] = Points::FOUR.kernel();
        [zero, a, b, c, d, [0.0, 0.0, 1.0]]
    };
    const INPUT: [[f64; 6]; 6] = {
        let rows = Points::FOUR.input_rows();
        let mut out = [[0.0; 6]; 6];
        let mut n = 0;
        while n < 25 {
            out[n / 5][n % 5] = rows[n / 5][n % 5];
            n += 1;
        }
        // The row of infinity is that of zero times z.
        let [a, _, b, _, c] = rows[0];
        out[5] = [0.0, a, 0.0, b, 0.0, c];
        out
    };

    #[inline(always)]
    fn input<L: Lanes>(l: L, d: [L::F; 6]) -> [L::F; 6] {
        // x²·y² = 1.
        let sum = l.splat(Self::INPUT[0][2] as f32);
        let zero = l.add(l.add(d[0], d[4]), l.mul(sum, d[2]));
        let infinity = l.add(l.add(d[1], d[5]), l.mul(sum, d[3]));
        let [a, b, c, e] = Points::FOUR.pairs(l, [d[1], d[2], d[3], d[4]]);
        [zero, a, b, c, e, infinity]
    }

    #[inline(always)]
    fn output<L: Lanes>(l: L, m: [L::F; 6]) -> [L::F; 4] {
        let y = Points::FOUR.outputs(l, [m[1], m[2], m[3], m[4]]);
        [l.add(m[0], y[0]), y[1], y[2], l.add(y[3], m[5])]
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
