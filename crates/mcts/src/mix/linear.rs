//! A straight line: the weight of Monte-Carlo is α = min(1, n/N₀), n the arm's own visits, a prior's pseudo-visits included;
//! β = 1 − α. (Hsu 2018: his N_P counts the visits of the position that is scored, which is the arm's)
//!
//! An arm with ñ = 0 has β = 0.

use super::Mixer;
use super::pair::{Pair, PairArm};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::at_most;

recipe::params! {
    /// The Monte-Carlo mean's weight grows with the arm's visits in a straight line.
    pub struct LinearMix as "linear" {
        n: f32 = 10_000.0, 1.0..=1e9, "N₀: visits of an arm from which on only the Monte-Carlo mean counts";
    }
}

/// The mixer with its models.
#[derive(Debug)]
struct LinearMixer {
    n: f32,
    pair: Pair,
}

/// Builds the mixer.
pub fn build(params: &LinearMix, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    Ok(Box::new(LinearMixer { n: params.n, pair: Pair::find(blueprint, VARIANT.name)? }))
}

impl Mixer for LinearMixer {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        self.pair.mix(models, out, |PairArm { n, .. }| 1.0 - at_most(n / self.n, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use crate::mix::tests::check_at;

    #[test]
    fn worked_by_hand() {
        // n/10 000 of 0, 2500, 10 000 and 10⁷ visits of the arm is 0, ¼, 1 and more than 1; those of the node do not matter.
        check_at(1e6, "linear", (0.0, 0.5), (8.0, 0.75), 1.0);
        check_at(1e6, "linear", (2500.0, 0.25), (8.0, 0.75), 0.75);
        check_at(10_000.0, "linear", (10_000.0, 1.0), (8.0, 0.0), 0.0);
        check_at(1e7, "linear", (1e7, 1.0), (1e7, 0.0), 0.0);
        check_at(99.0, "linear:n=40", (30.0, 0.0), (8.0, 1.0), 0.25);
        // RAVE knows nothing of a pass.
        check_at(2500.0, "linear", (2500.0, 0.25), (0.0, 0.5), 0.0);
    }
}
