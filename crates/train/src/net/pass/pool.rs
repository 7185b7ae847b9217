//! Pooling forwards and backwards.

use super::super::packed::Gradients;
use super::super::plan::{NormId, PoolPlan};
use super::Pass;
use super::layer::{Channels, ChannelsBack};
use super::memory::{PoolTape, Work};
use model::net::cpu::pass::pool::{Pool, Third};
use model::net::cpu::simd::Buffer;

impl Pass<'_> {
    /// From channels to the bias that pooling gives to those of the norm `mid`.
    pub(super) fn pool(
        &self,
        plan: &PoolPlan,
        mid: NormId,
        from: Channels<'_>,
        n_boards: usize,
        (tape, work): (&mut PoolTape, &mut Work),
    ) {
        let PoolTape { activated, pooled, bias, folded } = tape;
        let from = Channels { start: plan.start, pooled: None, ..from };
        self.activate(plan.act, from, n_boards, self.geometry.dense(), (activated, work));
        let n_channels = self.packed.norms[plan.act.0].scale.len();
        self.pool_boards(Third::Maximum, n_channels, n_boards, activated, pooled);
        self.multiply(plan.to_bias, n_boards, pooled, bias);
        let norm = &self.packed.norms[mid.0];
        let n = norm.scale.len();
        for (folded, bias) in folded.chunks_exact_mut(n).zip(bias.chunks_exact(n)).take(n_boards) {
            for c in 0..n {
                folded[c] = bias[c] * norm.scale[c] + norm.bias[c];
            }
        }
    }

    /// The way back from gradients of the bias, and more gradients of the pooled vectors if there are, to those of the channels.
    pub(super) fn pool_back(
        &self,
        plan: &PoolPlan,
        from: Channels<'_>,
        n_boards: usize,
        tape: &PoolTape,
        (back, sums): (PoolBack<'_>, &mut Gradients),
    ) {
        let n_channels = self.packed.norms[plan.act.0].scale.len();
        let PoolBack { bias, more, pooled, activated, to, sums: memory } = back;
        self.multiply_back(plan.to_bias, n_boards, (&tape.pooled, bias), sums, Some(&mut *pooled));
        if let Some(more) = more {
            pooled.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        activated[..n_boards * self.geometry.n_points() * n_channels].fill(0.0);
        self.unpool(Third::Maximum, n_channels, n_boards, (&tape.activated, pooled), activated);
        let from = Channels { start: plan.start, pooled: None, ..from };
        let layout = self.geometry.dense();
        let back =
            ChannelsBack { gradients: activated, layout, adds: false, to, sums: memory, to_bias: None };
        self.activate_back(plan.act, from, n_boards, back, sums);
    }

    /// Three numbers for each channel.
    pub(super) fn pool_boards(
        &self,
        third: Third,
        n_channels: usize,
        n_boards: usize,
        from: &[f32],
        to: &mut [f32],
    ) {
        let n_points = self.geometry.n_points();
        let from = &from[..n_boards * n_points * n_channels];
        Pool { n_points, n_channels, third, from, to }.run(self.isa);
    }

    /// Adds to the gradients of channels what those of their pooled numbers say. The first of equal maxima is meant.
    pub(super) fn unpool(
        &self,
        third: Third,
        n_channels: usize,
        n_boards: usize,
        (activated, pooled): (&[f32], &[f32]),
        to: &mut [f32],
    ) {
        let n_points = self.geometry.n_points();
        let side = (n_points as f32).sqrt() - 14.0;
        let (second, last) = (side * 0.1, side * side * 0.01 - 0.1);
        let boards = activated.chunks_exact(n_points * n_channels).zip(pooled.chunks_exact(3 * n_channels));
        let boards = boards.zip(to.chunks_exact_mut(n_points * n_channels)).take(n_boards);
        let mut shares = vec![0.0; n_channels];
        for ((activated, pooled), to) in boards {
            for (c, share) in shares.iter_mut().enumerate() {
                let mut sum = pooled[c] + second * pooled[n_channels + c];
                if third == Third::Mean {
                    sum += last * pooled[2 * n_channels + c];
                }
                *share = sum / n_points as f32;
            }
            for to in to.chunks_exact_mut(n_channels) {
                to.iter_mut().zip(&shares).for_each(|(to, share)| *to += share);
            }
            if third == Third::Maximum {
                add_to_maxima(activated, &pooled[2 * n_channels..], to);
            }
        }
    }
}

/// Adds to each channel's first maximum.
fn add_to_maxima(activated: &[f32], gradients: &[f32], to: &mut [f32]) {
    let n = gradients.len();
    let mut most = activated[..n].to_vec();
    let mut places = vec![0; n];
    for (point, channels) in activated.chunks_exact(n).enumerate() {
        for c in 0..n {
            let is_more = channels[c] > most[c];
            most[c] = if is_more { channels[c] } else { most[c] };
            places[c] = if is_more { point } else { places[c] };
        }
    }
    for (c, (&place, gradient)) in places.iter().zip(gradients).enumerate() {
        to[place * n + c] += gradient;
    }
}

/// Inputs and outputs of the backward pass through a pool.
pub(super) struct PoolBack<'a> {
    /// Gradients of the boards' biases.
    pub(super) bias: &'a [f32],
    /// More gradients of the pooled vectors.
    pub(super) more: Option<&'a [f32]>,
    /// Memory for gradients of the pooled vectors.
    pub(super) pooled: &'a mut Buffer<f32>,
    /// Memory for gradients of the activated channels.
    pub(super) activated: &'a mut Buffer<f32>,
    /// Gradients of the channels.
    pub(super) to: &'a mut [f32],
    /// Memory for the sums of each board.
    pub(super) sums: &'a mut [f32],
}
