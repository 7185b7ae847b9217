//! Mixers: several models' estimates become one value per arm.
//!
//! In reading order: this file · [`pair`] the loop that mixers of two models share · one file per mixer.

use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

pub mod pair;
#[cfg(test)]
mod tests;

/// Mixes the models of one node.
pub trait Mixer: Send + Sync {
    /// Writes the value of every arm and each model's weight in it. `models` are in the recipe's order.
    fn mix(&self, cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed);
}

recipe::variants! {
    /// How the models' estimates become one value.
    pub static FAMILY = "mixer";
    pub fn build(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Mixer>;
    mc_only, rave_only, hand, min_mse, linear, bma, bma_gauss, bma_n, min_mse_n
}
