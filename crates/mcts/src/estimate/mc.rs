//! Monte-Carlo: Q = w / n, the mean reward of the simulations through the arm. [You 3.1; Gelly & Silver 2011]
//!
//! The sum w is kept at the parent as its mover sees it. A prior with equivalent experience C and value H starts an arm
//! at n = C, w = C·H.

use super::Estimator;
use crate::blueprint::{Blueprint, SharedColumns};
use crate::cx::{Cx, Estimates, Priors, Visit};
use crate::tree::Node;
use crate::tree::layout::{FINE, Layout, SumColumn};

recipe::params! {
    /// Mean reward of the simulations through the arm.
    pub struct Mc as "mc" {}
}

/// The columns of the model, which others may read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct McColumns {
    /// w, as the mover sees it, with the prior's part C·H.
    pub(crate) sum: SumColumn,
}

impl SharedColumns for McColumns {
    fn claim(layout: &mut Layout) -> McColumns {
        McColumns { sum: layout.sum(FINE) }
    }
}

/// The model with its column.
struct MonteCarlo {
    sum: SumColumn,
}

/// Builds the model.
pub fn build(_params: &Mc, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Estimator>, recipe::Error> {
    let McColumns { sum } = blueprint.shared();
    Ok(Box::new(MonteCarlo { sum }))
}

impl Estimator for MonteCarlo {
    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        cx.node.read_sums(self.sum, &mut out.mean);
        out.weight.copy_from_slice(&cx.arms.n);
        divide(&mut out.mean, &cx.arms.n, cx.reward.neutral());
    }

    fn seed(&self, node: Node<'_>, old: &Priors, new: &Priors) {
        let (old, new) = (old.h.iter().zip(&old.visits), new.h.iter().zip(&new.visits));
        node.add_sums(self.sum, new.zip(old).map(|((h, n), (old_h, old_n))| h * n - old_h * old_n));
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        cx.node.add_sum(self.sum, visit.chosen, visit.reward * visit.weight as f32);
    }
}

/// w / n in place, `neutral` where n is 0.
#[inline]
pub(super) fn divide(sums: &mut [f32], n: &[f32], neutral: f32) {
    for (x, &n) in sums.iter_mut().zip(n) {
        *x = if n > 0.0 { *x / n } else { neutral };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        let mut column = [0.0, 3.0, 7.5e6, 0.0];
        divide(&mut column, &[0.0, 4.0, 1e7, 5.0], 0.5);
        assert_eq!(column, [0.5, 0.75, 0.75, 0.0]);
    }
}
