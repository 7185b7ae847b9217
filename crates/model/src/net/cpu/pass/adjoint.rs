//! Gradients through norms and activations.

use super::activate::{Function, Identity, Mish, Relu, Silu};
use crate::net::cpu::geometry::Layout;
use crate::net::cpu::simd::{Isa, Kernel, Lanes};
use crate::net::graph::Activation;

/// For y = act(z), z = x · scale + bias: from gradients of y to those of x, and the sums that scale and bias learn from.
pub struct ActivateAdjoint<'a> {
    /// Dense boards x of `stride` channels.
    pub from: &'a [f32],
    /// Channels of a point of `from` and of `to`.
    pub stride: usize,
    /// The first of them that belongs to the norm.
    pub start: usize,
    /// One factor for each channel of the norm, whole blocks.
    pub scale: &'a [f32],
    /// One summand for each channel, for all boards or board by board.
    pub bias: &'a [f32],
    /// What was applied to z.
    pub activation: Activation,
    /// How boards of gradients stand.
    pub layout: Layout,
    /// The number of boards.
    pub n_boards: usize,
    /// Gradients of y in this layout, with as many channels as `scale`.
    pub gradients: &'a [f32],
    /// Whether gradients of x are added to what stands in `to`; otherwise they replace it.
    pub adds: bool,
    /// Gradients of x, dense as `from`.
    pub to: &'a mut [f32],
    /// For each board the sum over its points of the gradients of z, channel by channel, then that of the same times x.
    pub sums: &'a mut [f32],
}

impl ActivateAdjoint<'_> {
    /// Goes through all boards.
    pub fn run(self, isa: Isa) {
        match self.activation {
            Activation::Identity => isa.run(With(self, Identity)),
            Activation::Relu => isa.run(With(self, Relu)),
            Activation::Mish => isa.run(With(self, Mish)),
            Activation::Silu => isa.run(With(self, Silu)),
        }
    }
}

/// A pass with its function.
struct With<'a, F>(ActivateAdjoint<'a>, F);

impl<F: Function> Kernel for With<'_, F> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let With(pass, function) = self;
        let (n, layout) = (pass.scale.len(), pass.layout);
        let n_dense = layout.width * layout.height * pass.stride;
        for (board, sums) in pass.sums.chunks_exact_mut(2 * n).take(pass.n_boards).enumerate() {
            let bias = if pass.bias.len() > n { &pass.bias[board * n..][..n] } else { &pass.bias[..n] };
            let from = &pass.from[board * n_dense..][..n_dense];
            let to = &mut pass.to[board * n_dense..][..n_dense];
            let gradients = &pass.gradients[board * layout.n_points * n..][..layout.n_points * n];
            for c in (0..n).step_by(L::N) {
                let (scale, bias) = (l.load(&pass.scale[c..]), l.load(&bias[c..]));
                let (mut sum, mut sum_x) = (l.splat(0.0), l.splat(0.0));
                for y in 0..layout.height {
                    let mut at = y * layout.width * pass.stride + pass.start + c;
                    let mut place = (layout.origin + y * layout.row) * n + c;
                    for _ in 0..layout.width {
                        let x = l.load(&from[at..]);
                        let z = l.add(l.mul(x, scale), bias);
                        let back = function.back(l, z, l.load(&gradients[place..]));
                        sum = l.add(sum, back);
                        sum_x = l.fused(back, x, sum_x);
                        let to = &mut to[at..];
                        let out =
                            if pass.adds { l.fused(back, scale, l.load(to)) } else { l.mul(back, scale) };
                        l.store(to, out);
                        at += pass.stride;
                        place += n;
                    }
                }
                l.store(&mut sums[c..], sum);
                l.store(&mut sums[n + c..], sum_x);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use crate::net::cpu::geometry::Geometry;

    fn value(activation: Activation, x: f64) -> f64 {
        let soft = x.max(0.0) + (-x.abs()).exp().ln_1p();
        match activation {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Mish => x * soft.tanh(),
            Activation::Silu => x * f64::from(math::logistic(x as f32)),
        }
    }

    #[test]
    fn slopes_are_differences() {
        let mut rng = goban::Rng::new(7);
        let layout = Geometry::new(3, 2).image();
        let (n, stride, start, n_boards) = (16, 48, 16, 2);
        let mut draw = |n: usize| (0..n).map(|_| 4.0 * rng.unit() - 2.0).collect::<Vec<f32>>();
        let (from, gradients) = (draw(n_boards * 6 * stride), draw(n_boards * layout.n_points * n));
        let (scale, bias) = (draw(n), draw(n_boards * n));
        for activation in [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu] {
            for isa in Isa::all() {
                let mut to = vec![1.0; from.len()];
                let mut sums = vec![f32::NAN; n_boards * 2 * n];
                ActivateAdjoint {
                    from: &from,
                    stride,
                    start,
                    scale: &scale,
                    bias: &bias,
                    activation,
                    layout,
                    n_boards,
                    gradients: &gradients,
                    adds: true,
                    to: &mut to,
                    sums: &mut sums,
                }
                .run(isa);
                for board in 0..n_boards {
                    for c in 0..n {
                        let (mut sum, mut sum_x) = (0.0, 0.0);
                        for point in 0..6 {
                            let at = (board * 6 + point) * stride + start + c;
                            let x = f64::from(from[at]);
                            let z = x * f64::from(scale[c]) + f64::from(bias[board * n + c]);
                            let slope = (value(activation, z + 1e-4) - value(activation, z - 1e-4)) / 2e-4;
                            let place = board * layout.n_points + layout.place(point);
                            let back = f64::from(gradients[place * n + c]) * slope;
                            let right = 1.0 + back * f64::from(scale[c]);
                            assert!((f64::from(to[at]) - right).abs() < 5e-3, "{activation:?} at {z}");
                            (sum, sum_x) = (sum + back, sum_x + back * x);
                        }
                        let found = [sums[2 * board * n + c], sums[(2 * board + 1) * n + c]];
                        assert!((f64::from(found[0]) - sum).abs() < 1e-2, "{activation:?}");
                        assert!((f64::from(found[1]) - sum_x).abs() < 1e-2, "{activation:?}");
                    }
                }
                assert!(to.iter().enumerate().all(|(n, &x)| n / 16 % 3 == 1 || x == 1.0));
            }
        }
    }
}
