//! Value and playout together: a leaf is worth (1 − λ)·v + λ·z, v the value that a network gives it and z the end of a playout
//! from it. [Silver et al. 2016: AlphaGo mixed them half and half]
//!
//! The playout's moves and owners count as those of any playout: AMAF reads them. With λ = 1 samples are the playouts alone; the network
//! is then asked for the model `value`, which keeps its value apart, or for the policy of `prior=net`.

use super::net::asker::Mixture;
use super::{Evaluation, Kit, Parts, PlayoutPlan};
use crate::blueprint::Blueprint;
use recipe::Error;

recipe::params! {
    /// The value that a network gives, mixed with playouts.
    pub struct MixParams as "mix" {
        lambda: f32 = 0.5, 0.0..=1.0, "λ: the weight of the playout";
        n: u32 = 1, 1..=1000, "playouts per leaf";
        mercy: f32 = 0.0, 0.0..=1.0, "difference of stones, as a share of the points, that ends a playout; 0: none does";
        policy: choice(playout::policy::FAMILY) = "uniform", "who chooses the playouts' moves";
    }
}

/// Builds the evaluation.
///
/// # Errors
/// When the recipe names no network or gives it no weight, or rewards margins.
pub fn build<G: Kit>(
    params: &MixParams,
    parts: &Parts<'_, G>,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Evaluation<G>>, Error> {
    parts.need_plain_wins(VARIANT.name)?;
    let reads_value = blueprint.reader_of_value().is_some();
    if params.lambda == 1.0 && !parts.prior.takes_policy() && !reads_value {
        let why = "with lambda=1 the network's value has no weight; choose a smaller one, or leaf=rollout";
        return Err(Error::unsuitable(VARIANT.name, why));
    }
    let MixParams { n, mercy, .. } = *params;
    let playouts = Some(PlayoutPlan { n, policy: params.policy.clone(), mercy });
    let mixture = Mixture::new(parts, parts.need_net(VARIANT.name)?, params.lambda, playouts);
    Ok(Box::new(if reads_value { mixture.with_value() } else { mixture }))
}
