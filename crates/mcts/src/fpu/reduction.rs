//! The value of the node less a reduction that grows with what was tried: V(s) − r·√(Σ P(a) over the arms begun). [KataGo; first
//! in Leela Zero]
//!
//! V(s) is the mean over the finished visits of the arms, each at its mixed value; before the first it is neutral, and the first
//! visit follows P(a) alone. A network's policy is mostly right: the more of it was tried, the less an arm that was left
//! is thought of.

use super::Fpu;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::tree::layout::CountColumn;

recipe::params! {
    /// The node's own value less a reduction by the probability already tried.
    pub struct Reduction as "reduction" {
        r: f32 = 0.1, 0.0..=1000.0, "reduction once all of P(a) was tried, in units of the reward";
    }
}

/// The urgency with the column of P(a).
struct ReducedValue {
    r: f32,
    p: CountColumn,
}

/// Builds the urgency.
pub fn build(params: &Reduction, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Fpu>, recipe::Error> {
    Ok(Box::new(ReducedValue { r: params.r, p: blueprint.need_p(VARIANT.name)? }))
}

impl Fpu for ReducedValue {
    fn needs_bound(&self) -> bool {
        true
    }

    fn fill(&self, cx: &Cx<'_>, _models: &[Estimates], out: &mut Mixed) {
        let p = |idx: usize| cx.node.float(self.p, idx);
        let urgency = urgency(self.r, cx.reward.neutral(), (&cx.arms.n, cx.arms.begun()), &out.value, p);
        for (value, &begun) in out.value.iter_mut().zip(cx.arms.begun()) {
            *value = if begun > 0.0 { *value } else { urgency };
        }
    }
}

/// The value of arms that were never begun, from finished and begun visits, values, and P(a) by arm.
fn urgency(
    r: f32,
    neutral: f32,
    (n, begun): (&[f32], &[f32]),
    values: &[f32],
    p: impl Fn(usize) -> f32,
) -> f32 {
    let (mut visits, mut sum, mut tried) = (0.0, 0.0, 0.0f32);
    for (idx, ((&n, &begun), &value)) in n.iter().zip(begun).zip(values).enumerate() {
        if n > 0.0 {
            visits += n;
            sum += n * value;
        }
        if begun > 0.0 {
            tried += p(idx);
        }
    }
    let node = if visits > 0.0 { sum / visits } else { neutral };
    node - r * tried.min(1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        let p = [0.36, 0.4, 0.24];
        let urgency =
            |n: &[f32], begun: &[f32]| urgency(0.5, 0.5, (n, begun), &[0.75, 0.25, 9.0], |idx| p[idx]);
        // Nothing tried: neutral. The first arm once: 0.75 − 0.5·0.6. The first thrice, the second once: (3·0.75 + 0.25)/4 = 0.625,
        // less 0.5·√0.76.
        assert_eq!(urgency(&[0.0; 3], &[0.0; 3]), 0.5);
        assert!((urgency(&[1.0, 0.0, 0.0], &[1.0, 0.0, 0.0]) - 0.45).abs() < 1e-6);
        assert!((urgency(&[3.0, 1.0, 0.0], &[3.0, 1.0, 0.0]) - (0.625 - 0.5 * 0.76f32.sqrt())).abs() < 1e-6);
        // A visit under way counts as tried, and not in the mean.
        assert!((urgency(&[1.0, 0.0, 0.0], &[1.0, 1.0, 0.0]) - (0.75 - 0.5 * 0.76f32.sqrt())).abs() < 1e-6);
    }
}
