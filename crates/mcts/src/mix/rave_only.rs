//! Q* = Q̃: only the second model counts, β = 1. [You 3.5]
//!
//! An arm of which that model knows nothing (ñ = 0, as a pass under `rave`) has its Monte-Carlo mean. Since Q̃ does not
//! converge to an arm's true value, neither does the search.

use super::Mixer;
use super::pair::Pair;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// The value is the second model's alone; the Monte-Carlo mean only where that knows nothing.
    pub struct RaveOnly as "rave-only" {}
}

/// The mixer with its models.
#[derive(Debug)]
struct SecondOnly {
    pair: Pair,
}

/// Builds the mixer.
pub fn build(_params: &RaveOnly, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    Ok(Box::new(SecondOnly { pair: Pair::find(blueprint, VARIANT.name)? }))
}

impl Mixer for SecondOnly {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        self.pair.mix(models, out, |_| 1.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::mix::tests::check;

    #[test]
    fn worked_by_hand() {
        // (n, Q), (ñ, Q̃) → β; the pass that RAVE never sees stays with its mean.
        check("rave-only", (3.0, 0.25), (8.0, 0.75), 1.0);
        check("rave-only", (3.0, 0.25), (0.0, 0.5), 0.0);
        check("rave-only", (0.0, 0.5), (2.0, 1.0), 1.0);
        check("rave-only", (1e7, 1.0), (1e7, 0.0), 1.0);
    }
}
