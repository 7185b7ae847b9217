//! AMAF with weights: Q̃′(s,a) = Σⱼ wⱼ·Ĩⱼ(s,a)·zⱼ / Σⱼ wⱼ·Ĩⱼ(s,a), wⱼ = Kⱼ(s, a, aⱼ)/N(s, aⱼ). [You A.2, with the
//! denominator his formula lacks]
//!
//! - j counts the simulations through the node s, aⱼ is the arm taken by the j-th, zⱼ its reward, and N(s, aⱼ) the visits of
//!   that arm, this one included.
//! - Ĩⱼ(s,a) is 1 if the mover at s played a there or later, as for `rave`. Passes are not credited.
//! - Kⱼ(s,a,b) is the number of simulations up to the j-th in which both a and b were played at s or later, each by either
//!   player: a node with the other player to move, the thesis' s_c, would credit what the opponent played. A pass
//!   counts as played where it is the arm taken.
//!
//! So an arm learns more from simulations whose first move often comes together with it, and more from rarely tried first
//! moves. The weight of the estimate is ñ, as for `rave`: it tells mixers how many simulations were seen. A prior with C̃
//! and H starts an arm as C̃ simulations of weight 1 would.
//!
//! Most points are played in most playouts, so the node counts what is *not* played: with n simulations, A(a) of them
//! without a and A(a,b) with neither, K = n − A(a) − A(b) + A(a,b). A simulation then costs the square of the points it
//! leaves out instead of the square of all.

use super::Estimator;
use super::mc::divide;
use super::pairs::{self, MAX_ARMS};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Priors, Visit};
use crate::game::Side;
use crate::tree::layout::{BlockColumn, CountColumn, NodeCount, SumColumn};
use crate::tree::{ChildIdx, Node};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// As rave, but simulations weigh more whose first move often comes together with the arm; up to 13×13.
    pub struct RaveWeighted as "rave-weighted" {}
}

/// The model with its columns.
struct Weighted {
    columns: Columns,
}

#[derive(Debug, Clone, Copy)]
struct Columns {
    /// Σ w·z as the mover sees it.
    sum: SumColumn,
    /// Σ w.
    weight: SumColumn,
    /// ñ without the prior's part.
    visits: CountColumn,
    /// C̃ as `f32` bits; only if there is a prior that gives values.
    pseudo: Option<CountColumn>,
    /// Simulations that went through the node.
    seen: NodeCount,
    /// A(a,b), the simulations in which neither was played; A(a) on the diagonal.
    without: BlockColumn,
}

/// Sums have quanta of 1/4096 and room for 10¹¹ points: a weight can be as large as the visits of the node.
const FRACTION_BITS: u16 = 12;

/// Builds the model.
pub fn build(
    _params: &RaveWeighted,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Estimator>, recipe::Error> {
    pairs::check(&blueprint.facts, VARIANT.name)?;
    let layout = &mut blueprint.layout;
    let columns = Columns {
        sum: layout.sum(FRACTION_BITS),
        weight: layout.sum(FRACTION_BITS),
        visits: layout.count(),
        pseudo: layout.h.map(|prior| prior.amaf_visits),
        seen: layout.node_count(),
        without: layout.per_pair(),
    };
    Ok(Box::new(Weighted { columns }))
}

impl Estimator for Weighted {
    fn reads_trace(&self) -> bool {
        true
    }

    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        let columns = self.columns;
        cx.node.read_sums(columns.sum, &mut out.mean);
        cx.node.read_sums(columns.weight, &mut out.weight);
        divide(&mut out.mean, &out.weight, cx.reward.neutral());
        cx.node.read_counts(columns.visits, &mut out.weight);
        if let Some(pseudo) = columns.pseudo {
            for (weight, cell) in out.weight.iter_mut().zip(cx.node.counts(pseudo)) {
                *weight += f32::from_bits(cell.load(Relaxed));
            }
        }
    }

    fn seed(&self, node: Node<'_>, old: &Priors, new: &Priors) {
        for child_idx in 0..new.h.len() {
            let child = ChildIdx(child_idx as u16);
            let (before, now) = (old.amaf_visits[child_idx], new.amaf_visits[child_idx]);
            node.add_sum(self.columns.sum, child, new.h[child_idx] * now - old.h[child_idx] * before);
            node.add_sum(self.columns.weight, child, now - before);
        }
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let columns = self.columns;
        let together = Together::count(cx.node, columns, visit);
        let pass = cx.pass;
        let n_chosen = cx.node.visits(visit.chosen).max(visit.weight);
        let visits = cx.node.counts(columns.visits);
        for (child_idx, action) in cx.node.actions().enumerate() {
            if visit.trace.first_play(cx.mover, action).is_none() || Some(action) == pass {
                continue;
            }
            let child = ChildIdx(child_idx as u16);
            let gain = together.with(child) as f32 / n_chosen as f32 * visit.weight as f32;
            visits[child_idx].fetch_add(visit.weight, Relaxed);
            cx.node.add_sum(columns.weight, child, gain);
            cx.node.add_sum(columns.sum, child, gain * visit.reward);
        }
    }
}

/// K(s, ·, b) of the arm b that was taken.
struct Together<'a> {
    without: &'a [AtomicU32],
    stride: usize,
    chosen: usize,
    /// Simulations up to this one.
    n: i64,
    /// Simulations this one stands for; it counts for every arm that is asked for.
    weight: i64,
}

impl<'a> Together<'a> {
    /// Counts a simulation.
    fn count(node: Node<'a>, columns: Columns, visit: &Visit<'_>) -> Together<'a> {
        let (without, stride) = (node.block(columns.without), node.pair_stride());
        let mut unplayed = [0; MAX_ARMS];
        let mut n_unplayed = 0;
        for (child_idx, action) in node.actions().enumerate() {
            let is_played = |side| visit.trace.first_play(side, action).is_some();
            unplayed[n_unplayed] = child_idx;
            let is_played =
                is_played(Side::First) || is_played(Side::Second) || child_idx == visit.chosen.idx();
            n_unplayed += usize::from(!is_played);
        }
        let unplayed = &unplayed[..n_unplayed];
        for a in unplayed {
            let row = &without[a * stride..];
            for &b in unplayed {
                // With several threads a count may be lost, which is cheaper than never to lose one.
                row[b].store(row[b].load(Relaxed).saturating_add(visit.weight), Relaxed);
            }
        }
        let n = node.node_count(columns.seen).fetch_add(visit.weight, Relaxed);
        let (n, weight) = (i64::from(n) + i64::from(visit.weight), i64::from(visit.weight));
        Together { without, stride, chosen: visit.chosen.idx(), n, weight }
    }

    /// K of an arm that was played in this simulation.
    fn with(&self, child: ChildIdx) -> i64 {
        let without = |a: usize, b: usize| i64::from(self.without[a * self.stride + b].load(Relaxed));
        let (a, b) = (child.idx(), self.chosen);
        let both = self.n - without(a, a) - without(b, b) + without(b, a);
        both.clamp(self.weight, self.n)
    }
}

#[cfg(test)]
mod tests {
    use crate::estimate::trial::{Trial, model};

    fn trial(seeds: Option<(f32, f32, f32)>) -> Trial {
        Trial::new(&[model("rave-weighted")], seeds)
    }

    #[test]
    fn worked_by_hand() {
        // 1. B0 W1 B2, won. Played: {0, 1, 2}. N(0) = 1; K(0,0) = K(2,0) = 1. Arms 0 and 2: w = 1, z = 1.
        // 2. B0 W3 B1, lost. Played: {0, 1, 3}. N(0) = 2; K(0,0) = 2, w = 1; K(1,0) = 2 (in 1. White played it), w = 1.
        // 3. B3 W0 B2 W1 B0, won. Played: all. N(3) = 1; K(3,3) = 2, w = 2; K(2,3) = 1, w = 1; K(0,3) = 2, w = 2.
        // Arm 0: (1·1 + 1·0 + 2·1)/(1 + 1 + 2) = ¾, ñ = 3; arm 1: 0/1; arm 2: (1 + 1)/2, ñ = 2; arm 3: 2/2, ñ = 1.
        let trial = trial(None);
        trial.expect(0, [(0.5, 0.0); 5]);
        trial.play(&[0, 1, 2], 1.0, 1);
        trial.play(&[0, 3, 1], 0.0, 1);
        trial.play(&[3, 0, 2, 1, 0], 1.0, 1);
        trial.expect(0, [(0.75, 3.0), (0.0, 1.0), (1.0, 2.0), (1.0, 1.0), (0.5, 0.0)]);
        // 4. B- W- B1, a draw. Played: {1, pass}. N(pass) = 1; K(1,pass) = 1, w = 1: arm 1 is (0 + ½)/2, ñ = 2; the pass
        // itself learns nothing.
        trial.play(&[-1, -1, 1], 0.5, 1);
        trial.expect(0, [(0.75, 3.0), (0.25, 2.0), (1.0, 2.0), (1.0, 1.0), (0.5, 0.0)]);
    }

    #[test]
    fn large_weights_and_priors() {
        // H = ¾ worth 4, then a win in 0, K = N = 1, so w = 1: (3 + 1)/5.
        let seeded = trial(Some((0.75, 9.0, 4.0)));
        seeded.play(&[0, 1], 1.0, 1);
        seeded.expect(0, [(0.8, 5.0), (0.75, 4.0), (0.75, 4.0), (0.75, 4.0), (0.75, 4.0)]);
        // Four million wins that begin with 0 and have 1 in them, then one loss the other way round: N(1) = 1 and
        // K(0,1) = K(1,1) = 4·10⁶ + 1, so the one loss weighs as much as all the wins.
        let heavy = trial(None);
        heavy.play(&[0, 3, 1], 1.0, 4_000_000);
        heavy.play(&[1, 3, 0], 0.0, 1);
        heavy.expect(0, [(0.5, 4e6), (0.5, 4e6), (0.5, 0.0), (0.5, 0.0), (0.5, 0.0)]);
    }

    #[test]
    fn below_the_root_the_other_player_is_credited() {
        // B0 W1 B2 W3, won by Black: White's node below B0 sees its own 1 and 3 lost, and its 2 not played by White.
        let trial = trial(None);
        trial.grow(0, &[1, 2, 3]);
        trial.play(&[0, 1, 2, 3], 1.0, 1);
        trial.expect_below(0, 0, [(0.0, 1.0), (0.5, 0.0), (0.0, 1.0)]);
    }

    #[test]
    fn alone_on_the_first_arm_it_is_rave() {
        // If one arm is always taken and all points are always played, K = N and every weight is 1.
        let trial = Trial::new(&[model("rave"), model("rave-weighted")], None);
        let endings: [&[i16]; 3] = [&[0, 1, 2, 3], &[0, 3, 1, 2, 3], &[0, 2, 3, 1, 1]];
        for round in 0..30 {
            trial.play(endings[round % 3], (round % 2) as f32, 1);
            assert_eq!(trial.estimates(0), trial.estimates(1));
        }
    }
}
