//! Monte-Carlo: Q = w / n, the mean reward of the simulations through the arm. [You 3.1; Gelly & Silver 2011]
//!
//! The sum w is kept at the parent as its mover sees it. A prior with equivalent experience C and value H starts an arm
//! at n = C, w = C·H.

use super::Estimator;
use crate::cx::{Cx, Estimates, Visit};
use crate::game::Game;
use crate::prior::Priors;
use crate::tree::ChildIdx;
use crate::tree::layout::{FINE, Layout, SumColumn};

recipe::params! {
    /// Mean reward of the simulations through the arm.
    pub struct Mc as "mc" {}
}

/// The model with its column.
#[derive(Debug, Default)]
pub struct MonteCarlo {
    sum: Option<SumColumn>,
}

/// Builds the model.
pub fn build<G: Game>(_params: &Mc) -> Result<Box<dyn Estimator<G>>, recipe::Error> {
    Ok(Box::new(MonteCarlo::default()))
}

impl<G: Game> Estimator<G> for MonteCarlo {
    fn claim(&mut self, layout: &mut Layout) {
        self.sum = Some(layout.sum("mc.sum", FINE));
    }

    fn estimate(&self, cx: &Cx<'_, G>, out: &mut Estimates) {
        let Some(sum) = self.sum else { return };
        cx.node.read_sums(sum, &mut out.mean);
        out.weight.copy_from_slice(&cx.arms.n);
        divide(&mut out.mean, &cx.arms.n, cx.reward.neutral());
    }

    fn seed(&self, cx: &Cx<'_, G>, priors: &Priors) {
        let Some(sum) = self.sum else { return };
        for (child_idx, (h, visits)) in priors.h.iter().zip(&priors.visits).enumerate() {
            cx.node.add_sum(sum, ChildIdx(child_idx as u16), h * visits);
        }
    }

    fn observe(&self, cx: &Cx<'_, G>, visit: &Visit<'_>) {
        let Some(sum) = self.sum else { return };
        cx.node.add_sum(sum, visit.chosen, visit.reward * visit.weight as f32);
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
