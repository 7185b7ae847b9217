//! Q* = Q: only the Monte-Carlo model counts. [You 3.1]

use super::Mixer;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// The value is the Monte-Carlo mean alone.
    pub struct McOnly as "mc-only" {}
}

/// The mixer, with the place of `mc` among the models.
#[derive(Debug)]
pub struct OneModel {
    model_idx: usize,
}

/// Builds the mixer.
pub fn build(_params: &McOnly, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    Ok(Box::new(OneModel { model_idx: blueprint.model_idx("mc", VARIANT.name)? }))
}

impl Mixer for OneModel {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        out.value.copy_from_slice(&models[self.model_idx].mean);
        for (model_idx, weights) in out.weights.iter_mut().enumerate() {
            weights.fill(if model_idx == self.model_idx { 1.0 } else { 0.0 });
        }
    }
}
