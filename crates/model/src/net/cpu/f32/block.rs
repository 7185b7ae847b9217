//! Residual blocks.

use super::super::super::graph::{
    Block, BottleneckBlock, FeedForwardBlock, NormAct, OrdinaryBlock, PoolingBlock,
};
use super::kernel::{add, add_to_points, convolve, product};
use super::pointwise::{norm_act, rms_norm};
use super::{Board, attention, pool};
use crate::math::silu;

/// Adds what a block says to the channels that run through it.
pub(super) fn add_block(block: &Block, board: Board, x: &mut [f32]) {
    let more = match block {
        Block::Ordinary(block) => ordinary(block, board, x),
        Block::Pooling(block) => pooling(block, board, x),
        Block::Bottleneck(block) => bottleneck(block, board, x),
        Block::Attention(block) => attention::attend(block, board, x),
        Block::FeedForward(block) => feed_forward(block, x),
    };
    add(x, &more);
}

/// A normed and activated copy.
fn prepared(act: &NormAct, x: &[f32]) -> Vec<f32> {
    let mut x = x.to_vec();
    norm_act(act, &mut x);
    x
}

fn ordinary(block: &OrdinaryBlock, board: Board, x: &[f32]) -> Vec<f32> {
    let mut mid = convolve(&block.first, board, &prepared(&block.pre, x));
    norm_act(&block.mid, &mut mid);
    convolve(&block.second, board, &mid)
}

fn pooling(block: &PoolingBlock, board: Board, x: &[f32]) -> Vec<f32> {
    let t = prepared(&block.pre, x);
    let pooled = pool::pooled_conv(&block.pool, &block.pool_act, board, &t);
    let mut regular = convolve(&block.regular, board, &t);
    add_to_points(&mut regular, &pool::bias(&block.to_bias, &pooled));
    norm_act(&block.mid, &mut regular);
    convolve(&block.last, board, &regular)
}

fn bottleneck(block: &BottleneckBlock, board: Board, x: &[f32]) -> Vec<f32> {
    let mut inner = convolve(&block.enter, board, &prepared(&block.pre, x));
    for block in &block.blocks {
        add_block(block, board, &mut inner);
    }
    norm_act(&block.post, &mut inner);
    convolve(&block.leave, board, &inner)
}

fn feed_forward(block: &FeedForwardBlock, x: &[f32]) -> Vec<f32> {
    let mut n = x.to_vec();
    rms_norm(&block.norm, &mut n);
    let mut wide = product(&block.up, &n);
    let gate = product(&block.gate, &n);
    for (x, gate) in wide.iter_mut().zip(&gate) {
        *x = silu(*x) * gate;
    }
    product(&block.down, &wide)
}
