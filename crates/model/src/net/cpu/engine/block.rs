//! Residual blocks.

use super::attention::{Attention, FeedForward};
use super::conv::Convolution;
use super::norm::{Channels, Prepare};
use super::scratch::{Scratch, Sizes, Target};
use super::{Build, Context};
use crate::net::cpu::gemm::Number;
use crate::net::cpu::pass::dense::Dense;
use crate::net::cpu::pass::pool::{Pool, Third};
use crate::net::graph::{self, Block, Conv, NormAct};

/// A residual block with its weights packed.
#[derive(Debug)]
pub(super) enum Packed<T: Number> {
    Ordinary {
        pre: Prepare,
        first: Convolution<T>,
        mid: Prepare,
        second: Convolution<T>,
    },
    Pooling {
        pre: Prepare,
        both: Convolution<T>,
        pooled: Pooled,
        mid: Prepare,
        last: Convolution<T>,
    },
    Bottleneck {
        pre: Prepare,
        enter: Convolution<T>,
        blocks: Vec<Packed<T>>,
        post: Prepare,
        leave: Convolution<T>,
    },
    Attention(Box<Attention<T>>),
    FeedForward(FeedForward<T>),
}

/// What pools a board and makes a bias of it.
#[derive(Debug)]
pub(super) struct Pooled {
    pub(super) act: Prepare,
    /// The first channel that is pooled.
    pub(super) start: usize,
    pub(super) to_bias: Dense,
}

impl Pooled {
    pub(super) fn new(act: &NormAct, start: usize, to_bias: &graph::MatMul, sizes: &mut Sizes) -> Pooled {
        let pooled = Pooled { act: Prepare::new(act), start, to_bias: Dense::new(to_bias, None, 3) };
        sizes.target(Target::POOL, pooled.act.n_channels());
        sizes.vector(pooled.to_bias.n_in);
        sizes.vector(pooled.to_bias.n_out);
        pooled
    }

    /// From dense boards of `stride` channels to a pooled vector (the first of the small vectors) and a bias for each channel
    /// (the second) of every board.
    pub(super) fn run<T: Number>(&self, cx: Context, scratch: &mut Scratch<T>, stride: usize) {
        let from = Channels { target: Target::MID, stride, start: self.start, is_biased: false };
        self.act.to_dense(cx, scratch, from);
        let (n_boards, n_channels) = (scratch.n_boards, self.act.n_channels());
        let n_points = cx.geometry.n_points();
        let [pooled, bias, _] = &mut scratch.vectors;
        let from = &scratch.targets[Target::POOL.0][..n_boards * n_points * n_channels];
        cx.isa.run(Pool { n_points, n_channels, third: Third::Maximum, from, to: pooled });
        self.to_bias.run(cx.isa, pooled, n_boards, bias);
    }
}

impl<T: Number> Packed<T> {
    /// Packs a block that runs at some depth of bottlenecks.
    pub(super) fn new(block: &Block, build: &mut Build, depth: usize) -> Packed<T> {
        let mut conv = |convs: &[&Conv], target: Target| build.convolution(convs, target);
        match block {
            Block::Ordinary(block) => Packed::Ordinary {
                pre: Prepare::new(&block.pre),
                first: conv(&[&block.first], Target::MID),
                mid: Prepare::new(&block.mid),
                second: conv(&[&block.second], Target::trunk(depth)),
            },
            Block::Pooling(block) => {
                let both = conv(&[&block.regular, &block.pool], Target::MID);
                let last = conv(&[&block.last], Target::trunk(depth));
                let pooled = Pooled::new(&block.pool_act, both.starts[1], &block.to_bias, &mut build.sizes);
                Packed::Pooling {
                    pre: Prepare::new(&block.pre),
                    both,
                    pooled,
                    mid: Prepare::new(&block.mid),
                    last,
                }
            }
            Block::Bottleneck(block) => Packed::Bottleneck {
                pre: Prepare::new(&block.pre),
                enter: conv(&[&block.enter], Target::trunk(depth + 1)),
                leave: conv(&[&block.leave], Target::trunk(depth)),
                blocks: block.blocks.iter().map(|inner| Packed::new(inner, build, depth + 1)).collect(),
                post: Prepare::new(&block.post),
            },
            Block::Attention(block) => Packed::Attention(Box::new(Attention::new(block, build))),
            Block::FeedForward(block) => Packed::FeedForward(FeedForward::new(block, build)),
        }
    }

    /// Adds what the block says to the channels at its depth.
    pub(super) fn run(&self, cx: Context, scratch: &mut Scratch<T>, depth: usize) {
        let trunk = Target::trunk(depth);
        match self {
            Packed::Ordinary { pre, first, mid, second } => {
                pre.to_image(cx, scratch, pre.all_of(trunk));
                first.run(cx, scratch, Target::MID, false);
                mid.to_image(cx, scratch, mid.all_of(Target::MID));
                second.run(cx, scratch, trunk, true);
            }
            Packed::Pooling { pre, both, pooled, mid, last } => {
                pre.to_image(cx, scratch, pre.all_of(trunk));
                both.run(cx, scratch, Target::MID, false);
                pooled.run(cx, scratch, both.n_out);
                let from = mid.biased(scratch, both.n_out, 0);
                mid.to_image(cx, scratch, from);
                last.run(cx, scratch, trunk, true);
            }
            Packed::Bottleneck { pre, enter, blocks, post, leave } => {
                pre.to_image(cx, scratch, pre.all_of(trunk));
                enter.run(cx, scratch, Target::trunk(depth + 1), false);
                blocks.iter().for_each(|block| block.run(cx, scratch, depth + 1));
                post.to_image(cx, scratch, post.all_of(Target::trunk(depth + 1)));
                leave.run(cx, scratch, trunk, true);
            }
            Packed::Attention(block) => block.run(cx, scratch, depth),
            Packed::FeedForward(block) => block.run(cx, scratch, depth),
        }
    }

    /// The memory in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        match self {
            Packed::Ordinary { first, second, .. } => first.n_bytes() + second.n_bytes(),
            Packed::Pooling { both, pooled, last, .. } => {
                both.n_bytes() + pooled.to_bias.n_bytes() + last.n_bytes()
            }
            Packed::Bottleneck { enter, blocks, leave, .. } => {
                enter.n_bytes() + leave.n_bytes() + blocks.iter().map(Packed::n_bytes).sum::<usize>()
            }
            Packed::Attention(block) => block.n_bytes(),
            Packed::FeedForward(block) => block.n_bytes(),
        }
    }
}
