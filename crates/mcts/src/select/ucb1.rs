//! UCB1: Q* + c·√(2 ln N / n). [Auer et al. 2002; You 2013, 3.4 and 3.10: c = 0.1 in GoYui]
//!
//! The same bound as `uct` with a constant √2 times as large; it is kept apart so that published constants can be written
//! as they were published. N = Σ n over the arms. Values are seen by the mover. An arm with n = 0 scores its first-play
//! urgency, without a bound.

use super::Selector;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::ln;

recipe::params! {
    /// Value plus c·√(2 ln N / n).
    pub struct Ucb1 as "ucb1" {
        c: f32 = 0.1, 0.0..=1000.0, "exploration constant, in units of the reward";
    }
}

/// Builds the selector.
pub fn build(params: &Ucb1, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Selector for Ucb1 {
    fn draws_untried(&self) -> bool {
        true
    }

    fn score(&self, cx: &Cx<'_>, _models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        score(self.c, cx.arms.begun_total(), cx.arms.begun(), &mixed.value, out);
    }
}

#[inline]
fn score(c: f32, total: f32, n: &[f32], values: &[f32], out: &mut [f32]) {
    let twice_ln_total = 2.0 * ln(total.max(1.0));
    for ((out, &n), &value) in out.iter_mut().zip(n).zip(values) {
        let bound = c * (twice_ln_total / n.max(1.0)).sqrt();
        *out = value + if n > 0.0 { bound } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::tests::assert_close;

    #[track_caller]
    fn check(c: f32, n: &[f32], values: &[f32], expected: &[f32]) {
        let mut out = vec![0.0; n.len()];
        score(c, n.iter().sum(), n, values, &mut out);
        assert_close(&out, expected);
    }

    #[test]
    fn worked_by_hand() {
        // N = 10: 2 ln 10 = 4.605170; √(4.605170/4) = 1.072983, √(4.605170/6) = 0.876087.
        check(0.1, &[4.0, 6.0], &[0.5, 0.25], &[0.5 + 0.107_298, 0.25 + 0.087_609]);
        // N = 8, n = 1 and 7: 2 ln 8 = 4.158883; √4.158883 = 2.039334, √(4.158883/7) = 0.770796.
        check(1.0, &[1.0, 7.0], &[0.0, 1.0], &[2.039_334, 1.770_796]);
    }

    #[test]
    fn extremes() {
        // One visit in all: ln 1 = 0, and the unvisited arm keeps its urgency.
        check(0.1, &[1.0, 0.0], &[1.0, 1e30], &[1.0, 1e30]);
        // Nothing visited at all.
        check(10.0, &[0.0, 0.0], &[0.5, 0.5], &[0.5, 0.5]);
        // N = 10⁷ + 1, one arm with a single visit: 2·16.118096 = 32.236192, √ = 5.677692; √(32.236192/10⁷) = 0.001795.
        check(1.0, &[1e7, 1.0], &[0.0, 1.0], &[0.001_795, 6.677_692]);
        check(0.0, &[1e7, 1.0], &[0.0, 1.0], &[0.0, 1.0]);
    }
}
