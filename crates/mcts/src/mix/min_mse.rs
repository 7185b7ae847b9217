//! The least mean squared error, if the second model has the bias b: β = ñ / (n + ñ + 4·n·ñ·b²).
//! [Gelly & Silver 2011, eq. 12; You 3.8; Hsu]
//!
//! The variance of both means is taken at a win rate of ½, hence the 4. β is 1 for n = 0 and 0 for ñ = 0. The larger b,
//! the sooner the arm's own simulations win.

use super::Mixer;
use super::pair::{Pair, PairArm};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::at_least;

recipe::params! {
    /// β = ñ / (n + ñ + 4·n·ñ·b²), which makes the squared error least.
    pub struct MinMse as "min-mse" {
        b: f32 = 1e-5, 0.0..=1.0, "assumed bias of the second model, in win-rate units";
    }
}

/// The mixer with its models.
#[derive(Debug)]
struct LeastError {
    four_b_sq: f32,
    pair: Pair,
}

/// Builds the mixer.
pub fn build(params: &MinMse, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    let four_b_sq = 4.0 * params.b * params.b;
    Ok(Box::new(LeastError { four_b_sq, pair: Pair::find(blueprint, VARIANT.name)? }))
}

impl Mixer for LeastError {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        self.pair.mix(models, out, |PairArm { n, n_second, .. }| {
            // The smallest normal number keeps 0/0 away and changes nothing else.
            n_second / at_least(n + n_second + n * n_second * self.four_b_sq, f32::MIN_POSITIVE)
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::mix::tests::check;

    #[test]
    fn worked_by_hand() {
        // b = 0.25, 4b² = ¼: n = 4, ñ = 8 gives 8/(4 + 8 + 8) = 0.4.
        check("min-mse:b=0.25", (4.0, 0.25), (8.0, 0.75), 0.4);
        // b = 1e-5 is next to none: n = 100, ñ = 300 gives 300/(400 + 0.000012).
        check("min-mse", (100.0, 0.0), (300.0, 1.0), 0.75);
        // n = ñ = 10⁷: 10⁷/(2·10⁷ + 4·10¹⁴·10⁻¹⁰) = 10⁷/(2·10⁷ + 4·10⁴) = 0.499002.
        check("min-mse", (1e7, 1.0), (1e7, 0.0), 0.499_002);
        // b = 1: 10⁷/(2·10⁷ + 4·10¹⁴) = 2.5·10⁻⁸.
        check("min-mse:b=1", (1e7, 1.0), (1e7, 0.0), 2.5e-8);
        check("min-mse", (0.0, 0.5), (8.0, 0.75), 1.0);
        check("min-mse", (4.0, 0.25), (0.0, 0.5), 0.0);
        check("min-mse", (0.0, 0.5), (0.0, 0.5), 0.0);
    }
}
