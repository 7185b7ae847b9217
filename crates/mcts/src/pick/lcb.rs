//! The best lower confidence bound: Q* − z·√(s²/n), the largest wins, among the arms with at least `share` of the most visits. [Leela
//! Zero 0.17, with Student's t in place of z and a share of 0.1; KataGo, z = 5 and a share of 0.15]
//!
//! Q* is the mixed value, n the real visits, s² the variance of the rewards of the arm's own simulations. A few results that happen to
//! be alike have no variance: one more result of the usual variance, the mean over all arms by visits, is added to those of each arm,
//! s² = s₀² + s̄²/n. The most visited arm always takes part. With z = 0 it is `best-value` among arms with enough visits.

use super::Pick;
use super::most_visits::most_visited;
use crate::game::Action;
use crate::report::{Arm, Report};
use goban::Rng;

recipe::params! {
    /// The arm whose value is best when z standard errors are taken off; of equal ones the more visited.
    pub struct Lcb as "lcb" {
        z: f32 = 5.0, 0.0..=100.0, "standard errors that are taken off the value";
        share: f32 = 0.15, 0.0..=1.0, "visits that an arm must have, as a share of those of the most visited";
    }
}

/// Builds the pick.
pub fn build(params: &Lcb) -> Result<Box<dyn Pick>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Pick for Lcb {
    fn reads_variance(&self) -> bool {
        true
    }

    fn pick(&self, report: &Report, _rng: &mut Rng) -> Option<Action> {
        let mut best = most_visited(&report.arms)?;
        let least = self.share * best.visits as f32;
        let usual = usual_variance(&report.arms);
        for arm in report.arms.iter().filter(|arm| arm.visits > 0 && arm.visits as f32 >= least) {
            let (this, that) = (self.bound(arm, usual), self.bound(best, usual));
            if this > that || (this == that && arm.visits > best.visits) {
                best = arm;
            }
        }
        Some(best.action)
    }
}

impl Lcb {
    /// The lower bound of an arm that has visits; `usual` is the variance of one result.
    fn bound(&self, arm: &Arm, usual: f32) -> f32 {
        let n = arm.visits.max(1) as f32;
        let variance = arm.variance.unwrap_or(0.0) + usual / n;
        arm.value - self.z * (variance / n).sqrt()
    }
}

/// The mean of the arms' variances, weighted by visits; 0 if there are none.
fn usual_variance(arms: &[Arm]) -> f32 {
    let visits: f32 = arms.iter().map(|arm| arm.visits as f32).sum();
    let sum: f32 = arms.iter().map(|arm| arm.visits as f32 * arm.variance.unwrap_or(0.0)).sum();
    if visits > 0.0 { sum / visits } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::tests::report;

    /// Fails unless the arm at this place is picked from arms with visits, value and variance.
    #[track_caller]
    fn check(pick: &Lcb, arms: &[(u32, f32, f32)], expected: Option<u16>) {
        let mut report = report(&arms.iter().map(|arm| (arm.0, arm.1)).collect::<Vec<_>>());
        for (arm, drawn) in report.arms.iter_mut().zip(arms) {
            arm.variance = Some(drawn.2);
        }
        assert_eq!(pick.pick(&report, &mut Rng::new(1)), expected.map(Action), "{arms:?}");
    }

    #[test]
    fn worked_by_hand() {
        // The usual variance is (100·0.25 + 25·0.16)/125 = 0.232. Arm 0: 0.5 − 2·√((0.25 + 0.00232)/100) = 0.3995; arm 1:
        // 0.6 − 2·√((0.16 + 0.00928)/25) = 0.4354.
        check(&Lcb { z: 2.0, share: 0.15 }, &[(100, 0.5, 0.25), (25, 0.6, 0.16)], Some(1));
        // With z = 5: 0.5 − 0.2511 = 0.2489 against 0.6 − 0.4114 = 0.1886. With too few visits arm 1 does not take part.
        check(&Lcb::default(), &[(100, 0.5, 0.25), (25, 0.6, 0.16)], Some(0));
        check(&Lcb { z: 2.0, share: 0.26 }, &[(100, 0.5, 0.25), (25, 0.6, 0.16)], Some(0));
        // Four wins out of four have no variance of their own, and the usual one is 100·0.24/104 = 0.2308: 1 − 5·√(0.2308/16) = 0.3995
        // against 0.6 − 5·√(0.2423/100) = 0.3539; with z = 6 0.2794 against 0.3047.
        check(&Lcb { z: 5.0, share: 0.0 }, &[(100, 0.6, 0.24), (4, 1.0, 0.0)], Some(1));
        check(&Lcb { z: 6.0, share: 0.0 }, &[(100, 0.6, 0.24), (4, 1.0, 0.0)], Some(0));
        // Points: the usual variance is 100; −5 − 2·√(101/100) = −7.0 against 3 − 2·√(102/50) = 0.14.
        check(&Lcb { z: 2.0, share: 0.15 }, &[(100, -5.0, 100.0), (50, 3.0, 100.0)], Some(1));
    }

    #[test]
    fn extremes() {
        let any = Lcb { z: 0.0, share: 0.0 };
        check(&any, &[(50, 0.4, 0.2), (1, 0.6, 0.0), (0, 0.9, 0.0)], Some(1));
        check(&any, &[(3, 0.5, 0.2), (4, 0.5, 0.2)], Some(1));
        check(&Lcb::default(), &[(0, 0.5, 0.0), (0, 0.5, 0.0)], Some(0));
        check(&Lcb::default(), &[(10_000_000, 1.0, 0.0), (9_000_000, 1.0, 0.0)], Some(0));
        check(&Lcb::default(), &[], None);
    }
}
