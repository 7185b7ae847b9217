//! AMAF (all moves as first), shared by the models `rave`, `amaf-first`, `rave-distance`, `grave` and `criticality`. Every
//! arm has a tally ñ, w̃ that gains by each simulation which counts for it; which do is the model's own rule, and how much
//! they count may depend on how soon the move came ([`Nearness`]).
//!
//! An arm gains by its first occurrence only; the trace's first-play map answers in constant time where that was. Passes
//! are not in the map. A prior with equivalent experience C̃ and value H starts an arm at ñ = C̃, w̃ = C̃·H.

use super::Estimator;
use super::mc::divide;
use crate::blueprint::SharedColumns;
use crate::cx::{Cx, Estimates, Priors, Visit};
use crate::game::{Action, MAX_ACTIONS};
use crate::trace::{FirstPlies, first_ply};
use crate::tree::layout::{CountColumn, Layout, TallyColumn};
use crate::tree::{ChildIdx, MAX_TIMES, Node};
use std::ops::Range;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

/// Visits of an arm between two searches for full tallies. All arms of the largest board together then
/// got fewer samples than a full tally has room for, even if each counts [`MAX_TIMES`] times over.
const HALVE_EVERY: u32 = 1024;

/// An AMAF model, whose arms gain by every simulation for which `is_credited` says so.
pub(super) struct AmafModel<F> {
    is_credited: F,
    /// The weight of a move that comes at once; 1 if all weigh the same.
    near: u32,
    pub(super) columns: AmafColumns,
}

/// The columns of an AMAF model.
#[derive(Debug, Clone, Copy)]
pub(super) struct AmafColumns {
    /// ñ and w̃, as the mover sees them, without the prior's part.
    pub(super) tally: TallyColumn,
    /// C̃ and C̃·H as `f32` bits; only if there is a prior that gives them.
    pub(super) pseudo: Option<[CountColumn; 2]>,
}

impl SharedColumns for AmafColumns {
    fn claim(layout: &mut Layout) -> AmafColumns {
        let tally = layout.tally();
        AmafColumns { tally, pseudo: layout.amaf_prior().map(|visits| [visits, layout.count()]) }
    }
}

/// Whether the mover played the action at or after the trace's depth.
#[inline]
pub(super) fn was_played(own: &FirstPlies, _other: &FirstPlies, action: Action) -> bool {
    first_ply(own, action) != u16::MAX
}

impl<F: Fn(&FirstPlies, &FirstPlies, Action) -> bool> AmafModel<F> {
    /// A model with these columns. A move that comes at once counts as `near` simulations.
    pub(super) fn new(columns: AmafColumns, near: u32, is_credited: F) -> AmafModel<F> {
        AmafModel { is_credited, near: near.clamp(1, MAX_TIMES), columns }
    }

    /// Adds the node's own prior to sums and numbers of rewards, and divides.
    pub(super) fn finish(&self, cx: &Cx<'_>, out: &mut Estimates) {
        if let Some([visits, sum]) = self.columns.pseudo {
            cx.node.add_floats(visits, &mut out.weight);
            cx.node.add_floats(sum, &mut out.mean);
        }
        divide(&mut out.mean, &out.weight, cx.reward.neutral());
    }

    /// Counts a simulation in a column of tallies for what the side `own` played, with that side's reward.
    #[inline]
    pub(super) fn credit(
        &self,
        node: Node<'_>,
        column: TallyColumn,
        (own, other): (&FirstPlies, &FirstPlies),
        reward: f32,
        visit: &Visit<'_>,
    ) {
        let is_credited = |action| (self.is_credited)(own, other, action);
        if self.near == 1 {
            node.add_tallies(column, reward, visit.weight, is_credited);
        } else {
            let nearness = Nearness::new(self.near, visit.depth, visit.trace.plays().len());
            let sample = Sample { column, reward, weight: visit.weight };
            let n_actions = visit.trace.n_actions();
            if self.near <= 3 {
                // The usual weights need two comparisons.
                let times = |action| nearness.times::<2>(first_ply(own, action));
                sample.add(node, n_actions, |action| if is_credited(action) { times(action) } else { 0 });
            } else {
                let times = |action| nearness.times::<MAX_BEFORE>(first_ply(own, action));
                sample.add(node, n_actions, |action| if is_credited(action) { times(action) } else { 0 });
            }
        }
        if node.visits(visit.chosen) % HALVE_EVERY < visit.weight {
            node.halve_tallies(column);
        }
    }
}

impl<F: Fn(&FirstPlies, &FirstPlies, Action) -> bool + Send + Sync> Estimator for AmafModel<F> {
    fn reads_trace(&self) -> bool {
        true
    }

    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        cx.node.read_tallies(self.columns.tally, &mut out.mean, &mut out.weight);
        self.finish(cx, out);
    }

    fn seed(&self, node: Node<'_>, _old: &Priors, new: &Priors) {
        // C̃ itself is the tree's own column.
        let Some([_, sum]) = self.columns.pseudo else { return };
        for (cell, (h, visits)) in node.counts(sum).iter().zip(new.h.iter().zip(&new.amaf_visits)) {
            cell.store((h * visits).to_bits(), Relaxed);
        }
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let plies = (visit.trace.first_plies(cx.mover), visit.trace.first_plies(!cx.mover));
        self.credit(cx.node, self.columns.tally, plies, visit.reward, visit);
    }
}

/// A reward to be added to a column of tallies.
#[derive(Debug, Clone, Copy)]
struct Sample {
    column: TallyColumn,
    reward: f32,
    weight: u32,
}

impl Sample {
    /// Adds the reward to all arms of a node, as many times as `times` says, in a game of this many actions.
    #[inline]
    fn add(self, node: Node<'_>, n_actions: usize, times: impl Fn(Action) -> u16) {
        match n_actions {
            0..=128 => self.add_by_action::<128>(node, times),
            129..=256 => self.add_by_action::<256>(node, times),
            257..=512 => self.add_by_action::<512>(node, times),
            _ => self.add_by_action::<MAX_ACTIONS>(node, times),
        }
    }

    /// The same for at most N actions, a power of two. The times are first worked out for all actions, in a loop that
    /// vectorises; arms have no order that the compiler knows.
    #[inline]
    fn add_by_action<const N: usize>(self, node: Node<'_>, times: impl Fn(Action) -> u16) {
        let mut by_action = [0; N];
        for (idx, by_action) in by_action.iter_mut().enumerate() {
            *by_action = times(Action(idx as u16));
        }
        node.add_tallies_times(self.column, self.reward, self.weight, |Action(action)| {
            u32::from(by_action[usize::from(action) % N])
        });
    }
}

/// How much a move weighs by how soon it came: the moves from a node to the end of the simulation are cut into k equal
/// parts, and a move of the first part counts k times, one of the last part once.
#[derive(Debug, Clone, Copy)]
struct Nearness {
    /// A move weighs one more for each of these plies, counted from the root, that it comes before.
    before: [u16; MAX_BEFORE],
}

/// The most plies before which a move weighs one more.
const MAX_BEFORE: usize = MAX_TIMES as usize - 1;

impl Nearness {
    /// For a node at `depth` of a simulation of `len` plies.
    fn new(k: u32, depth: usize, len: usize) -> Nearness {
        let mut before = [0; MAX_BEFORE];
        let (k, n_left) = (k as usize, len.saturating_sub(depth));
        for (part, ply) in (1..k).zip(&mut before) {
            // 1 + ⌊k·(len − 1 − u)/n_left⌋ > part if and only if u < len − ⌈part·n_left/k⌉.
            *ply = u16::try_from(len - (part * n_left).div_ceil(k)).unwrap_or(u16::MAX);
        }
        Nearness { before }
    }

    /// How many times over a move at this ply counts, where there are at most N + 1 parts.
    #[inline]
    fn times<const N: usize>(&self, ply: u16) -> u16 {
        self.before.iter().take(N).fold(1, |times, &before| times + u16::from(ply < before))
    }
}

/// The nearest node with enough behind it, the search's own first and then up the path; the root if no other has.
#[inline]
pub(super) fn nearest<'a>(cx: &Cx<'a>, has_enough: impl Fn(Node<'_>) -> bool) -> Node<'a> {
    let mut found = cx.node;
    for step in cx.path.iter().rev() {
        if has_enough(found) {
            break;
        }
        found = cx.tree.node(step.node).unwrap_or(found);
    }
    found
}

/// Calls `each` with every arm of `node` and the arm of `known` that plays the same, if it has one.
#[inline(always)]
pub(super) fn match_arms(known: Node<'_>, node: Node<'_>, mut each: impl FnMut(usize, Option<ChildIdx>)) {
    match_runs(known, node, |arms, first| {
        for (ahead, arm_idx) in arms.enumerate() {
            each(arm_idx, first.map(|ChildIdx(first)| ChildIdx(first + ahead as u16)));
        }
    });
}

/// Calls `each` with runs of arms of `node`, in order, and the first of the arms of `known` that play the same one by one,
/// if it has them. Nodes list their actions in the same order as a rule, so each run is looked for where the last
/// one ended, and there are few of them: about one for each move between the two nodes.
#[inline(always)]
pub(super) fn match_runs(
    known: Node<'_>,
    node: Node<'_>,
    mut each: impl FnMut(Range<usize>, Option<ChildIdx>),
) {
    let (known, wanted) = (known.action_cells(), node.action_cells());
    let is_same = |a: &AtomicU16, b: &AtomicU16| a.load(Relaxed) == b.load(Relaxed);
    let (mut next, mut start) = (0, 0);
    while let Some(first) = wanted.get(start) {
        let is_wanted = |cell: &AtomicU16| is_same(cell, first);
        // Mostly it is the next one, or one that is not far behind the moves that were played since.
        let (before, behind) = known.split_at(next);
        let place = behind.iter().position(is_wanted).map(|ahead| next + ahead);
        let place = place.or_else(|| before.iter().position(is_wanted));
        let n_same = place.map_or(1, |place| {
            let pairs = wanted[start..].iter().zip(&known[place..]);
            pairs.take_while(|(wanted, known)| is_same(wanted, known)).count()
        });
        each(start..start + n_same, place.map(|place| ChildIdx(place as u16)));
        next = place.map_or(next, |place| place + n_same);
        start += n_same;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Reward, Side};
    use crate::tree::Tree;

    #[test]
    fn nearer_moves_weigh_more() {
        // Nine plies left, from ply 4 to ply 12, and three parts of three.
        let times = |k, depth, len, ply| Nearness::new(k, depth, len).times::<MAX_BEFORE>(ply);
        let three: Vec<u16> = (4..13).map(|ply| times(3, 4, 13, ply)).collect();
        assert_eq!(three, [3, 3, 3, 2, 2, 2, 1, 1, 1]);
        // Five plies and two parts: the odd one counts as late.
        assert_eq!((0..5).map(|ply| times(2, 0, 5, ply)).collect::<Vec<_>>(), [2, 2, 1, 1, 1]);
        // One part makes all alike, and so does a simulation of one move.
        assert!((0..99).all(|ply| times(1, 0, 99, ply) == 1));
        assert_eq!((times(8, 7, 8, 7), times(8, 0, 8, 0), times(8, 0, 8, 7)), (1, 8, 1));
        // Beyond what a ply can count nothing breaks.
        assert_eq!(times(8, 0, 1_000_000, 65_000), 8);
    }

    #[test]
    fn the_parts_are_those_of_the_formula() {
        for (k, depth, len) in [(2, 0, 1), (3, 0, 120), (3, 5, 121), (5, 1, 7), (8, 30, 400), (8, 0, 3)] {
            for ply in depth..len {
                let formula = 1 + k * (len - 1 - ply) / (len - depth);
                let got = Nearness::new(k as u32, depth, len).times::<MAX_BEFORE>(ply as u16);
                assert_eq!(got as usize, formula, "{k} parts, ply {ply} of {depth}..{len}");
            }
        }
    }

    #[test]
    fn arms_are_matched_in_any_order() {
        let tree = Tree::new(Layout::new(10, None, Reward::Win), 1 << 20);
        let add = |actions: &[u16]| {
            let actions: Vec<Action> = actions.iter().map(|&action| Action(action)).collect();
            tree.add(Side::First, &actions).unwrap()
        };
        let matched = |known: &[u16], node: &[u16]| {
            let mut pairs = Vec::new();
            match_arms(add(known), add(node), |arm_idx, child| {
                pairs.extend(child.map(|child| (arm_idx, child.idx())));
            });
            pairs
        };
        assert_eq!(matched(&[1, 3, 5, 7], &[1, 2, 5, 7, 9]), [(0, 0), (2, 2), (3, 3)]);
        assert_eq!(matched(&[7, 5], &[5, 7]), [(0, 1), (1, 0)]);
        assert_eq!(matched(&[1, 2, 3, 4, 5, 6], &[1, 6, 2]), [(0, 0), (1, 5), (2, 1)]);
        assert_eq!(matched(&[1], &[2, 3]), []);
    }
}
