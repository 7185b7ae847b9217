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
    /// B·v: the adjoint of `input`. This and the next use fused operations.
    fn input_adjoint<L: Lanes>(lanes: L, v: [L::F; T]) -> [L::F; T];
    /// A·y: the adjoint of `output`.
    fn output_adjoint<L: Lanes>(lanes: L, y: [L::F; M]) -> [L::F; T];
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

    #[inline(always)]
    fn input_adjoint<L: Lanes>(l: L, v: [L::F; 4]) -> [L::F; 4] {
        [v[0], l.sub(l.sub(v[1], v[2]), v[3]), l.sub(l.add(v[1], v[2]), v[0]), v[3]]
    }

    #[inline(always)]
    fn output_adjoint<L: Lanes>(l: L, y: [L::F; 2]) -> [L::F; 4] {
        [y[0], l.add(y[0], y[1]), l.sub(y[0], y[1]), y[1]]
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

impl Points {
    /// What the four rows of `pairs` give back to d₁ to d₄.
    #[inline(always)]
    fn pairs_adjoint<L: Lanes>(self, l: L, v: [L::F; 4]) -> [L::F; 4] {
        let Points { x, y } = self;
        let [near, far] = [l.add(v[0], v[1]), l.add(v[2], v[3])];
        let [near_odd, far_odd] = [l.sub(v[0], v[1]), l.sub(v[2], v[3])];
        let weighted = |[a, near]: [f64; 2], x, [b, far]: [f64; 2], y| {
            l.fused(l.splat((a * near) as f32), x, l.mul(l.splat((b * far) as f32), y))
        };
        [
            weighted([-x * y, y], near_odd, [-x * y, x], far_odd),
            weighted([-y, y], near, [-x, x], far),
            weighted([x, 1.0], near_odd, [y, 1.0], far_odd),
            l.add(near, far),
        ]
    }

    /// What the first `M` outputs, three or four, take from these four points.
    #[inline(always)]
    fn outputs_adjoint<L: Lanes, const M: usize>(self, l: L, y: [L::F; M]) -> [L::F; 4] {
        let pair = |x: f64| {
            let square = l.splat((x * x) as f32);
            let even = l.fused(square, y[2], y[0]);
            let odd = if const { M == 4 } { l.fused(square, y[3], y[1]) } else { y[1] };
            let odd = l.mul(l.splat(x as f32), odd);
            [l.add(even, odd), l.sub(even, odd)]
        };
        let ([a, b], [c, d]) = (pair(self.x), pair(self.y));
        [a, b, c, d]
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

    #[inline(always)]
    fn input_adjoint<L: Lanes>(l: L, v: [L::F; 5]) -> [L::F; 5] {
        let [product, _, sum, ..] = Self::INPUT[0].map(|b| l.splat(b as f32));
        let [a, b, c, e] = Points::THREE.pairs_adjoint(l, [v[1], v[2], v[3], v[4]]);
        [l.mul(product, v[0]), a, l.fused(sum, v[0], b), c, l.add(v[0], e)]
    }

    #[inline(always)]
    fn output_adjoint<L: Lanes>(l: L, y: [L::F; 3]) -> [L::F; 5] {
        let [a, b, c, d] = Points::THREE.outputs_adjoint(l, y);
        [y[0], a, b, c, d]
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

    #[inline(always)]
    fn input_adjoint<L: Lanes>(l: L, v: [L::F; 6]) -> [L::F; 6] {
        let sum = l.splat(Self::INPUT[0][2] as f32);
        let [a, b, c, e] = Points::FOUR.pairs_adjoint(l, [v[1], v[2], v[3], v[4]]);
        [v[0], l.add(a, v[5]), l.fused(sum, v[0], b), l.fused(sum, v[5], c), l.add(v[0], e), v[5]]
    }

    #[inline(always)]
    fn output_adjoint<L: Lanes>(l: L, y: [L::F; 4]) -> [L::F; 6] {
        let [a, b, c, d] = Points::FOUR.outputs_adjoint(l, y);
        [y[0], a, b, c, d, y[3]]
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

    /// ⟨T·a, b⟩ = ⟨a, adjoint of T · b⟩ for both transforms.
    fn check_adjoints<W: Tile<M, T>, const M: usize, const T: usize>() {
        let a: [f32; T] = std::array::from_fn(|n| [1.0, -2.0, 0.5, 3.0, -1.5, 4.0][n]);
        let b: [f32; T] = std::array::from_fn(|n| [-0.5, 1.25, 2.0, -1.0, 0.75, 3.0][n]);
        let y: [f32; M] = std::array::from_fn(|n| [2.0, -1.0, 0.25, 1.5][n]);
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let input = [dot(&W::input(Scalar, a), &b), dot(&a, &W::input_adjoint(Scalar, b))];
        let output = [dot(&W::output(Scalar, a), &y), dot(&a, &W::output_adjoint(Scalar, y))];
        for [left, right] in [input, output] {
            assert!((left - right).abs() < 1e-4 * left.abs(), "{left} and {right}");
        }
    }

    #[test]
    fn rows_as_by_direct_convolution() {
        check::<F2, 2, 4>();
        check::<F3, 3, 5>();
        check::<F4, 4, 6>();
    }

    #[test]
    fn adjoints() {
        check_adjoints::<F2, 2, 4>();
        check_adjoints::<F3, 3, 5>();
        check_adjoints::<F4, 4, 6>();
    }
}
