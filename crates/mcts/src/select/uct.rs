//! UCT: Q* + c·√(ln N / n). [Kocsis & Szepesvári 2006; Gelly & Silver 2011; Ikeda & Viennot 2013, eq. 1]
//!
//! N = Σ n over the arms. Values are seen by the mover, so the bound is added at every node. An arm with n = 0 scores its
//! first-play urgency, without a bound.

use super::Selector;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::ln;

recipe::params! {
    /// Value plus c·√(ln N / n).
    pub struct Uct as "uct" {
        c: f32 = 0.9, 0.0..=1000.0, "exploration constant, in units of the reward";
    }
}

/// Builds the selector.
pub fn build(params: &Uct, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Selector for Uct {
    fn draws_untried(&self) -> bool {
        true
    }

    fn score(&self, cx: &Cx<'_>, _models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        score(self.c, cx.arms.begun_total(), cx.arms.begun(), &mixed.value, out);
    }
}

#[inline]
fn score(c: f32, total: f32, n: &[f32], values: &[f32], out: &mut [f32]) {
    if c == 0.0 {
        // Every bound is 0, and so nothing need be worked out.
        out.iter_mut().zip(values).for_each(|(out, value)| *out = value + 0.0);
        return;
    }
    let ln_total = ln(total.max(1.0));
    for ((out, &n), &value) in out.iter_mut().zip(n).zip(values) {
        let bound = c * (ln_total / n.max(1.0)).sqrt();
        *out = value + if n > 0.0 { bound } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(c: f32, n: &[f32], values: &[f32], expected: &[f32]) {
        let mut out = vec![0.0; n.len()];
        score(c, n.iter().sum(), n, values, &mut out);
        for (got, right) in out.iter().zip(expected) {
            assert!((got - right).abs() <= 2e-6 * right.abs().max(1.0), "{out:?} instead of {expected:?}");
        }
    }

    #[test]
    fn worked_by_hand() {
        // N = 10: ln 10 = 2.302585; √(2.302585/4) = 0.758714, √(2.302585/6) = 0.619487.
        check(0.9, &[4.0, 6.0], &[0.5, 0.25], &[0.5 + 0.682_843, 0.25 + 0.557_538]);
        // One visit in all: ln 1 = 0, and the unvisited arm keeps its urgency.
        check(0.9, &[1.0, 0.0], &[1.0, 1e30], &[1.0, 1e30]);
        // Nothing visited at all.
        check(0.9, &[0.0, 0.0], &[0.5, 0.5], &[0.5, 0.5]);
        // N = 10⁷ + 1, one arm with a single visit: √16.118096 = 4.014735.
        check(1.0, &[1e7, 1.0], &[0.0, 1.0], &[0.001_270, 5.014_735]);
        check(0.0, &[1e7, 1.0], &[0.0, 1.0], &[0.0, 1.0]);
    }
}
