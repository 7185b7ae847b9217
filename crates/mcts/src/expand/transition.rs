//! A child grows when the visits it may expect among its siblings are many enough. [The idea: Yajima et al. 2011, as told
//! by Hsu 2018, who give no formula; this one is our own]
//!
//! From the arms' own simulations (no prior): n_i, Σz, Σz². The parent's value v and variance s² are those of all its
//! simulations together. Every arm gets one sample more, drawn from the parent, so that untried arms are defined:
//!
//! - m_i = (Σz + v) / (n_i + 1), its mean;
//! - e_i² = [(Σz² + s² + v²) / (n_i + 1) − m_i²] / (n_i + 1), the squared error of that mean;
//! - w_i = 1 / (1 + (m* − m_i)² / (e*² + e_i²)), where * is the arm of the highest m;
//! - p̂ = w / Σ w, the share of the visits that the arm may expect.
//!
//! Where the gap to the best arm is within the errors w is near 1; where it is much larger w falls as (error / gap)², the
//! ratio in which visits are best spread over arms that are to be told from the best (Chen et al. 2000). The child grows
//! when p̂·N ≥ n, N being the parent's simulations and the one under way, or at its `max`-th visit. Of equal arms each
//! grows when it would be visited for the n-th time; good ones grow sooner, poor ones wait.

use super::Expander;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};
use crate::moments::{MomentSums, Moments};
use crate::tree::ChildIdx;

recipe::params! {
    /// When the visits a child may expect among its siblings, from means and variances, are n.
    pub struct Transition as "transition" {
        n: f32 = 6.0, 0.0..=1e9, "expected visits at which a child becomes a node";
        max: u32 = 50, 1..=1_000_000_000, "the visit at which it does so in any case";
    }
}

/// The expander with its columns.
struct TransitionExpander {
    params: Transition,
    moments: Moments,
}

/// Builds the expander.
pub fn build(params: &Transition, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Expander>, recipe::Error> {
    Ok(Box::new(TransitionExpander {
        params: params.clone(),
        moments: Moments::claim(&mut blueprint.layout),
    }))
}

impl Expander for TransitionExpander {
    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        self.moments.observe(cx, visit);
    }

    fn ripe(&self, cx: &Cx<'_>, child: ChildIdx) -> bool {
        if cx.node.begun(child) >= self.params.max {
            return true;
        }
        let (n_arms, neutral) = (cx.node.n_children(), cx.reward.neutral());
        let arms = || (0..n_arms).map(|idx| self.moments.sums(cx.node, ChildIdx(idx as u16)));
        expected_visits(arms, child.idx(), neutral) >= self.params.n
    }
}

/// An arm with the sample it got from its parent: m and e².
#[derive(Debug, Clone, Copy)]
struct ArmBelief {
    mean: f32,
    error_sq: f32,
}

/// p̂·N of an arm. The arms are read three times instead of being written down.
fn expected_visits<I: Iterator<Item = MomentSums>>(
    arms: impl Fn() -> I,
    child_idx: usize,
    neutral: f32,
) -> f32 {
    let mut all = MomentSums::default();
    for arm in arms() {
        all = MomentSums { n: all.n + arm.n, sum: all.sum + arm.sum, squares: all.squares + arm.squares };
    }
    let value = if all.n > 0.0 { all.mean() } else { neutral };
    let variance = if all.n > 0.0 { (all.squares / all.n - value * value).max(0.0) } else { 0.0 };
    let believe = |arm: MomentSums| {
        let n = arm.n + 1.0;
        let mean = (arm.sum + value) / n;
        let error_sq = ((arm.squares + variance + value * value) / n - mean * mean).max(0.0) / n;
        ArmBelief { mean, error_sq }
    };
    let best = arms().map(believe).reduce(|best, arm| if arm.mean > best.mean { arm } else { best });
    let Some(best) = best else { return 0.0 };
    let (mut own, mut sum) = (0.0, 0.0);
    for (idx, arm) in arms().map(believe).enumerate() {
        let gap = best.mean - arm.mean;
        // The hair keeps 0/0 away where all simulations ended alike.
        let weight = 1.0 / (1.0 + gap * gap / (best.error_sq + arm.error_sq + 1e-9));
        own = if idx == child_idx { weight } else { own };
        sum += weight;
    }
    own / sum * (all.n + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arms as (n, Σz, Σz²).
    #[track_caller]
    fn check(arms: &[(f32, f32, f32)], neutral: f32, expected: &[f32]) {
        let sums = || arms.iter().map(|&(n, sum, squares)| MomentSums { n, sum, squares });
        let got: Vec<f32> = (0..arms.len()).map(|idx| expected_visits(sums, idx, neutral)).collect();
        for (got, right) in got.iter().zip(expected) {
            assert!((got - right).abs() <= 1e-4 * right.max(1.0), "{got:?} instead of {right}");
        }
        let n: f32 = arms.iter().map(|arm| arm.0).sum();
        assert!((got.iter().sum::<f32>() - (n + 1.0)).abs() <= 1e-4 * n.max(1.0), "the shares add up to 1");
    }

    #[test]
    fn worked_by_hand() {
        // Two arms, 3 of 3 and 1 of 3 won. v = 4/6, s² = 4/6 − 16/36 = 0.222222, s² + v² = 0.666667.
        // m = 3.666667/4 = 0.916667 and 1.666667/4 = 0.416667, gap ½.
        // e² = (3.666667/4 − 0.840278)/4 = 0.019097 and (1.666667/4 − 0.173611)/4 = 0.060764, together 0.079861.
        // w = 1 and 1/(1 + 0.25/0.079861) = 0.242105; shares 0.805085 and 0.194915 of 7.
        check(&[(3.0, 3.0, 3.0), (3.0, 1.0, 1.0)], 0.5, &[5.635_593, 1.364_407]);
        // The same in points, tenfold: the shares do not depend on the unit.
        check(&[(3.0, 30.0, 300.0), (3.0, 10.0, 100.0)], 0.0, &[5.635_593, 1.364_407]);
        // Equal arms share equally, the one under way included; an untried one stands at the parent's value.
        check(&[(4.0, 2.0, 2.0); 5], 0.5, &[4.2; 5]);
    }

    #[test]
    fn extremes() {
        // Nothing tried yet: one visit, shared by all.
        check(&[(0.0, 0.0, 0.0); 4], 0.5, &[0.25; 4]);
        check(&[(0.0, 0.0, 0.0)], 0.0, &[1.0]);
        // All won, or all lost: nothing tells the arms apart.
        check(&[(5.0, 5.0, 5.0), (5.0, 5.0, 5.0), (0.0, 0.0, 0.0)], 0.5, &[11.0 / 3.0; 3]);
        check(&[(1e7, 0.0, 0.0), (0.0, 0.0, 0.0)], 0.5, &[5e6, 5e6]);
        // Ten million won against as many lost: the lost one expects next to nothing.
        let sums =
            [MomentSums { n: 1e7, sum: 1e7, squares: 1e7 }, MomentSums { n: 1e7, sum: 0.0, squares: 0.0 }];
        let lost = expected_visits(|| sums.into_iter(), 1, 0.5);
        assert!((0.0..1.0).contains(&lost), "{lost}");
        let won = expected_visits(|| sums.into_iter(), 0, 0.5);
        assert!((1.99e7..=2.01e7).contains(&won), "{won}");
        // 361 points either way.
        let far = [
            MomentSums { n: 4.0, sum: 1444.0, squares: 521_284.0 },
            MomentSums { n: 4.0, sum: -1444.0, squares: 521_284.0 },
        ];
        let shares = [0, 1].map(|idx| expected_visits(|| far.into_iter(), idx, 0.0));
        assert!(shares[0] > 7.0 && shares[1] > 0.0 && shares[1] < 2.0, "{shares:?}");
    }
}
