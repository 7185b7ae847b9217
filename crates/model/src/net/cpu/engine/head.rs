//! The two heads. Their three convolutions of 1×1 read the same channels and are one.

use super::block::Pooled;
use super::conv::Convolution;
use super::norm::{Channels, Prepare};
use super::scratch::{Scratch, Target};
use super::{Build, Context};
use crate::math::{mish, silu};
use crate::net::cpu::gemm::{Number, padded};
use crate::net::cpu::pass::dense::Dense;
use crate::net::cpu::pass::pool::{Pool, Third};
use crate::net::graph::{Activation, Conv, Graph, MatMul};
use crate::net::output::NetOutput;

/// Both heads with their weights packed.
#[derive(Debug)]
pub(super) struct Heads<T: Number> {
    convs: Convolution<T>,
    policy: Policy,
    value: Value,
}

#[derive(Debug)]
struct Policy {
    pooled: Pooled,
    act: Prepare,
    out: Dense,
    n_channels: usize,
    pass: Dense,
    hidden: Option<(Activation, Dense)>,
}

#[derive(Debug)]
struct Value {
    act: Prepare,
    hidden: Dense,
    activation: Activation,
    winner: Dense,
    score: Dense,
    n_scores: usize,
    ownership: Dense,
}

/// A convolution of 1×1 as a product.
fn product(conv: &Conv) -> MatMul {
    MatMul { n_in: conv.n_in, n_out: conv.n_out, weights: conv.weights.clone() }
}

/// Activates a small vector.
fn activate(activation: Activation, x: &mut [f32]) {
    for x in x {
        *x = match activation {
            Activation::Identity => *x,
            Activation::Relu => {
                if *x > 0.0 {
                    *x
                } else {
                    0.0
                }
            }
            Activation::Mish => mish(*x),
            Activation::Silu => silu(*x),
        };
    }
}

impl<T: Number> Heads<T> {
    pub(super) fn new(graph: &Graph, build: &mut Build) -> Heads<T> {
        let (policy, value) = (&graph.policy, &graph.value);
        let convs: Convolution<T> =
            build.convolution(&[&policy.regular, &policy.pool, &value.regular], Target::MID);
        let sizes = &mut build.sizes;
        let pooled = Pooled::new(&policy.pool_act, convs.starts[1], &policy.to_bias, sizes);
        let hidden = policy.pass_hidden.as_ref();
        let policy = Policy {
            pooled,
            act: Prepare::new(&policy.act),
            out: Dense::new(&product(&policy.out), None, 1),
            n_channels: policy.n_channels(),
            pass: Dense::new(&policy.pass, hidden.map(|hidden| &hidden.bias), 3),
            hidden: hidden.map(|hidden| (hidden.activation, Dense::new(&hidden.out, None, 1))),
        };
        let value = Value {
            act: Prepare::new(&value.act),
            hidden: Dense::new(&value.hidden, Some(&value.hidden_bias), 3),
            activation: value.hidden_activation,
            winner: Dense::new(&value.winner, Some(&value.winner_bias), 1),
            score: Dense::new(&value.score, Some(&value.score_bias), 1),
            n_scores: value.score.n_out,
            ownership: Dense::new(&product(&value.ownership), None, 1),
        };
        sizes.target(Target::POOL, policy.act.n_channels().max(value.act.n_channels()));
        sizes.target(Target::OUT, policy.out.n_out.max(value.ownership.n_out));
        for dense in [&policy.pass, &value.hidden, &value.winner, &value.score] {
            sizes.vector(dense.n_in.max(dense.n_out));
        }
        if let Some((_, dense)) = &policy.hidden {
            sizes.vector(dense.n_out);
        }
        Heads { convs, policy, value }
    }

    /// The memory in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        self.convs.n_bytes() + self.policy.pass.n_bytes() + self.value.hidden.n_bytes()
    }

    /// Reads the images at the trunk's tip.
    pub(super) fn run(&self, cx: Context, scratch: &mut Scratch<T>, out: &mut [NetOutput]) {
        self.convs.run(cx, scratch, Target::MID, false);
        self.policy.run(cx, scratch, &self.convs, out);
        self.value.run(cx, scratch, &self.convs, out);
    }
}

impl Policy {
    fn run<T: Number>(
        &self,
        cx: Context,
        scratch: &mut Scratch<T>,
        convs: &Convolution<T>,
        out: &mut [NetOutput],
    ) {
        let (n_boards, n_points) = (scratch.n_boards, cx.geometry.n_points());
        self.pooled.run(cx, scratch, convs.n_out);
        let from = self.act.biased(scratch, convs.n_out, convs.starts[0]);
        self.act.to_dense(cx, scratch, from);
        let Scratch { targets, vectors: [pooled, first, second], .. } = scratch;
        let [from, _, logits, ..] = &mut targets[..] else { return };
        self.out.run(cx.isa, from, n_boards * n_points, logits);
        self.pass.run(cx.isa, pooled, n_boards, first);
        let (mut pass, mut n_pass) = (&*first, self.pass.n_out);
        if let Some((activation, dense)) = &self.hidden {
            activate(*activation, &mut first[..n_boards * self.pass.n_out]);
            dense.run(cx.isa, first, n_boards, second);
            (pass, n_pass) = (second, dense.n_out);
        }
        for (board, out) in out.iter_mut().enumerate() {
            out.policy.resize(self.n_channels * (n_points + 1), 0.0);
            let logits = &logits[board * n_points * self.out.n_out..];
            for (channel, to) in out.policy.chunks_exact_mut(n_points + 1).enumerate() {
                for (to, logits) in to.iter_mut().zip(logits.chunks_exact(self.out.n_out)) {
                    *to = logits[channel];
                }
                to[n_points] = pass[board * n_pass + channel];
            }
        }
    }
}

impl Value {
    fn run<T: Number>(
        &self,
        cx: Context,
        scratch: &mut Scratch<T>,
        convs: &Convolution<T>,
        out: &mut [NetOutput],
    ) {
        let (n_boards, n_points, n_channels) =
            (scratch.n_boards, cx.geometry.n_points(), self.act.n_channels());
        let (stride, start) = (convs.n_out, convs.starts[2]);
        self.act.to_dense(cx, scratch, Channels { target: Target::MID, stride, start, is_biased: false });
        let Scratch { targets, vectors: [pooled, hidden, outputs], .. } = scratch;
        let [from, _, ownership, ..] = &mut targets[..] else { return };
        let from = &from[..n_boards * n_points * n_channels];
        cx.isa.run(Pool { n_points, n_channels, third: Third::Mean, from, to: pooled });
        self.hidden.run(cx.isa, pooled, n_boards, hidden);
        activate(self.activation, &mut hidden[..n_boards * self.hidden.n_out]);
        self.winner.run(cx.isa, hidden, n_boards, outputs);
        for (out, winner) in out.iter_mut().zip(outputs.chunks_exact(self.winner.n_out)) {
            out.winner.copy_from_slice(&winner[..3]);
        }
        self.score.run(cx.isa, hidden, n_boards, outputs);
        for (out, score) in out.iter_mut().zip(outputs.chunks_exact(self.score.n_out)) {
            out.score = [0.0; 6];
            out.score[..self.n_scores.min(6)].copy_from_slice(&score[..self.n_scores.min(6)]);
        }
        self.ownership.run(cx.isa, from, n_boards * n_points, ownership);
        let stride = padded(1);
        for (out, ownership) in out.iter_mut().zip(ownership.chunks_exact(n_points * stride)) {
            out.ownership.resize(n_points, 0.0);
            for (to, from) in out.ownership.iter_mut().zip(ownership.chunks_exact(stride)) {
                *to = from[0];
            }
        }
    }
}
