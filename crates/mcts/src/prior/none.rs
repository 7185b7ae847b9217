//! The smallest prior, written to be copied.

use super::{FindP, Prior, Stage};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::{Action, Game};

recipe::params! {
    /// Nothing is known.
    pub struct NoPrior as "none" {}
}

/// Builds the prior.
pub fn build<G: Game>(
    params: &NoPrior,
    _blueprint: &mut Blueprint<'_>,
    _find_p: FindP<'_, G>,
) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl<G: Game> Prior<G> for NoPrior {
    fn fill(&self, _cx: &Cx<'_>, _position: &G, _actions: &[Action], _stage: Stage, _out: &mut Priors) {}
}
