//! The way forwards.

use super::super::plan::{BlockPlan, HeadsPlan};
use super::Pass;
use super::layer::Channels;
use super::memory::{BlockTape, Memory, Tape, Work};
use model::math;
use model::net::cpu::pass::pool::Third;
use model::net::graph::Activation;

impl Pass<'_> {
    /// From the planes and globals on the tape to the outputs.
    pub(in super::super) fn forward(&self, memory: &mut Memory) {
        let Memory { n_boards, tape, work, .. } = memory;
        let n_boards = *n_boards;
        self.enter(n_boards, tape, work);
        for (n, (block, kept)) in self.plan.blocks.iter().zip(&mut tape.blocks).enumerate() {
            let (before, after) = tape.trunk.split_at_mut(n + 1);
            self.block(block, n_boards, (&before[n], &mut after[0]), kept, work);
        }
        let tip = Channels {
            boards: &tape.trunk[self.plan.blocks.len()],
            stride: self.packed.norms[self.plan.tip.0].scale.len(),
            start: 0,
            pooled: None,
        };
        self.activate(self.plan.tip, tip, n_boards, self.geometry.dense(), (&mut tape.tip, work));
        self.heads(&self.plan.heads, n_boards, tape, work);
    }

    /// The first convolution, and the globals as a bias of each board.
    fn enter(&self, n_boards: usize, tape: &mut Tape, work: &mut Work) {
        let trunk = &mut tape.trunk[0];
        self.convolve(self.plan.first, &tape.planes, n_boards, work, (trunk, false));
        let bias = &mut work.vectors[0];
        self.multiply(self.plan.globals, n_boards, &tape.globals, bias);
        let n = self.plan.products[self.plan.globals.0].width;
        let boards = trunk.chunks_exact_mut(self.geometry.n_points() * n);
        for (board, bias) in boards.zip(bias.chunks_exact(n)).take(n_boards) {
            for point in board.chunks_exact_mut(n) {
                point.iter_mut().zip(bias).for_each(|(x, bias)| *x += bias);
            }
        }
    }

    fn block(
        &self,
        plan: &BlockPlan,
        n_boards: usize,
        (before, after): (&[f32], &mut [f32]),
        tape: &mut BlockTape,
        work: &mut Work,
    ) {
        let image = self.geometry.image();
        let (first, second) = (&self.plan.convs[plan.first.0], &self.plan.convs[plan.second.0]);
        let from = Channels { boards: before, stride: first.depth, start: 0, pooled: None };
        self.activate(plan.pre, from, n_boards, image, (&mut tape.first, work));
        self.convolve(plan.first, &tape.first, n_boards, work, (&mut tape.mid, false));
        let from = Channels { boards: &tape.mid, stride: first.width, start: 0, pooled: None };
        if let (Some(pool), Some(kept)) = (&plan.pool, &mut tape.pool) {
            self.pool(pool, plan.mid, from, n_boards, (kept, work));
        }
        let pooled = tape.pool.as_ref().map(|pool| [&*pool.bias, &*pool.folded]);
        self.activate(plan.mid, Channels { pooled, ..from }, n_boards, image, (&mut tape.second, work));
        let n_used = n_boards * self.geometry.n_points() * second.width;
        after[..n_used].copy_from_slice(&before[..n_used]);
        self.convolve(plan.second, &tape.second, n_boards, work, (after, true));
    }

    fn heads(&self, plan: &HeadsPlan, n_boards: usize, tape: &mut Tape, work: &mut Work) {
        let (n_points, dense) = (self.geometry.n_points(), self.geometry.dense());
        let rows = n_boards * n_points;
        self.multiply(plan.enter, rows, &tape.tip, &mut tape.heads);
        let stride = self.plan.products[plan.enter.0].width;
        let from = Channels { boards: &tape.heads, stride, start: 0, pooled: None };
        self.pool(&plan.pool, plan.policy_act, from, n_boards, (&mut tape.pool, work));
        let pooled = Some([&*tape.pool.bias, &*tape.pool.folded]);
        let policy = Channels { pooled, ..from };
        self.activate(plan.policy_act, policy, n_boards, dense, (&mut tape.policy, work));
        self.multiply(plan.policy_out, rows, &tape.policy, &mut tape.outputs.policy);
        self.multiply(plan.pass, n_boards, &tape.pool.pooled, &mut tape.outputs.pass);

        let value = Channels { start: plan.value_start, ..from };
        self.activate(plan.value_act, value, n_boards, dense, (&mut tape.value, work));
        self.multiply(plan.ownership, rows, &tape.value, &mut tape.outputs.ownership);
        let n_value = self.packed.norms[plan.value_act.0].scale.len();
        self.pool_boards(Third::Mean, n_value, n_boards, &tape.value, &mut tape.value_pooled);
        let [before, hidden] = &mut tape.hidden;
        self.multiply(plan.hidden, n_boards, &tape.value_pooled, before);
        for (to, &x) in hidden.iter_mut().zip(&**before) {
            *to = value_at(plan.hidden_activation, x);
        }
        self.multiply(plan.winner, n_boards, hidden, &mut tape.outputs.winner);
        self.multiply(plan.score, n_boards, hidden, &mut tape.outputs.score);
    }
}

/// An activation of one number.
fn value_at(activation: Activation, x: f32) -> f32 {
    match activation {
        Activation::Identity => x,
        Activation::Relu => math::at_least(x, 0.0),
        Activation::Mish => math::mish(x),
        Activation::Silu => math::silu(x),
    }
}
