//! A norm and an activation between a dense board and what reads it next.

use super::Context;
use super::scratch::{Scratch, Target};
use crate::net::cpu::gemm::{Number, padded};
use crate::net::cpu::pass::activate::Activate;
use crate::net::cpu::simd::Buffer;
use crate::net::graph::{Activation, Norm, NormAct};

/// act(x · scale + bias), channels padded to whole blocks.
#[derive(Debug)]
pub(super) struct Prepare {
    scale: Buffer<f32>,
    bias: Buffer<f32>,
    activation: Activation,
}

/// Channels of dense boards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Channels {
    /// The boards.
    pub(super) target: Target,
    /// All channels of a point.
    pub(super) stride: usize,
    /// The first that is read.
    pub(super) start: usize,
    /// Whether each board has a bias of its own, in the second of the small vectors, and not the norm's.
    pub(super) is_biased: bool,
}

impl Prepare {
    pub(super) fn new(both: &NormAct) -> Prepare {
        Prepare::of(&both.norm, both.activation)
    }

    pub(super) fn of(norm: &Norm, activation: Activation) -> Prepare {
        let pad = |numbers: &[f32]| {
            let mut buffer = Buffer::zeros(padded(numbers.len()));
            buffer[..numbers.len()].copy_from_slice(numbers);
            buffer
        };
        Prepare { scale: pad(&norm.scale), bias: pad(&norm.bias), activation }
    }

    /// The number of channels, whole blocks.
    pub(super) fn n_channels(&self) -> usize {
        self.scale.len()
    }

    /// All channels of boards that have these and no others.
    pub(super) fn all_of(&self, target: Target) -> Channels {
        Channels { target, stride: self.n_channels(), start: 0, is_biased: false }
    }

    /// Some channels of boards, with a bias for each board: the second of the small vectors, which the norm is applied to here.
    pub(super) fn biased<T: Number>(
        &self,
        scratch: &mut Scratch<T>,
        stride: usize,
        start: usize,
    ) -> Channels {
        let n_boards = scratch.n_boards;
        for x in scratch.vectors[1].chunks_exact_mut(self.n_channels()).take(n_boards) {
            for ((x, scale), bias) in x.iter_mut().zip(&*self.scale).zip(&*self.bias) {
                *x = *x * scale + bias;
            }
        }
        Channels { target: Target::MID, stride, start, is_biased: true }
    }

    /// Writes the images that a convolution reads.
    pub(super) fn to_image<T: Number>(&self, cx: Context, scratch: &mut Scratch<T>, from: Channels) {
        let Scratch { images, targets, ranges, n_boards, vectors, .. } = scratch;
        let bias = if from.is_biased { &vectors[1][..*n_boards * self.n_channels()] } else { &self.bias };
        Activate {
            from: &targets[from.target.0],
            stride: from.stride,
            start: from.start,
            scale: &self.scale,
            bias,
            activation: self.activation,
            layout: cx.geometry.image(),
            to: images.get_mut(&self.n_channels()).map_or(&mut [], |image| image),
            ranges: &mut ranges[..*n_boards],
        }
        .run(cx.isa);
    }

    /// Writes the dense boards that pooling and heads read.
    pub(super) fn to_dense<T: Number>(&self, cx: Context, scratch: &mut Scratch<T>, from: Channels) {
        let Scratch { targets, ranges, n_boards, vectors, .. } = scratch;
        let bias = if from.is_biased { &vectors[1][..*n_boards * self.n_channels()] } else { &self.bias };
        let (to, others) = targets.split_at_mut(Target::POOL.0 + 1);
        Activate {
            from: &others[from.target.0 - Target::POOL.0 - 1],
            stride: from.stride,
            start: from.start,
            scale: &self.scale,
            bias,
            activation: self.activation,
            layout: cx.geometry.dense(),
            to: &mut to[Target::POOL.0],
            ranges: &mut ranges[..*n_boards],
        }
        .run(cx.isa);
    }
}
