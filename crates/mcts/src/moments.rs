//! Mean and spread of each arm's own simulations, for the rules that ask whether a difference is more than chance.
//!
//! Kept apart from the models' columns: a prior's pseudo-visits and visits under way are no samples. A sample that stands
//! for several visits counts as that many equal ones.

use crate::cx::{Cx, Visit};
use crate::tree::layout::{CountColumn, FINE, Layout, SumColumn};
use crate::tree::{ChildIdx, Node};
use std::sync::atomic::Ordering::Relaxed;

/// The columns: number, sum and sum of squares of the rewards, as the mover sees them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    n: CountColumn,
    sum: SumColumn,
    squares: SumColumn,
}

/// Sums over some simulations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct MomentSums {
    /// How many there are.
    pub(crate) n: f32,
    /// Σ z.
    pub(crate) sum: f32,
    /// Σ z².
    pub(crate) squares: f32,
}

impl Moments {
    /// Claims the columns.
    pub(crate) fn claim(layout: &mut Layout) -> Moments {
        Moments { n: layout.count(), sum: layout.sum(FINE), squares: layout.sum(FINE) }
    }

    /// Adds a simulation to the arm it took.
    pub(crate) fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let (child, z, weight) = (visit.chosen, visit.reward, visit.weight as f32);
        cx.node.counts(self.n)[child.idx()].fetch_add(visit.weight, Relaxed);
        cx.node.add_sum(self.sum, child, z * weight);
        cx.node.add_sum(self.squares, child, z * z * weight);
    }

    /// How often an arm was sampled.
    pub(crate) fn n(&self, node: Node<'_>, child: ChildIdx) -> u32 {
        node.counts(self.n)[child.idx()].load(Relaxed)
    }

    /// The sums of an arm.
    pub(crate) fn sums(&self, node: Node<'_>, child: ChildIdx) -> MomentSums {
        MomentSums {
            n: self.n(node, child) as f32,
            sum: node.sum(self.sum, child),
            squares: node.sum(self.squares, child),
        }
    }
}

impl MomentSums {
    /// The mean; 0 of none.
    pub(crate) fn mean(self) -> f32 {
        self.sum / self.n.max(1.0)
    }

    /// The mean square of the deviations from the mean; 0 of none.
    pub(crate) fn variance(self) -> f32 {
        // It may come out below 0 by rounding where all samples are alike.
        ((self.squares - self.sum * self.mean()) / self.n.max(1.0)).max(0.0)
    }

    /// The standard error of the mean: √(s²/n) with s² = (Σz² − n·mean²)/(n − 1); infinite below two samples.
    pub(crate) fn standard_error(self) -> f32 {
        if self.n < 2.0 {
            return f32::INFINITY;
        }
        // Σz² − Σz·mean may come out below 0 by rounding where all samples are alike.
        let spread = (self.squares - self.sum * self.mean()).max(0.0);
        (spread / (self.n - 1.0) / self.n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        let sums = |n, sum, squares| MomentSums { n, sum, squares };
        // 0, 0, 1, 1, 1: mean 3/5, s² = (3 − 5·0.36)/4 = 0.3, error √(0.3/5) = 0.244949.
        let five = sums(5.0, 3.0, 3.0);
        assert_eq!(five.mean(), 0.6);
        assert!((five.variance() - 0.24).abs() < 1e-6 && MomentSums::default().variance() == 0.0);
        assert!((five.standard_error() - 0.244_949).abs() < 1e-6);
        // −10, 0, 40 points: mean 10, s² = (1700 − 300)/2 = 700, error √(700/3) = 15.275252.
        let points = sums(3.0, 30.0, 1700.0);
        assert_eq!(points.mean(), 10.0);
        assert!((points.standard_error() - 15.275_252).abs() < 1e-5);
        // Always the same: no spread, in wins as in points, and not below 0 by rounding.
        for same in
            [sums(10.0, 0.0, 0.0), sums(1e7, 1e7, 1e7), sums(3.0, 0.3, 0.03), sums(2.0, -722.0, 260_642.0)]
        {
            assert!((0.0..1e-3).contains(&same.standard_error()), "{same:?}");
        }
        // Ten million fair games: √(¼/10⁷) = 0.000158.
        assert!((sums(1e7, 5e6, 5e6).standard_error() - 0.000_158_1).abs() < 1e-7);
        // Too few to tell.
        assert_eq!(
            (MomentSums::default().mean(), MomentSums::default().standard_error()),
            (0.0, f32::INFINITY)
        );
        assert_eq!(sums(1.0, 1.0, 1.0).standard_error(), f32::INFINITY);
    }
}
