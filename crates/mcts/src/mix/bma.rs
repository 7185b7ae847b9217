//! Bayesian model averaging with two models: β = P(second | D), the probability of the second model given the arm's own
//! simulations D, w wins out of n. [You 5.15; its 5.13 swaps the two weights]
//!
//! β = 1 / (1 + (P(MC)/P(RAVE)) · (Q/Q̃)^w · ((1−Q)/(1−Q̃))^(n−w)). The logarithm of the two powers is n·KL(Q‖Q̃), the
//! Kullback–Leibler divergence, which is never negative: the arm's own mean explains its own simulations best, so with
//! equal priors β ≤ ½, and where the models disagree β → 0 as n grows. Win rates are kept 2⁻²⁰ from 0 and 1, and
//! n·KL counts as 60 if it is more, so nothing overflows. At n = 0 the priors decide; an arm with ñ = 0 has β = 0.

use super::Mixer;
use super::pair::{Pair, PairArm};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::{at_most, exp, kl};

recipe::params! {
    /// Each of two models weighs as much as it is probable given the arm's simulations.
    pub struct Bma as "bma" {
        prior: f32 = 100.0, 1e-6..=1e6, "P(second model) / P(mc) before any simulation";
    }
}

/// The largest n·KL: e⁶⁰ is 10²⁶, from where on a model is out of the question.
pub(super) const MAX_LOG_RATIO: f32 = 60.0;

/// The mixer with its models.
#[derive(Debug)]
struct BmaMixer {
    /// P(MC) / P(second).
    mc_odds: f32,
    pair: Pair,
}

/// Builds the mixer.
pub fn build(params: &Bma, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    blueprint.need_win(VARIANT.name)?;
    Ok(Box::new(BmaMixer { mc_odds: 1.0 / params.prior, pair: Pair::find(blueprint, VARIANT.name)? }))
}

impl Mixer for BmaMixer {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        self.pair.mix(models, out, |PairArm { n, q, q_second, .. }| {
            1.0 / (1.0 + self.mc_odds * exp(at_most(n * kl(q, q_second), MAX_LOG_RATIO)))
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::mix::tests::check;

    #[test]
    fn worked_by_hand() {
        // w = 3, n = 4, Q = ¾, Q̃ = ¼: (¾/¼)³·(¼/¾)¹ = 9. Equal priors: 1/(1 + 9); prior 100: 1/(1 + 0.09).
        check("bma:prior=1", (4.0, 0.75), (9.0, 0.25), 0.1);
        check("bma", (4.0, 0.75), (9.0, 0.25), 0.917_431_2);
        // All of four lost, Q̃ = ½: 2⁴ = 16, with the margin of 2⁻²⁰ 15.99909; prior 100: 1/(1 + 0.1599909).
        check("bma", (4.0, 0.0), (9.0, 0.5), 0.862_075_7);
        check("bma", (4.0, 1.0), (9.0, 0.5), 0.862_075_7);
        // n = 0, or agreement: the priors decide.
        check("bma", (0.0, 0.5), (9.0, 1.0), 0.990_099);
        check("bma:prior=1", (1e7, 0.3), (9.0, 0.3), 0.5);
        // One sample that the second model calls impossible: the margin makes the ratio 1 048 547, 1/(1 + 10 485.47).
        check("bma", (1.0, 1.0), (1e7, 0.0), 9.536_095e-5);
        // n = 10⁷, Q = ½, Q̃ = ½ + 2⁻¹⁰: KL = −½·ln(1 − 2⁻¹⁸), n·KL = 19.073523, prior 10⁶: 1/(1 + 192.0992).
        check("bma:prior=1e6", (1e7, 0.5), (1e7, 0.500_976_56), 0.005_178_684);
        // Far apart: e⁶⁰ is as far as it goes.
        check("bma:prior=1e6", (1e7, 1.0), (1e7, 0.0), 0.0);
        check("bma", (4.0, 0.25), (0.0, 0.5), 0.0);
        check("bma", (0.0, 0.5), (0.0, 0.5), 0.0);
    }
}
