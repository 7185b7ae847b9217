//! A balance of visits and value: weight·n/n_max + (1 − weight)·(Q − Q_min) / max(1, Q_max − Q_min), the largest wins.
//! [Ikeda & Viennot 2013, 6.2: a balance of win rate and visits, with more weight on visits when a static bias drives
//! the search; they give no formula, this one is ours]
//!
//! n are real visits, Q the mixed value; Q_min and Q_max are taken over the arms that were visited, and the others are
//! picked only if none was. Win rates never differ by more than 1, so they enter as they are; points are brought to the
//! same scale. With weight 0.7, a tenth of the most visits less is made good by a win rate 0.233 higher:
//! 0.7·0.1 = 0.3·0.233. weight=1 is most-visits, weight=0 best-value.

use super::Pick;
use super::most_visits::most_visited;
use crate::game::Action;
use crate::report::{Arm, Report};
use goban::Rng;

recipe::params! {
    /// The arm with the best balance of visits and value; of equal ones the more visited, then the earlier.
    pub struct Balanced as "balanced" {
        weight: f32 = 0.7, 0.0..=1.0, "the part of the visits in the balance; the rest is the value's";
    }
}

/// Builds the pick.
pub fn build(params: &Balanced) -> Result<Box<dyn Pick>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Pick for Balanced {
    fn pick(&self, report: &Report, _rng: &mut Rng) -> Option<Action> {
        let mut best = most_visited(&report.arms)?;
        let visited = || report.arms.iter().filter(|arm| arm.visits > 0);
        let n_max = best.visits.max(1) as f32;
        let (mut min, mut max) = (best.value, best.value);
        for arm in visited() {
            (min, max) = (min.min(arm.value), max.max(arm.value));
        }
        let spread = (max - min).max(1.0);
        let balance = |arm: &Arm| {
            self.weight * (arm.visits as f32 / n_max) + (1.0 - self.weight) * ((arm.value - min) / spread)
        };
        for arm in visited() {
            let (this, that) = (balance(arm), balance(best));
            if this > that || (this == that && arm.visits > best.visits) {
                best = arm;
            }
        }
        Some(best.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::tests::check;

    #[test]
    fn worked_by_hand() {
        // Q_min = 0.2, spread counts as 1. Arm 0: 0.7·1 + 0.3·0.3 = 0.79; arm 1: 0.7·0.9 + 0.3·0.5 = 0.78;
        // arm 2: 0.7·0.01 + 0 = 0.007.
        let arms = [(100, 0.5), (90, 0.7), (1, 0.2)];
        check(&Balanced::default(), &arms, Some(0));
        // Arm 1 at 0.75: 0.63 + 0.165 = 0.795.
        check(&Balanced::default(), &[(100, 0.5), (90, 0.75), (1, 0.2)], Some(1));
        // With less weight on visits arm 1 is best: 0.5·1 + 0.5·0.3 = 0.65 against 0.5·0.9 + 0.5·0.5 = 0.70.
        check(&Balanced { weight: 0.5 }, &arms, Some(1));
        // Points: spread 40. Arm 0: 0.7 + 0.3·20/40 = 0.85; arm 1: 0.7·0.8 + 0.3·40/40 = 0.86.
        check(&Balanced::default(), &[(100, -10.0), (80, 10.0), (1, -30.0)], Some(1));
    }

    #[test]
    fn extremes() {
        // The ends of the scale are most-visits and best-value; an arm without visits is not picked.
        let arms = [(10_000_000, 0.0), (1, 1.0), (0, 2.0)];
        check(&Balanced { weight: 1.0 }, &arms, Some(0));
        check(&Balanced { weight: 0.0 }, &arms, Some(1));
        check(&Balanced::default(), &arms, Some(0));
        // Equal balances: the more visited. Nothing visited: the first.
        check(&Balanced { weight: 0.0 }, &[(3, 0.5), (4, 0.5)], Some(1));
        check(&Balanced::default(), &[(0, 0.5), (0, 0.5)], Some(0));
        check(&Balanced::default(), &[], None);
    }
}
