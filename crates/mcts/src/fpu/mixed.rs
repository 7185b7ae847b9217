//! A constant in the place of `mc`, mixed with what the other models say by the mixer's own weights: with models=mc+rave an
//! arm with n = 0 is worth (1−β)·v + β·Q̃. [Gelly & Silver 2007, §6, with the urgency of Gelly & Wang 2006]
//!
//! As a node is visited and β falls, untried arms become urgent even if AMAF thinks nothing of them. With `amaf`
//! such an arm may never be tried, and a move that is good only when it is played at once (taking a stone before it is
//! connected, say) may stay unseen. With a mixer that gives `mc` no weight at n = 0, such as `min-mse`, it is `amaf`.

use super::Fpu;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// A constant in the place of the arm's own simulations, mixed as they would be.
    pub struct MixedFpu as "mixed" {
        v: f32 = 1.0, -1000.0..=1000.0, "the value in place of the model mc, in units of the reward as the mover sees it";
    }
}

/// The urgency with the place of the model `mc`.
#[derive(Debug)]
struct InMix {
    v: f32,
    mc_idx: usize,
}

/// Builds the urgency.
pub fn build(params: &MixedFpu, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Fpu>, recipe::Error> {
    Ok(Box::new(InMix { v: params.v, mc_idx: blueprint.model_idx("mc", VARIANT.name)? }))
}

impl Fpu for InMix {
    fn fill(&self, cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        fill(self.v, cx.arms.begun(), &models[self.mc_idx].mean, &out.weights[self.mc_idx], &mut out.value);
    }
}

/// Replaces the mean of `mc` by `v` in the mixed value of untried arms.
#[inline]
fn fill(v: f32, n: &[f32], means: &[f32], weights: &[f32], values: &mut [f32]) {
    for (((value, &n), &mean), &weight) in values.iter_mut().zip(n).zip(means).zip(weights) {
        *value += if n > 0.0 { 0.0 } else { weight * (v - mean) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::tree::layout::Gives;

    #[test]
    fn worked_by_hand() {
        // β = 0.25 and Q̃ = 0.2 in arms 0 and 1, of which the first is untried: 0.75·1 + 0.25·0.2 = 0.8. Arm 2 is untried and
        // unknown to the second model: 1.
        let (means, weights) = ([0.5, 0.4, 0.5], [0.75, 0.75, 1.0]);
        let mut values = [0.75 * 0.5 + 0.25 * 0.2, 0.75 * 0.4 + 0.25 * 0.2, 0.5];
        fill(1.0, &[0.0, 2.0, 0.0], &means, &weights, &mut values);
        assert!(values.iter().zip([0.8, 0.35, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{values:?}");
    }

    #[test]
    fn it_needs_mc() {
        let built = |models: &[&'static str]| {
            build(&MixedFpu::default(), &mut Blueprint::drawn(models, Gives::default(), Reward::Win))
        };
        assert!(built(&["rave", "mc"]).is_ok());
        assert!(built(&["rave"]).err().unwrap().to_string().starts_with("`mixed` cannot be used here"));
    }
}
