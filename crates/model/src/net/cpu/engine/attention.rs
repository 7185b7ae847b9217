//! Transformer blocks. The products at each point are those of convolutions of 1×1; scores and weights between points are
//! taken in f32, in plain code whose order of summation does not depend on the instruction set.

use super::conv::Convolution;
use super::scratch::{Scratch, Target};
use super::{Build, Context, Range};
use crate::math::{silu, softmax};
use crate::net::cpu::f32::attention::Turns;
use crate::net::cpu::gemm::{Number, padded};
use crate::net::cpu::geometry::Layout;
use crate::net::cpu::simd::BLOCK;
use crate::net::graph::{AttentionBlock, FeedForwardBlock, RmsNorm};

/// The sum of squares, in sixteen parts that are added up at the end.
pub(super) fn sum_of_squares(x: &[f32]) -> f32 {
    let mut sums = [0.0f32; BLOCK];
    for block in x.chunks_exact(BLOCK) {
        sums.iter_mut().zip(block).for_each(|(sum, x)| *sum += x * x);
    }
    sums.iter().sum()
}

/// Writes the normed channels of a trunk's boards into their images.
fn norm<T: Number>(norm: &RmsNorm, cx: Context, scratch: &mut Scratch<T>, from: Target) {
    let n_channels = padded(norm.weights.len());
    let Scratch { images, targets, ranges, n_boards, .. } = scratch;
    let Some(images) = images.get_mut(&n_channels) else { return };
    let layout = cx.geometry.image();
    for board in 0..*n_boards {
        let from = &targets[from.0][board * cx.geometry.n_points() * n_channels..];
        let to = &mut images[board * layout.n_points * n_channels..];
        ranges[board] = Range::default();
        for (point, from) in from.chunks_exact(n_channels).take(cx.geometry.n_points()).enumerate() {
            let mean = sum_of_squares(from) / norm.weights.len() as f32;
            let factor = 1.0 / (mean + norm.epsilon).sqrt();
            let to = &mut to[layout.place(point) * n_channels..][..n_channels];
            for ((to, x), weight) in to.iter_mut().zip(from).zip(&norm.weights) {
                *to = x * (factor * weight);
            }
            ranges[board].widen(to);
        }
    }
}

/// Attention of every point to every point.
#[derive(Debug)]
pub(super) struct Attention<T: Number> {
    block: AttentionBlock,
    turns: Option<Turns>,
    inputs: Convolution<T>,
    out: Convolution<T>,
}

impl<T: Number> Attention<T> {
    pub(super) fn new(block: &AttentionBlock, build: &mut Build) -> Attention<T> {
        let inputs = build.products(&[&block.query, &block.key, &block.value]);
        let out = build.products(&[&block.out]);
        let geometry = build.geometry;
        let n_points = geometry.n_points();
        let sizes = [
            n_points * block.n_heads * block.query_dim,
            n_points * block.n_kv_heads * block.query_dim,
            n_points * (1 + block.query_dim),
        ];
        for (size, needed) in build.sizes.attention.iter_mut().zip(sizes) {
            *size = needed.max(*size);
        }
        let turns =
            block.rope.as_ref().map(|rope| Turns::new(rope, block, [geometry.width, geometry.height]));
        // The products are packed; what is left of the block are its numbers.
        let mut block = block.clone();
        for product in [&mut block.query, &mut block.key, &mut block.value, &mut block.out] {
            product.weights = Vec::new();
        }
        Attention { block, turns, inputs, out }
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.inputs.n_bytes() + self.out.n_bytes()
    }

    pub(super) fn run(&self, cx: Context, scratch: &mut Scratch<T>, depth: usize) {
        norm(&self.block.norm, cx, scratch, Target::trunk(depth));
        self.inputs.run(cx, scratch, Target::MID, false);
        for board in 0..scratch.n_boards {
            self.attend(cx, scratch, board);
        }
        self.out.run(cx, scratch, Target::trunk(depth), true);
    }

    /// From queries, keys and values of one board to the image of its heads.
    fn attend(&self, cx: Context, scratch: &mut Scratch<T>, board: usize) {
        let (block, n_points) = (&self.block, cx.geometry.n_points());
        let Scratch { images, targets, ranges, attention: [queries, keys, rest], .. } = scratch;
        let stride = self.inputs.n_out;
        let from = &targets[Target::MID.0][board * n_points * stride..][..n_points * stride];
        let n_query = block.n_heads * block.query_dim;
        let n_key = block.n_kv_heads * block.query_dim;
        let queries = &mut queries[..n_points * n_query];
        let keys = &mut keys[..n_points * n_key];
        for (from, (query, key)) in
            from.chunks_exact(stride).zip(queries.chunks_exact_mut(n_query).zip(keys.chunks_exact_mut(n_key)))
        {
            query.copy_from_slice(&from[..n_query]);
            key.copy_from_slice(&from[self.inputs.starts[1]..][..n_key]);
        }
        if let Some(turns) = &self.turns {
            turns.apply(queries, block.n_heads);
            turns.apply(keys, block.n_kv_heads);
        }
        let n_out = self.out.n_in;
        let layout = cx.geometry.image();
        let Some(images) = images.get_mut(&n_out) else { return };
        let image = &mut images[board * layout.n_points * n_out..][..layout.n_points * n_out];
        let (weights, turned) = rest.split_at_mut(n_points);
        for head in 0..block.n_heads {
            let heads = Heads { block, head, queries, keys, values: from, layout, n_out };
            heads.attend([stride, self.inputs.starts[2]], weights, turned, image);
        }
        ranges[board] = Range::default();
        for point in 0..n_points {
            ranges[board].widen(&image[layout.place(point) * n_out..][..n_out]);
        }
    }
}

/// One head of one board.
struct Heads<'a> {
    block: &'a AttentionBlock,
    head: usize,
    queries: &'a [f32],
    keys: &'a [f32],
    values: &'a [f32],
    layout: Layout,
    n_out: usize,
}

impl Heads<'_> {
    /// For each point the values of all points, weighted by the softmax of query · key / √dim.
    fn attend(
        &self,
        [stride, start]: [usize; 2],
        weights: &mut [f32],
        turned: &mut [f32],
        image: &mut [f32],
    ) {
        let (block, n_points) = (self.block, weights.len());
        let (dim, value_dim) = (block.query_dim, block.value_dim);
        let kv_head = self.head / (block.n_heads / block.n_kv_heads);
        for (point, key) in self.keys.chunks_exact(block.n_kv_heads * dim).enumerate() {
            for (d, &x) in key[kv_head * dim..][..dim].iter().enumerate() {
                turned[d * n_points + point] = x;
            }
        }
        let scale = 1.0 / (dim as f32).sqrt();
        for (point, query) in self.queries.chunks_exact(block.n_heads * dim).enumerate() {
            weights.fill(0.0);
            for (&q, keys) in query[self.head * dim..][..dim].iter().zip(turned.chunks_exact(n_points)) {
                weights.iter_mut().zip(keys).for_each(|(weight, key)| *weight += q * key);
            }
            weights.iter_mut().for_each(|weight| *weight *= scale);
            softmax(weights);
            let out =
                &mut image[self.layout.place(point) * self.n_out + self.head * value_dim..][..value_dim];
            out.fill(0.0);
            for (weight, values) in weights.iter().zip(self.values.chunks_exact(stride)) {
                let values = &values[start + kv_head * value_dim..][..value_dim];
                out.iter_mut().zip(values).for_each(|(out, value)| *out += weight * value);
            }
        }
    }
}

/// Products at each point by itself.
#[derive(Debug)]
pub(super) struct FeedForward<T: Number> {
    norm: RmsNorm,
    up: Convolution<T>,
    down: Convolution<T>,
}

impl<T: Number> FeedForward<T> {
    pub(super) fn new(block: &FeedForwardBlock, build: &mut Build) -> FeedForward<T> {
        let up = build.products(&[&block.up, &block.gate]);
        FeedForward { norm: block.norm.clone(), up, down: build.products(&[&block.down]) }
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.up.n_bytes() + self.down.n_bytes()
    }

    pub(super) fn run(&self, cx: Context, scratch: &mut Scratch<T>, depth: usize) {
        norm(&self.norm, cx, scratch, Target::trunk(depth));
        self.up.run(cx, scratch, Target::MID, false);
        let Scratch { images, targets, ranges, n_boards, .. } = scratch;
        let (n, stride, layout) = (self.down.n_in, self.up.n_out, cx.geometry.image());
        let Some(images) = images.get_mut(&n) else { return };
        let n_points = cx.geometry.n_points();
        ranges.fill(Range::default());
        let points = targets[Target::MID.0].chunks_exact(stride).take(*n_boards * n_points);
        for (number, from) in points.enumerate() {
            let (board, point) = (number / n_points, number % n_points);
            let to = &mut images[(board * layout.n_points + layout.place(point)) * n..][..n];
            for ((to, up), gate) in to.iter_mut().zip(from).zip(&from[self.up.starts[1]..]) {
                *to = silu(*up) * gate;
            }
            ranges[board].widen(to);
        }
        self.down.run(cx, scratch, Target::trunk(depth), true);
    }
}
