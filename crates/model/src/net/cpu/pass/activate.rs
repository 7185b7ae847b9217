//! Norms and activations, and the range of what they give.

use crate::net::cpu::geometry::Layout;
use crate::net::cpu::simd::{BLOCK, Isa, Kernel, Lanes};
use crate::net::graph::Activation;
use playout::math::{LN2_HIGH, LN2_LOW};

/// The smallest and the largest number of a board, 0 included.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Range {
    /// At most 0.
    pub low: f32,
    /// At least 0.
    pub high: f32,
}

impl Range {
    /// The distance from the smallest to the largest number.
    #[inline]
    pub fn span(self) -> f32 {
        self.high - self.low
    }

    /// Takes more numbers in.
    pub fn widen(&mut self, numbers: &[f32]) {
        for &x in numbers {
            self.low = if x < self.low { x } else { self.low };
            self.high = if x > self.high { x } else { self.high };
        }
    }
}

/// act(x · scale + bias) of all points, read from dense boards.
pub struct Activate<'a> {
    /// Dense boards of `stride` channels.
    pub from: &'a [f32],
    /// Channels of a point of `from`.
    pub stride: usize,
    /// The first of them that is read.
    pub start: usize,
    /// One factor for each channel that is read, whole blocks.
    pub scale: &'a [f32],
    /// One summand for each channel, for all boards or board by board.
    pub bias: &'a [f32],
    /// What is applied to the sum.
    pub activation: Activation,
    /// Where points are written.
    pub layout: Layout,
    /// Boards in this layout, with as many channels as `scale`.
    pub to: &'a mut [f32],
    /// What was found on each board.
    pub ranges: &'a mut [Range],
}

impl Activate<'_> {
    /// Activates a board for each range.
    pub fn run(self, isa: Isa) {
        match self.activation {
            Activation::Identity => isa.run(With(self, Identity)),
            Activation::Relu => isa.run(With(self, Relu)),
            Activation::Mish => isa.run(With(self, Mish)),
            Activation::Silu => isa.run(With(self, Silu)),
        }
    }
}

/// A function of each lane.
pub(super) trait Function: Copy {
    /// The value at x.
    fn of<L: Lanes>(self, l: L, x: L::F) -> L::F;
    /// A gradient of the value turned into one of x: times the slope at x.
    fn back<L: Lanes>(self, l: L, x: L::F, gradient: L::F) -> L::F;
}

#[derive(Clone, Copy)]
pub(super) struct Identity;
#[derive(Clone, Copy)]
pub(super) struct Relu;
#[derive(Clone, Copy)]
pub(super) struct Mish;
#[derive(Clone, Copy)]
pub(super) struct Silu;

impl Function for Identity {
    #[inline(always)]
    fn of<L: Lanes>(self, _l: L, x: L::F) -> L::F {
        x
    }

    #[inline(always)]
    fn back<L: Lanes>(self, _l: L, _x: L::F, gradient: L::F) -> L::F {
        gradient
    }
}

impl Function for Relu {
    #[inline(always)]
    fn of<L: Lanes>(self, l: L, x: L::F) -> L::F {
        l.max(x, l.splat(0.0))
    }

    #[inline(always)]
    fn back<L: Lanes>(self, l: L, x: L::F, gradient: L::F) -> L::F {
        l.where_positive(x, gradient)
    }
}

impl Function for Mish {
    /// With e = eˣ: tanh(ln(1 + e)) = w / (w + 2) for w = e·(e + 2). From 30 on that is 1.
    #[inline(always)]
    fn of<L: Lanes>(self, l: L, x: L::F) -> L::F {
        let e = exp(l, l.min(x, l.splat(30.0)));
        let two = l.splat(2.0);
        let w = l.mul(e, l.add(e, two));
        l.mul(x, l.div(w, l.add(w, two)))
    }

    /// The slope of x·t is t + x·(1 − t²)·σ, where t is the factor above and σ = e / (1 + e).
    #[inline(always)]
    fn back<L: Lanes>(self, l: L, x: L::F, gradient: L::F) -> L::F {
        let e = exp(l, l.min(x, l.splat(30.0)));
        let (one, two) = (l.splat(1.0), l.splat(2.0));
        let w = l.mul(e, l.add(e, two));
        let t = l.div(w, l.add(w, two));
        let sigma = l.div(e, l.add(e, one));
        let rise = l.mul(l.sub(one, l.mul(t, t)), sigma);
        l.mul(gradient, l.add(t, l.mul(x, rise)))
    }
}

impl Function for Silu {
    #[inline(always)]
    fn of<L: Lanes>(self, l: L, x: L::F) -> L::F {
        let e = exp(l, l.sub(l.splat(0.0), x));
        l.div(x, l.add(l.splat(1.0), e))
    }

    /// The slope of x·σ is σ·(1 + x·(1 − σ)).
    #[inline(always)]
    fn back<L: Lanes>(self, l: L, x: L::F, gradient: L::F) -> L::F {
        let one = l.splat(1.0);
        let sigma = l.div(one, l.add(one, exp(l, l.sub(l.splat(0.0), x))));
        let slope = l.mul(sigma, l.add(one, l.mul(x, l.sub(one, sigma))));
        l.mul(gradient, slope)
    }
}

/// The exponential function by the formula of [`playout::math::exp`].
#[inline(always)]
fn exp<L: Lanes>(l: L, x: L::F) -> L::F {
    let round = l.splat(12_582_912.0);
    let x = l.max(l.min(x, l.splat(87.0)), l.splat(-87.0));
    let shifted = l.add(l.mul(x, l.splat(std::f32::consts::LOG2_E)), round);
    let k = l.sub(shifted, round);
    let r = l.sub(l.sub(x, l.mul(k, l.splat(LN2_HIGH))), l.mul(k, l.splat(LN2_LOW)));
    let mut tail = l.splat(0.001_392_617_6);
    for coefficient in [0.008_363_173, 0.041_666_556, 0.166_665_77, 0.5] {
        tail = l.add(l.splat(coefficient), l.mul(r, tail));
    }
    let series = l.add(l.splat(1.0), l.add(r, l.mul(l.mul(r, r), tail)));
    l.scale_by_power(series, shifted)
}

/// A pass with its function.
struct With<'a, F>(Activate<'a>, F);

impl<F: Function> Kernel for With<'_, F> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let With(pass, function) = self;
        let n = pass.scale.len();
        let layout = pass.layout;
        for (board, range) in pass.ranges.iter_mut().enumerate() {
            let bias = if pass.bias.len() > n { &pass.bias[board * n..][..n] } else { &pass.bias[..n] };
            let n_dense = layout.width * layout.height;
            let from = &pass.from[board * n_dense * pass.stride..][..n_dense * pass.stride];
            let to = &mut pass.to[board * layout.n_points * n..][..layout.n_points * n];
            let (mut low, mut high) = (l.splat(0.0), l.splat(0.0));
            for point in 0..n_dense {
                let place = layout.place(point);
                let from = &from[point * pass.stride + pass.start..][..n];
                let to = &mut to[place * n..][..n];
                for c in (0..n).step_by(L::N) {
                    let x = l.add(l.mul(l.load(&from[c..]), l.load(&pass.scale[c..])), l.load(&bias[c..]));
                    let y = function.of(l, x);
                    (low, high) = (l.min(y, low), l.max(y, high));
                    l.store(&mut to[c..], y);
                }
            }
            let mut ends = [[0.0; BLOCK]; 2];
            l.store(&mut ends[0], low);
            l.store(&mut ends[1], high);
            *range = Range::default();
            range.widen(ends.as_flattened());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use crate::net::cpu::geometry::Geometry;

    fn activated(
        isa: Isa,
        activation: Activation,
        from: &[f32],
        scale: &[f32],
        bias: &[f32],
    ) -> (Vec<f32>, Range) {
        let layout = Geometry::new(2, 2).dense();
        let mut to = vec![f32::NAN; from.len()];
        let mut ranges = [Range::default()];
        let (n, ranges_out) = (scale.len(), &mut ranges);
        Activate {
            from,
            stride: n,
            start: 0,
            scale,
            bias,
            activation,
            layout,
            to: &mut to,
            ranges: ranges_out,
        }
        .run(isa);
        (to, ranges[0])
    }

    #[test]
    fn every_activation_as_in_plain_code() {
        let mut rng = goban::Rng::new(4);
        let from: Vec<f32> = (0..64).map(|n| (2.0 * rng.unit() - 1.0) * [1.0, 10.0, 100.0][n % 3]).collect();
        let (scale, bias) = ([1.5; 16], [0.25; 16]);
        for activation in [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu] {
            let (right, range) = activated(Isa::SCALAR, activation, &from, &scale, &bias);
            for (&x, &y) in from.iter().zip(&right) {
                let x = x * 1.5 + 0.25;
                let exact = match activation {
                    Activation::Identity => x,
                    Activation::Relu => x.max(0.0),
                    Activation::Mish => math::mish(x),
                    Activation::Silu => math::silu(x),
                };
                assert!(
                    (y - exact).abs() <= 1e-6 * exact.abs().max(1.0),
                    "{activation:?}({x}) = {y}, {exact}"
                );
            }
            assert_eq!(range.high, right.iter().copied().fold(0.0, f32::max));
            assert_eq!(range.low, right.iter().copied().fold(0.0, f32::min));
            for isa in Isa::all() {
                assert_eq!(
                    activated(isa, activation, &from, &scale, &bias),
                    (right.clone(), range),
                    "{}",
                    isa.name()
                );
            }
        }
    }
}
