//! A straight line: the weight of Monte-Carlo is α = min(1, N/n), N = Σ n over the node's arms, a prior's pseudo-visits
//! included; β = 1 − α. (Hsu 2018)
//!
//! All arms of a node share one β. An arm with ñ = 0 has β = 0.

use super::Mixer;
use super::pair::Pair;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::at_most;

recipe::params! {
    /// The Monte-Carlo mean's weight grows with the node's visits in a straight line.
    pub struct Linear as "linear" {
        n: f32 = 10_000.0, 1.0..=1e9, "visits of the node from which on only the Monte-Carlo mean counts";
    }
}

/// The mixer with its models.
#[derive(Debug)]
struct Line {
    n: f32,
    pair: Pair,
}

/// Builds the mixer.
pub fn build(params: &Linear, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    Ok(Box::new(Line { n: params.n, pair: Pair::find(blueprint, VARIANT.name)? }))
}

impl Mixer for Line {
    fn mix(&self, cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        let beta = 1.0 - at_most(cx.arms.total / self.n, 1.0);
        self.pair.mix(models, out, |_| beta);
    }
}

#[cfg(test)]
mod tests {
    use crate::mix::tests::check_at;

    #[test]
    fn worked_by_hand() {
        // N/10 000 of 0, 2500, 10 000 and 10⁷ visits is 0, ¼, 1 and more than 1.
        check_at(0.0, "linear", (0.0, 0.5), (8.0, 0.75), 1.0);
        check_at(2500.0, "linear", (3.0, 0.25), (8.0, 0.75), 0.75);
        check_at(10_000.0, "linear", (3.0, 1.0), (8.0, 0.0), 0.0);
        check_at(1e7, "linear", (1e7, 1.0), (1e7, 0.0), 0.0);
        check_at(30.0, "linear:n=40", (3.0, 0.0), (8.0, 1.0), 0.25);
        // RAVE knows nothing of a pass.
        check_at(2500.0, "linear", (3.0, 0.25), (0.0, 0.5), 0.0);
    }
}
