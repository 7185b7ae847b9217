//! Single layers forwards and backwards.

use super::super::packed::{Gradients, PackedNorm};
use super::super::plan::{ConvId, NormId, ProductId};
use super::Pass;
use super::memory::Work;
use model::net::cpu::gemm_gradient::GradientProduct;
use model::net::cpu::geometry::Layout;
use model::net::cpu::pass::activate::Activate;
use model::net::cpu::pass::adjoint::ActivateAdjoint;
use model::net::cpu::simd::Buffer;
use model::net::cpu::winograd::adjoint::{InputAdjoint, OutputAdjoint};
use model::net::cpu::winograd::pass::{InputPass, OutputPass};

/// Channels of dense boards and what is done to them.
#[derive(Clone, Copy)]
pub(super) struct Channels<'a> {
    /// Dense boards.
    pub(super) boards: &'a [f32],
    /// Channels of a point.
    pub(super) stride: usize,
    /// The first that the norm reads.
    pub(super) start: usize,
    /// The bias that pooling gives to each board, before the norm and after it; `None` where nothing is pooled.
    pub(super) pooled: Option<[&'a [f32]; 2]>,
}

/// Where the gradients of channels go.
pub(super) struct ChannelsBack<'a> {
    /// The gradients of what the norm and its activation gave.
    pub(super) gradients: &'a [f32],
    /// How they stand.
    pub(super) layout: Layout,
    /// Whether those of the channels are added to what stands there.
    pub(super) adds: bool,
    /// The gradients of the channels.
    pub(super) to: &'a mut [f32],
    /// Memory for the sums of each board.
    pub(super) sums: &'a mut [f32],
    /// Gradients of the biases of boards.
    pub(super) to_bias: Option<&'a mut [f32]>,
}

impl<'a> ChannelsBack<'a> {
    /// Gradients that replace what stands in `to`, where boards have no bias of their own.
    pub(super) fn replacing(
        gradients: &'a [f32],
        layout: Layout,
        to: &'a mut [f32],
        sums: &'a mut [f32],
    ) -> Self {
        Self { gradients, layout, adds: false, to, sums, to_bias: None }
    }
}

/// Inputs and outputs of the backward pass through a convolution.
pub(super) struct ConvBack<'a> {
    /// The input of the convolution.
    pub(super) images: &'a [f32],
    /// The gradients of what it gave, dense.
    pub(super) gradients: &'a [f32],
    /// Memory for transformed inputs.
    pub(super) left: &'a mut Buffer<f32>,
    /// Memory for products.
    pub(super) products: &'a mut Buffer<f32>,
    /// The gradients of the images.
    pub(super) back: &'a mut Buffer<f32>,
    /// Factors of the transforms.
    pub(super) ones: &'a [f32],
}

impl Pass<'_> {
    /// Convolves images.
    pub(super) fn convolve(
        &self,
        id: ConvId,
        images: &[f32],
        n_boards: usize,
        work: &mut Work,
        out: (&mut [f32], bool),
    ) {
        let (linear, geometry) = (&self.plan.convs[id.0], self.geometry);
        let Work { left, products, ones, .. } = work;
        let (factors, each) = (&ones[..n_boards * geometry.tile.n_frequencies()], &ones[..n_boards]);
        InputPass { geometry, n_channels: linear.depth, images, factors, out: left }.run_f32(self.isa);
        let rows = n_boards * geometry.n_tiles();
        self.convs[id.0].forward.multiply_f32(self.isa, left, rows, products);
        let (out, adds) = out;
        OutputPass { geometry, n_channels: linear.width, products, factors: each, adds, out }.run(self.isa);
    }

    /// From gradients of what a convolution gave to sums for its weights and, except for the first, to gradients of the images.
    pub(super) fn convolve_back(
        &self,
        id: ConvId,
        n_boards: usize,
        conv: ConvBack<'_>,
        sums: &mut Gradients,
    ) {
        let ConvBack { images, gradients, left, products, back, ones } = conv;
        let (linear, geometry, isa) = (&self.plan.convs[id.0], self.geometry, self.isa);
        let (shape, n_matrices) = ([linear.depth, linear.width], geometry.tile.n_frequencies());
        let rows = n_boards * geometry.n_tiles();
        let factors = &ones[..n_boards * n_matrices];
        InputPass { geometry, n_channels: linear.depth, images, factors, out: left }.run_f32(isa);
        let (n_channels, boards) = (linear.width, gradients);
        OutputAdjoint { geometry, n_boards, n_channels, boards, out: products }.run(isa);
        let (inputs, outputs) = (&**left, &**products);
        GradientProduct { n_matrices, rows, shape, inputs, outputs, sums: &mut sums.convs[id.0] }.run(isa);
        if id != self.plan.first {
            self.convs[id.0].backward.multiply_f32(isa, products, rows, left);
            InputAdjoint { geometry, n_boards, n_channels: linear.depth, products: left, images: back }
                .run(isa);
        }
    }

    /// Multiplies vectors.
    pub(super) fn multiply(&self, id: ProductId, rows: usize, from: &[f32], to: &mut [f32]) {
        let packed = &self.packed.products[id.0];
        packed.forward.multiply_f32(self.isa, from, rows, to);
        if !packed.bias.is_empty() {
            for to in to.chunks_exact_mut(packed.bias.len()).take(rows) {
                to.iter_mut().zip(&*packed.bias).for_each(|(to, bias)| *to += bias);
            }
        }
    }

    /// From gradients of products to sums for the weights and to gradients of the vectors.
    pub(super) fn multiply_back(
        &self,
        id: ProductId,
        rows: usize,
        (from, gradients): (&[f32], &[f32]),
        sums: &mut Gradients,
        to: Option<&mut [f32]>,
    ) {
        let linear = &self.plan.products[id.0];
        let (shape, sum) = ([linear.depth, linear.width], &mut sums.products[id.0]);
        GradientProduct { n_matrices: 1, rows, shape, inputs: from, outputs: gradients, sums: sum }
            .run(self.isa);
        if linear.bias.is_some() {
            for gradients in gradients.chunks_exact(linear.width).take(rows) {
                sums.biases[id.0].iter_mut().zip(gradients).for_each(|(sum, more)| *sum += more);
            }
        }
        if let Some(to) = to {
            self.packed.products[id.0].backward.multiply_f32(self.isa, gradients, rows, to);
        }
    }

    /// Applies a norm and its activation.
    pub(super) fn activate(
        &self,
        id: NormId,
        from: Channels<'_>,
        n_boards: usize,
        layout: Layout,
        (to, work): (&mut [f32], &mut Work),
    ) {
        let PackedNorm { scale, bias } = &self.packed.norms[id.0];
        Activate {
            from: from.boards,
            stride: from.stride,
            start: from.start,
            scale,
            bias: from.pooled.map_or(bias, |[_, folded]| &folded[..n_boards * scale.len()]),
            activation: self.plan.norms[id.0].activation,
            layout,
            to,
            ranges: &mut work.ranges[..n_boards],
        }
        .run(self.isa);
    }

    /// The gradients of what a norm read, and sums for its scale and bias.
    pub(super) fn activate_back(
        &self,
        id: NormId,
        from: Channels<'_>,
        n_boards: usize,
        back: ChannelsBack<'_>,
        sums: &mut Gradients,
    ) {
        let PackedNorm { scale, bias } = &self.packed.norms[id.0];
        let n = scale.len();
        ActivateAdjoint {
            from: from.boards,
            stride: from.stride,
            start: from.start,
            scale,
            bias: from.pooled.map_or(bias, |[_, folded]| &folded[..n_boards * n]),
            activation: self.plan.norms[id.0].activation,
            layout: back.layout,
            n_boards,
            gradients: back.gradients,
            adds: back.adds,
            to: back.to,
            sums: back.sums,
        }
        .run(self.isa);
        let own = &mut sums.norms[id.0];
        let mut to_bias = back.to_bias;
        for (board, sums) in back.sums.chunks_exact(2 * n).take(n_boards).enumerate() {
            let (plain, times_x) = sums.split_at(n);
            for c in 0..n {
                own.bias[c] += plain[c];
                own.scale[c] += times_x[c];
            }
            // The norm read x + b: a board's bias takes part in the sum for the scale, and learns from that of x.
            if let (Some([own_bias, _]), Some(to)) = (from.pooled, to_bias.as_deref_mut()) {
                for c in 0..n {
                    own.scale[c] += own_bias[board * n + c] * plain[c];
                    to[board * n + c] = scale[c] * plain[c];
                }
            }
        }
    }
}
