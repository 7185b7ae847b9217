//! A convolution of all boards of a batch: from images to dense boards.

use super::Context;
use super::scratch::{Scratch, Target};
use crate::net::cpu::gemm::{Number, Weights, padded};
use crate::net::cpu::geometry::{Geometry, Shape};
use crate::net::cpu::pass::gather::{Gather, Scatter};
use crate::net::cpu::winograd::{self, pass::InputPass, pass::OutputPass};
use crate::net::graph::{Conv, MatMul};

/// One convolution, or several that read the same channels and write side by side.
#[derive(Debug)]
pub(super) struct Convolution<T: Number> {
    weights: Weights<T>,
    method: Method,
    /// Channels read, whole blocks.
    pub(super) n_in: usize,
    /// Channels written, whole blocks.
    pub(super) n_out: usize,
    /// Where the channels of each convolution begin.
    pub(super) starts: Vec<usize>,
}

#[derive(Debug)]
enum Method {
    /// 3×3, with the factor of each frequency.
    Winograd(Vec<f32>),
    /// A kernel of any columns and rows.
    Direct([usize; 2]),
}

impl<T: Number> Convolution<T> {
    pub(super) fn new(geometry: Geometry, convs: &[&Conv]) -> Convolution<T> {
        let shape = Shape::of(convs);
        let n_in = padded(shape.n_in);
        let (height, width) = convs.first().map_or((1, 1), |conv| (conv.height, conv.width));
        let (weights, method) = if (height, width) == (3, 3) {
            let factors = winograd::factors::<T>(geometry.tile).into_iter().map(|factor| factor as f32);
            (winograd::weights(geometry.tile, convs), Method::Winograd(factors.collect()))
        } else {
            // Images range from −a to b and are scaled by a + b.
            let weights = Weights::pack(&[0.0], [height * width * n_in, shape.n_out], |_, output, column| {
                column.fill(0.0);
                let Some((conv, output)) = shape.find(convs, output) else { return };
                for (tap, column) in column.chunks_exact_mut(n_in).enumerate() {
                    for (input, w) in column.iter_mut().take(conv.n_in).enumerate() {
                        *w = conv.row(tap / width, tap % width, input)[output];
                    }
                }
            });
            (weights, Method::Direct([width, height]))
        };
        Convolution { weights, method, n_in, n_out: shape.n_out, starts: shape.starts }
    }

    /// The memory in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        self.weights.n_bytes()
    }

    /// The lengths of the buffers for transformed inputs and for products that one board needs.
    pub(super) fn needs(&self, geometry: Geometry) -> [usize; 2] {
        let rows = match self.method {
            Method::Winograd(_) => geometry.n_tiles() * geometry.tile.n_frequencies(),
            Method::Direct(_) => geometry.n_points(),
        };
        [rows * self.weights.depth, rows * self.weights.width]
    }

    /// Convolves the images of `n_in` channels.
    pub(super) fn run(&self, cx: Context, scratch: &mut Scratch<T>, target: Target, adds: bool) {
        let Context { isa, geometry } = cx;
        let n_boards = scratch.n_boards;
        let Scratch { images, ranges, left, products, factors, targets, .. } = scratch;
        let images = &images[&self.n_in];
        let out = &mut targets[target.0];
        let (inputs, outputs) = factors.split_at_mut(n_boards * winograd::MAX_FREQUENCIES);
        let outputs = &mut outputs[..n_boards];
        let limit = self.weights.limit();
        let rescale = |span: f32| match T::IS_SCALED {
            true if span > 0.0 => (limit / span, span / limit),
            true => (0.0, 0.0),
            false => (1.0, 1.0),
        };
        match &self.method {
            Method::Winograd(own) => {
                for (board, range) in ranges[..n_boards].iter().enumerate() {
                    let (input, output) = rescale(range.span());
                    let to = &mut inputs[board * own.len()..];
                    to.iter_mut().zip(own).for_each(|(to, factor)| *to = factor * input);
                    outputs[board] = output;
                }
                let factors = &inputs[..n_boards * own.len()];
                InputPass { geometry, n_channels: self.n_in, images, factors, out: left }.run(isa);
                self.weights.multiply(isa, left, n_boards * geometry.n_tiles(), products);
                OutputPass { geometry, n_channels: self.n_out, products, factors: outputs, adds, out }
                    .run(isa);
            }
            Method::Direct(kernel) => {
                for (board, range) in ranges[..n_boards].iter().enumerate() {
                    (inputs[board], outputs[board]) = rescale(range.span());
                }
                let layout = geometry.image();
                let (n_channels, factors) = (self.n_in, &inputs[..n_boards]);
                isa.run(Gather { layout, n_channels, kernel: *kernel, images, factors, out: left });
                self.weights.multiply(isa, left, n_boards * geometry.n_points(), products);
                let n_numbers = geometry.n_points() * self.n_out;
                isa.run(Scatter { n_numbers, products, factors: outputs, adds, out });
            }
        }
    }
}

/// A product at each point, as a convolution of 1×1.
pub(super) fn pointwise(product: &MatMul) -> Conv {
    Conv { height: 1, width: 1, n_in: product.n_in, n_out: product.n_out, weights: product.weights.clone() }
}
