//! The formula that mixers of two models share: Q* = (1−β)·Q + β·Q̃, where Q is the model `mc` and Q̃ the first other model
//! of the recipe, so that `models=mc+lwr` is mixed by the same rules as `models=mc+rave`. Further models get the weight 0.

use crate::blueprint::Blueprint;
use crate::cx::{Estimates, Mixed};
use recipe::Error;

/// The places of the two models among those of the recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    mc: usize,
    second: usize,
}

/// One arm as the two models see it.
#[derive(Debug, Clone, Copy)]
pub struct PairArm {
    /// n: visits, a prior's pseudo-visits included.
    pub n: f32,
    /// Q.
    pub q: f32,
    /// ñ, greater than 0; what is computed for 0 is thrown away, but must not trap.
    pub n_second: f32,
    /// Q̃.
    pub q_second: f32,
}

impl Pair {
    /// Finds the two models for the mixer `who`.
    ///
    /// # Errors
    /// When `mc` or a second model is missing.
    pub fn find(blueprint: &Blueprint<'_>, who: &str) -> Result<Pair, Error> {
        let mc = blueprint.model_idx("mc", who)?;
        let second = blueprint.models.iter().position(|name| *name != "mc").ok_or_else(|| {
            Error::unsuitable(who, "it mixes `mc` with a second model; add one, such as models=mc+rave")
        })?;
        Ok(Pair { mc, second })
    }

    /// Writes weights and values. `beta` is the weight of the second model, 0..=1, for an arm it knows something of; an
    /// arm with ñ = 0, such as a pass under `rave`, has β = 0. The loop vectorises if `beta` has no branches.
    #[inline(always)]
    pub fn mix(self, models: &[Estimates], out: &mut Mixed, beta: impl Fn(PairArm) -> f32) {
        let (mc, second) = (&models[self.mc], &models[self.second]);
        let Mixed { value, weights } = out;
        for (model_idx, column) in weights.iter_mut().enumerate() {
            if model_idx != self.mc && model_idx != self.second {
                column.fill(0.0);
            }
        }
        let Ok([mc_weights, second_weights]) = weights.get_disjoint_mut([self.mc, self.second]) else {
            return;
        };
        let arms = mc.weight.iter().zip(&mc.mean).zip(second.weight.iter().zip(&second.mean));
        let places = value.iter_mut().zip(mc_weights.iter_mut().zip(second_weights));
        for (((&n, &q), (&n_second, &q_second)), (value, (mc_weight, second_weight))) in arms.zip(places) {
            let beta = beta(PairArm { n, q, n_second, q_second });
            let beta = if n_second > 0.0 { beta } else { 0.0 };
            *second_weight = beta;
            *mc_weight = 1.0 - beta;
            *value = (1.0 - beta) * q + beta * q_second;
        }
    }
}
