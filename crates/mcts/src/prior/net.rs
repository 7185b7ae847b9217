//! P(a) is a network's policy, as far as it is spread over the arms. [Silver et al. 2016, 2017]
//!
//! The network is that of the recipe (`net=…`), asked once for policy and value.

use super::{FindP, Prior, Stage};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::{Action, Game};
use crate::tree::layout::Gives;

recipe::params! {
    /// The policy of the recipe's network.
    pub struct NetPrior as "net" {}
}

/// Builds the prior.
pub fn build<G: Game>(
    params: &NetPrior,
    blueprint: &mut Blueprint<'_>,
    _find_p: FindP<'_, G>,
) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    blueprint.layout.give(Gives { p: true, h: false });
    Ok(Box::new(params.clone()))
}

impl<G: Game> Prior<G> for NetPrior {
    fn takes_policy(&self) -> bool {
        true
    }

    fn fill(&self, _cx: &Cx<'_>, _position: &G, _actions: &[Action], _stage: Stage, _out: &mut Priors) {}
}
