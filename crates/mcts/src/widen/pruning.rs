//! Progressive pruning: what `pruning-hard` and `pruning-soft` share. [Bouzy & Helmstetter 2003, Bouzy 2004, as told by
//! Hsu 2018]
//!
//! An arm has a mean μ and the standard error σ of that mean, from its own simulations (no prior). Once both have
//! `min-visits` of them, arm 1 is inferior to arm 2 when μ₁ + r_d·σ₁ < μ₂ − r_d·σ₂. An arm that is
//! inferior to any arm still searched is cut. The arm of the highest μ − r_d·σ is inferior to none, so one always stays;
//! and it alone need be compared with the others. A node is examined after each simulation through an arm that has
//! `min-visits`, since only then can the answer have changed.
//!
//! Two arms are equal when neither is inferior to the other and σ₁ < σ_e and σ₂ < σ_e. The slide prints this condition for
//! inferiority as well; read so, nothing is ever cut at the published values, and the published times, which grow with r_d,
//! are impossible. `slide` is that reading.
//!
//! σ_e is in the unit of the reward. Bouzy's 0.2, 0.5 and 1 are points. A single won or lost game has a deviation of ½ at
//! most, so for win rates any σ_e above 0.05 is no condition after 100 visits; 0.01 (2500 visits) to 0.05 make sense.
//!
//! With `stop` the search may end when the root has one arm left, when its arms left are statistically equal (all have
//! `min-visits` and σ < σ_e, and none is inferior to another), or after `per-arm` simulations for each arm. Arms that are barred
//! at the root are never simulated and count as not yet examined: then only the last condition ends the search.

use super::Widener;
use crate::cx::{ChildMask, Cx, Estimates, Mixed, Visit};
use crate::moments::{MomentSums, Moments};
use crate::tree::layout::{CountColumn, Layout, NodeCount};
use crate::tree::{ChildIdx, Node};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The parameters of either kind.
#[derive(Debug, Clone)]
pub(super) struct PruningRule {
    /// r_d.
    pub(super) rd: f32,
    /// σ_e, in the unit of the reward.
    pub(super) sigma_e: f32,
    pub(super) min_visits: u32,
    /// Whether arms whose σ is not below σ_e are never called inferior either.
    pub(super) slide: bool,
    /// Visits of a node after which its cut arms are examined again; never if there is none.
    pub(super) period: Option<u32>,
    pub(super) stop: bool,
    /// Simulations per arm of the root after which the choice is settled whatever it is.
    pub(super) per_arm: u32,
}

/// The widener with its columns.
pub(super) struct Pruning {
    rule: PruningRule,
    columns: Columns,
}

#[derive(Debug, Clone, Copy)]
struct Columns {
    moments: Moments,
    /// The ends of the arm's interval as of its last simulation, so that a comparison of all arms computes none of them
    /// again; see [`IntervalEnd`].
    low: CountColumn,
    high: CountColumn,
    /// 1 if the arm is cut.
    cut: CountColumn,
    /// The node's simulations.
    simulations: NodeCount,
}

/// An arm as the rule sees it: μ − r_d·σ, μ + r_d·σ, and whether σ < σ_e.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Interval {
    low: f32,
    high: f32,
    is_sure: bool,
}

/// One end of an interval in a cell of a column. A cell that was never written, 0, stands for NaN: an arm that cannot be
/// compared yet, neither inferior nor a reason to cut another.
struct IntervalEnd;

impl IntervalEnd {
    const UNKNOWN: u32 = f32::NAN.to_bits();

    fn store(cell: &AtomicU32, end: f32) {
        cell.store(end.to_bits() ^ Self::UNKNOWN, Relaxed);
    }

    fn load(cell: &AtomicU32) -> f32 {
        f32::from_bits(cell.load(Relaxed) ^ Self::UNKNOWN)
    }
}

impl PruningRule {
    /// The interval of an arm that was tried often enough to be compared.
    fn interval(&self, sums: MomentSums) -> Option<Interval> {
        let sigma = sums.standard_error();
        let is_sure = sigma < self.sigma_e;
        if sums.n < self.min_visits as f32 || (self.slide && !is_sure) {
            return None;
        }
        let (mean, reach) = (sums.mean(), self.rd * sigma);
        Some(Interval { low: mean - reach, high: mean + reach, is_sure })
    }
}

impl Pruning {
    pub(super) fn new(rule: PruningRule, layout: &mut Layout) -> Pruning {
        let (moments, low, high) = (Moments::claim(layout), layout.count(), layout.count());
        let (cut, simulations) = (layout.count(), layout.node_count());
        Pruning { rule, columns: Columns { moments, low, high, cut, simulations } }
    }

    /// Notes the interval of an arm that has a simulation more.
    fn note(&self, node: Node<'_>, child: ChildIdx) {
        let columns = &self.columns;
        let ends = self.rule.interval(columns.moments.sums(node, child)).map(|found| (found.low, found.high));
        let (low, high) = ends.unwrap_or((f32::NAN, f32::NAN));
        IntervalEnd::store(&node.counts(columns.low)[child.idx()], low);
        IntervalEnd::store(&node.counts(columns.high)[child.idx()], high);
    }

    /// Cuts the arms that are inferior to another; with `revives`, brings back those that no longer are.
    fn examine(&self, node: Node<'_>, columns: &Columns, revives: bool) {
        let (low, high) = (node.counts(columns.low), node.counts(columns.high));
        let cut = node.counts(columns.cut);
        let mut floor = f32::NEG_INFINITY;
        for (low, cut) in low.iter().zip(cut) {
            let low = IntervalEnd::load(low);
            // False for NaN.
            if low > floor && cut.load(Relaxed) == 0 {
                floor = low;
            }
        }
        for (high, cut) in high.iter().zip(cut) {
            let is_inferior = IntervalEnd::load(high) < floor;
            if is_inferior || revives {
                cut.store(u32::from(is_inferior), Relaxed);
            }
        }
    }

    /// Whether every arm left was examined, is known well enough, and none is inferior to another.
    fn are_equal(&self, node: Node<'_>, columns: &Columns) -> bool {
        let cut = node.counts(columns.cut);
        let (mut floor, mut ceiling) = (f32::NEG_INFINITY, f32::INFINITY);
        for idx in (0..node.n_children()).filter(|&idx| cut[idx].load(Relaxed) == 0) {
            let sums = columns.moments.sums(node, ChildIdx(idx as u16));
            let interval = self.rule.interval(sums).filter(|interval| interval.is_sure);
            let Some(interval) = interval else { return false };
            floor = floor.max(interval.low);
            ceiling = ceiling.min(interval.high);
        }
        floor <= ceiling
    }
}

impl Widener for Pruning {
    fn keep(&self, cx: &Cx<'_>, _models: &[Estimates], _mixed: &Mixed, out: &mut ChildMask) {
        let columns = &self.columns;
        for (child_idx, cell) in cx.node.counts(columns.cut).iter().enumerate() {
            if cell.load(Relaxed) != 0 {
                out.drop(child_idx);
            }
        }
        // Two threads may have cut the last two arms for the sake of each other.
        if out.is_none() {
            out.reset(cx.node.n_children());
        }
    }

    fn is_settled(&self, cx: &Cx<'_>, _models: &[Estimates], _mixed: &Mixed) -> bool {
        let (node, columns) = (cx.node, &self.columns);
        if !self.rule.stop {
            return false;
        }
        let n_left = node.counts(columns.cut).iter().filter(|cell| cell.load(Relaxed) == 0).count();
        let simulations = u64::from(node.node_count(columns.simulations).load(Relaxed));
        let most = u64::from(self.rule.per_arm) * node.n_children() as u64;
        n_left <= 1 || simulations >= most || self.are_equal(node, columns)
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let columns = &self.columns;
        columns.moments.observe(cx, visit);
        self.note(cx.node, visit.chosen);
        let before = cx.node.node_count(columns.simulations).fetch_add(visit.weight, Relaxed);
        let after = before.wrapping_add(visit.weight);
        let revives = self.rule.period.is_some_and(|period| before / period != after / period);
        if revives || columns.moments.n(cx.node, visit.chosen) >= self.rule.min_visits {
            self.examine(cx.node, columns, revives);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_worked_by_hand() {
        let rule = PruningRule {
            rd: 2.0,
            sigma_e: 0.3,
            min_visits: 5,
            slide: true,
            period: None,
            stop: false,
            per_arm: 10_000,
        };
        // 0, 0, 1, 1, 1: mean 0.6, σ = 0.244949.
        let sums = |n, sum, squares| MomentSums { n, sum, squares };
        let Interval { low, high, .. } = rule.interval(sums(5.0, 3.0, 3.0)).unwrap();
        assert!((low - 0.110_102).abs() < 1e-6 && (high - 1.089_898).abs() < 1e-6);
        // Four are too few; 0, 1, 0, 1, 0 in steps of 10 points has σ = 2.449.
        assert_eq!(rule.interval(sums(4.0, 2.0, 2.0)), None);
        assert_eq!(rule.interval(sums(5.0, 20.0, 200.0)), None);
        // No spread, no width.
        assert_eq!(rule.interval(sums(1e7, 0.0, 0.0)), Some(Interval { low: 0.0, high: 0.0, is_sure: true }));
        // Without a minimum an arm that was never tried, or once, is still unknown.
        let rule = PruningRule { min_visits: 0, sigma_e: 1e9, ..rule };
        assert_eq!((rule.interval(sums(0.0, 0.0, 0.0)), rule.interval(sums(1.0, 1.0, 1.0))), (None, None));
    }
}
