//! Bayesian model averaging with Gaussian likelihoods: weights ∝ P(m)·[N(q_m; μ, σ²)]ⁿ, μ and σ² the mean and variance of
//! the arm's own samples. [You 5.7]
//!
//! The samples are wins and losses, so μ = Q and σ² = Q·(1−Q), and the factors before the exponentials cancel:
//! β = 1 / (1 + (P(MC)/P(RAVE)) · exp(n·(Q̃−Q)² / (2σ²))). An arm that always won or always lost would have σ² = 0;
//! therefore σ² is at least (n+1)/(n+2)², the variance at the win rate 1/(n+2) that the rule of succession gives to n
//! losses in a row. As in `bma` the exponent counts as 60 if it is more; at n = 0 the priors decide; an arm with ñ = 0
//! has β = 0.

use super::Mixer;
use super::bma::MAX_LOG_RATIO;
use super::pair::{Pair, PairArm};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::{at_least, at_most, exp};

recipe::params! {
    /// As `bma`, with a normal distribution in place of wins and losses.
    pub struct BmaGauss as "bma-gauss" {
        prior: f32 = 10_000.0, 1e-6..=1e6, "P(second model) / P(mc) before any simulation";
    }
}

/// The mixer with its models.
#[derive(Debug)]
struct BmaGaussMixer {
    /// P(MC) / P(second).
    mc_odds: f32,
    pair: Pair,
}

/// Builds the mixer.
pub fn build(params: &BmaGauss, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    blueprint.need_win(VARIANT.name)?;
    Ok(Box::new(BmaGaussMixer { mc_odds: 1.0 / params.prior, pair: Pair::find(blueprint, VARIANT.name)? }))
}

impl Mixer for BmaGaussMixer {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        self.pair.mix(models, out, |PairArm { n, q, q_second, .. }| {
            1.0 / (1.0 + self.mc_odds * exp(at_most(log_ratio(n, q, q_second), MAX_LOG_RATIO)))
        });
    }
}

/// n·(Q̃−Q)² / (2σ²), at least 0.
#[inline]
fn log_ratio(n: f32, q: f32, q_second: f32) -> f32 {
    let variance = at_least(q * (1.0 - q), (n + 1.0) / ((n + 2.0) * (n + 2.0)));
    let gap = q_second - q;
    n * gap * gap / (2.0 * variance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::tests::check;

    #[test]
    fn worked_by_hand() {
        // n = 8, Q = ½, Q̃ = ¾: σ² = ¼, 8·(1/16)/(1/2) = 1. Equal priors: 1/(1 + e); prior 10⁴: 1/(1 + 0.000271828).
        check("bma-gauss:prior=1", (8.0, 0.5), (9.0, 0.75), 0.268_941_4);
        check("bma-gauss", (8.0, 0.5), (9.0, 0.75), 0.999_728_2);
        // Nothing but losses, n = 2, Q̃ = ½: σ² = 3/16, 2·¼/(3/8) = 4/3, 1/(1 + e^(4/3)) = 1/4.793668.
        check("bma-gauss:prior=1", (2.0, 0.0), (9.0, 0.5), 0.208_608_5);
        check("bma-gauss:prior=1", (2.0, 1.0), (9.0, 0.5), 0.208_608_5);
        // n = 10⁷, a gap of 2⁻¹⁰ at Q = ½: 10⁷·2⁻²⁰/½ = 19.073486, prior 10⁶: 1/(1 + 192.0923).
        check("bma-gauss:prior=1e6", (1e7, 0.5), (1e7, 0.500_976_56), 0.005_178_871_5);
        check("bma-gauss:prior=1e6", (1e7, 1.0), (1e7, 0.0), 0.0);
        // n = 0, or agreement: the priors decide.
        check("bma-gauss:prior=3", (0.0, 0.5), (9.0, 1.0), 0.75);
        check("bma-gauss:prior=3", (1e7, 1.0), (9.0, 1.0), 0.75);
        check("bma-gauss", (4.0, 0.25), (0.0, 0.5), 0.0);
    }

    #[test]
    fn the_floor_binds_only_where_all_samples_are_equal() {
        for n in 2..200u16 {
            let n = f32::from(n);
            let rare = 1.0 / n;
            assert!(rare * (1.0 - rare) > (n + 1.0) / ((n + 2.0) * (n + 2.0)) || n < 5.0, "n = {n}");
        }
        assert!(log_ratio(1e7, 0.0, 1.0).is_finite());
    }
}
