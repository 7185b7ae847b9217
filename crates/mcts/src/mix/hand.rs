//! A schedule set by hand: β = √(k / (3N + k)), N = Σ n over the node's arms, a prior's pseudo-visits included.
//! [Gelly & Silver 2007, §6; Gelly & Silver 2011; You 3.7]
//!
//! All arms of a node share one β: 1 at N = 0, ½ at N = k, then falling like 1/√N. An arm with ñ = 0 has β = 0.

use super::Mixer;
use super::pair::Pair;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// β = √(k / (3N + k)) for all arms of a node.
    pub struct Hand as "hand" {
        k: f32 = 1500.0, 0.0..=1e9, "visits of the node at which both models weigh the same";
    }
}

/// The mixer with its models.
#[derive(Debug)]
struct HandMixer {
    k: f32,
    pair: Pair,
}

/// Builds the mixer.
pub fn build(params: &Hand, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    Ok(Box::new(HandMixer { k: params.k, pair: Pair::find(blueprint, VARIANT.name)? }))
}

impl Mixer for HandMixer {
    fn mix(&self, cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        let beta = beta(self.k, cx.arms.total);
        self.pair.mix(models, out, |_| beta);
    }
}

/// β at a node with `total` visits; 0 if k is 0.
fn beta(k: f32, total: f32) -> f32 {
    if k > 0.0 { (k / (3.0 * total + k)).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::tests::check_at;

    #[test]
    fn half_at_k() {
        for k in [0.5, 1.0, 7.0, 1000.0, 1500.0, 1e7] {
            assert_eq!(beta(k, k), 0.5, "k = {k}");
            assert_eq!(beta(k, 0.0), 1.0, "k = {k}");
        }
        assert_eq!([beta(0.0, 0.0), beta(0.0, 5.0)], [0.0, 0.0]);
    }

    #[test]
    fn worked_by_hand() {
        // k = 1500: N = 500 gives √(1500/3000) = 0.707107; N = 3000 gives √(1500/10500) = 0.377964;
        // N = 10⁷ gives √(1500/30001500) = 0.0070709.
        check_at(500.0, "hand", (3.0, 0.25), (8.0, 0.75), std::f32::consts::FRAC_1_SQRT_2);
        check_at(3000.0, "hand", (0.0, 0.5), (8.0, 1.0), 0.377_964_5);
        check_at(1e7, "hand", (1e7, 1.0), (1e7, 0.0), 0.007_070_9);
        check_at(500.0, "hand:k=500", (3.0, 0.0), (8.0, 1.0), 0.5);
        // RAVE knows nothing of a pass.
        check_at(500.0, "hand", (3.0, 0.25), (0.0, 0.5), 0.0);
    }
}
