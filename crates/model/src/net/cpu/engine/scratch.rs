//! The memory of one thread: everything that an evaluation writes. It is allocated once for a number of boards.

use super::Engine;
use crate::net::cpu::first::Sparse;
use crate::net::cpu::gemm::Number;
use crate::net::cpu::pass::activate::Range;
use crate::net::cpu::simd::Buffer;
use crate::net::cpu::winograd;
use std::collections::BTreeMap;

/// One of the dense boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target(pub(super) usize);

impl Target {
    /// What was activated for pooling and for the heads.
    pub(super) const POOL: Target = Target(0);
    /// What convolutions write before it is activated.
    pub(super) const MID: Target = Target(1);
    /// Outputs of a head.
    pub(super) const OUT: Target = Target(2);
    /// The channels that run through the trunk (0), or through a bottleneck at some depth.
    pub(super) fn trunk(depth: usize) -> Target {
        Target(3 + depth)
    }
}

/// The memory of one thread for batches up to a size.
#[derive(Debug)]
pub struct Scratch<T: Number> {
    /// Boards of the group under way.
    pub(super) n_boards: usize,
    /// The most boards that go through the layers together.
    pub(super) capacity: usize,
    /// Activated boards by their number of channels; the margins stay zero.
    pub(super) images: BTreeMap<usize, Buffer<f32>>,
    /// The range of each activated board.
    pub(super) ranges: Vec<Range>,
    /// Left-hand matrices of products.
    pub(super) left: Buffer<T>,
    /// What the products give.
    pub(super) products: Buffer<f32>,
    /// Factors of the transforms: inputs, then outputs.
    pub(super) factors: Buffer<f32>,
    /// Dense boards.
    pub(super) targets: Vec<Buffer<f32>>,
    /// Small vectors of each board: pooled numbers, biases, outputs.
    pub(super) vectors: [Buffer<f32>; 3],
    /// Queries, keys and weights of attention.
    pub(super) attention: [Vec<f32>; 3],
    /// The planes of a position.
    pub(super) sparse: Sparse,
}

/// The sizes that an engine needs, found while it is built.
#[derive(Debug, Clone, Default)]
pub(super) struct Sizes {
    /// Channels of images.
    pub(super) images: Vec<usize>,
    /// Numbers of left-hand matrices of one board.
    pub(super) left: usize,
    /// Numbers of products of one board.
    pub(super) products: usize,
    /// Channels of each dense board.
    pub(super) targets: Vec<usize>,
    /// The longest small vector.
    pub(super) vector: usize,
    /// Queries, keys and weights of attention on one board.
    pub(super) attention: [usize; 3],
}

impl Sizes {
    /// Makes room for a target of this many channels.
    pub(super) fn target(&mut self, target: Target, n_channels: usize) {
        if self.targets.len() <= target.0 {
            self.targets.resize(target.0 + 1, 0);
        }
        self.targets[target.0] = self.targets[target.0].max(n_channels);
    }

    /// Makes room for a small vector.
    pub(super) fn vector(&mut self, len: usize) {
        self.vector = self.vector.max(len);
    }
}

impl<T: Number> Scratch<T> {
    /// Memory for at most `capacity` boards together, as far as they are a group.
    pub(super) fn new(engine: &Engine<T>, capacity: usize) -> Scratch<T> {
        let capacity = capacity.clamp(1, engine.group());
        let (geometry, sizes) = (engine.geometry, &engine.sizes);
        let image = |&n: &usize| (n, Buffer::zeros(capacity * geometry.image().n_points * n));
        let target = |&n: &usize| Buffer::zeros(capacity * geometry.n_points() * n);
        Scratch {
            n_boards: 0,
            capacity,
            images: sizes.images.iter().map(image).collect(),
            ranges: vec![Range::default(); capacity],
            left: Buffer::zeros(capacity * sizes.left),
            products: Buffer::zeros(capacity * sizes.products),
            factors: Buffer::zeros(capacity * (winograd::MAX_FREQUENCIES + 1)),
            targets: sizes.targets.iter().map(target).collect(),
            vectors: std::array::from_fn(|_| Buffer::zeros(capacity * sizes.vector)),
            attention: sizes.attention.map(|n| vec![0.0; n]),
            sparse: Sparse::new(geometry.n_points()),
        }
    }

    /// The memory in bytes.
    pub fn n_bytes(&self) -> usize {
        let numbers = self.images.values().map(|image| image.len()).sum::<usize>()
            + self.targets.iter().map(|target| target.len()).sum::<usize>()
            + self.vectors.iter().map(|vector| vector.len()).sum::<usize>()
            + self.products.len()
            + self.factors.len();
        4 * numbers + size_of::<T>() * self.left.len()
    }
}
