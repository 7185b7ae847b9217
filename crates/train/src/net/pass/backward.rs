//! The way back.

use super::super::packed::Gradients;
use super::super::plan::{BlockPlan, HeadsPlan};
use super::Pass;
use super::layer::{Channels, ChannelsBack, ConvBack};
use super::memory::{BlockTape, Memory, Tape, Work};
use super::pool::PoolBack;
use model::math;
use model::net::cpu::pass::pool::Third;
use model::net::graph::Activation;

impl Pass<'_> {
    /// From gradients of the outputs to sums for all weights.
    pub(in super::super) fn backward(&self, memory: &mut Memory) {
        let Memory { n_boards, tape, work, gradients, .. } = memory;
        let n_boards = *n_boards;
        self.value_back(&self.plan.heads, n_boards, tape, work, gradients);
        self.policy_back(&self.plan.heads, n_boards, tape, work, gradients);
        self.tip_back(n_boards, tape, work, gradients);
        for (n, (block, kept)) in self.plan.blocks.iter().zip(&tape.blocks).enumerate().rev() {
            self.block_back(block, n_boards, (&tape.trunk[n], kept), work, gradients);
        }
        self.enter_back(n_boards, tape, work, gradients);
    }

    fn value_back(
        &self,
        plan: &HeadsPlan,
        n_boards: usize,
        tape: &Tape,
        work: &mut Work,
        sums: &mut Gradients,
    ) {
        let rows = n_boards * self.geometry.n_points();
        let Work { activated: [activated, _], vectors: [hidden, more, pooled], outputs, mid, .. } = work;
        let owners = (&*tape.value, &*outputs.ownership);
        self.multiply_back(plan.ownership, rows, owners, sums, Some(&mut *activated));
        let [before, after] = &tape.hidden;
        self.multiply_back(plan.winner, n_boards, (after, &outputs.winner), sums, Some(&mut *hidden));
        self.multiply_back(plan.score, n_boards, (after, &outputs.score), sums, Some(&mut *more));
        for ((sum, more), &x) in hidden.iter_mut().zip(&**more).zip(&**before) {
            *sum = (*sum + more) * slope_at(plan.hidden_activation, x);
        }
        self.multiply_back(plan.hidden, n_boards, (&tape.value_pooled, hidden), sums, Some(&mut *pooled));
        let n_value = self.packed.norms[plan.value_act.0].scale.len();
        self.unpool(Third::Mean, n_value, n_boards, (&tape.value, pooled), activated);
        let from = self.head_channels(plan, tape);
        let back = ChannelsBack::replacing(activated, self.geometry.dense(), mid, &mut work.sums);
        let from = Channels { start: plan.value_start, ..from };
        self.activate_back(plan.value_act, from, n_boards, back, sums);
    }

    fn policy_back(
        &self,
        plan: &HeadsPlan,
        n_boards: usize,
        tape: &Tape,
        work: &mut Work,
        sums: &mut Gradients,
    ) {
        let rows = n_boards * self.geometry.n_points();
        let Work { activated: [first, second], vectors: [bias, more, pooled], outputs, mid, .. } = work;
        let policy = (&*tape.policy, &*outputs.policy);
        self.multiply_back(plan.policy_out, rows, policy, sums, Some(&mut *first));
        let pass = (&*tape.pool.pooled, &*outputs.pass);
        self.multiply_back(plan.pass, n_boards, pass, sums, Some(&mut *more));
        let from = self.head_channels(plan, tape);
        let back = ChannelsBack {
            to_bias: Some(bias),
            ..ChannelsBack::replacing(first, self.geometry.dense(), mid, &mut work.sums)
        };
        let pooled_bias = Some([&*tape.pool.bias, &*tape.pool.folded]);
        self.activate_back(plan.policy_act, Channels { pooled: pooled_bias, ..from }, n_boards, back, sums);
        let (memory, activated) = (&mut *work.sums, second);
        let back = PoolBack { bias, more: Some(more), pooled, activated, to: mid, sums: memory };
        self.pool_back(&plan.pool, from, n_boards, &tape.pool, (back, sums));
    }

    fn head_channels<'a>(&self, plan: &HeadsPlan, tape: &'a Tape) -> Channels<'a> {
        let stride = self.plan.products[plan.enter.0].width;
        Channels { boards: &tape.heads, stride, start: 0, pooled: None }
    }

    /// Through the products at the tip and its norm to the gradients of the trunk.
    fn tip_back(&self, n_boards: usize, tape: &Tape, work: &mut Work, sums: &mut Gradients) {
        let rows = n_boards * self.geometry.n_points();
        let Work { activated: [activated, _], mid, trunk, .. } = work;
        let enter = self.plan.heads.enter;
        self.multiply_back(enter, rows, (&tape.tip, mid), sums, Some(&mut *activated));
        let from = Channels {
            boards: &tape.trunk[self.plan.blocks.len()],
            stride: self.packed.norms[self.plan.tip.0].scale.len(),
            start: 0,
            pooled: None,
        };
        let back = ChannelsBack::replacing(activated, self.geometry.dense(), trunk, &mut work.sums);
        self.activate_back(self.plan.tip, from, n_boards, back, sums);
    }

    /// Adds to the gradients of the trunk what comes through a block.
    fn block_back(
        &self,
        plan: &BlockPlan,
        n_boards: usize,
        (before, tape): (&[f32], &BlockTape),
        work: &mut Work,
        sums: &mut Gradients,
    ) {
        let layout = self.geometry.image();
        let first = &self.plan.convs[plan.first.0];
        let Work { left, products, image, ones, trunk, .. } = &mut *work;
        let conv = ConvBack { images: &tape.second, gradients: trunk, left, products, back: image, ones };
        self.convolve_back(plan.second, n_boards, conv, sums);
        self.mid_back(plan, n_boards, tape, work, sums);
        let Work { left, products, image, ones, mid, .. } = &mut *work;
        let conv = ConvBack { images: &tape.first, gradients: mid, left, products, back: image, ones };
        self.convolve_back(plan.first, n_boards, conv, sums);
        let from = Channels { boards: before, stride: first.depth, start: 0, pooled: None };
        let back = ChannelsBack {
            adds: true,
            ..ChannelsBack::replacing(&work.image, layout, &mut work.trunk, &mut work.sums)
        };
        self.activate_back(plan.pre, from, n_boards, back, sums);
    }

    /// From gradients of what the second convolution read to those of what the first gave.
    fn mid_back(
        &self,
        plan: &BlockPlan,
        n_boards: usize,
        tape: &BlockTape,
        work: &mut Work,
        sums: &mut Gradients,
    ) {
        let stride = self.plan.convs[plan.first.0].width;
        let from = Channels { boards: &tape.mid, stride, start: 0, pooled: None };
        let Work { image, mid, vectors: [bias, _, pooled], activated: [activated, _], .. } = work;
        let back = ChannelsBack {
            to_bias: plan.pool.map(|_| &mut **bias),
            ..ChannelsBack::replacing(image, self.geometry.image(), mid, &mut work.sums)
        };
        let pooled_bias = tape.pool.as_ref().map(|pool| [&*pool.bias, &*pool.folded]);
        self.activate_back(plan.mid, Channels { pooled: pooled_bias, ..from }, n_boards, back, sums);
        if let (Some(pool), Some(kept)) = (&plan.pool, &tape.pool) {
            let sums_of_boards = &mut *work.sums;
            let back = PoolBack { bias, more: None, pooled, activated, to: mid, sums: sums_of_boards };
            self.pool_back(pool, from, n_boards, kept, (back, sums));
        }
    }

    /// The first convolution and the globals.
    fn enter_back(&self, n_boards: usize, tape: &Tape, work: &mut Work, sums: &mut Gradients) {
        let Work { left, products, image, ones, trunk, vectors: [bias, ..], .. } = work;
        let conv = ConvBack { images: &tape.planes, gradients: trunk, left, products, back: image, ones };
        self.convolve_back(self.plan.first, n_boards, conv, sums);
        let n = self.plan.products[self.plan.globals.0].width;
        let boards = trunk.chunks_exact(self.geometry.n_points() * n);
        for (board, bias) in boards.zip(bias.chunks_exact_mut(n)).take(n_boards) {
            bias.fill(0.0);
            for point in board.chunks_exact(n) {
                bias.iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
            }
        }
        self.multiply_back(self.plan.globals, n_boards, (&tape.globals, bias), sums, None);
    }
}

/// The slope of an activation.
fn slope_at(activation: Activation, x: f32) -> f32 {
    match activation {
        Activation::Identity => 1.0,
        Activation::Relu => f32::from(x > 0.0),
        Activation::Mish => {
            let t = math::tanh(math::softplus(x));
            t + x * (1.0 - t * t) * math::logistic(x)
        }
        Activation::Silu => {
            let sigma = math::logistic(x);
            sigma * (1.0 + x * (1.0 - sigma))
        }
    }
}
