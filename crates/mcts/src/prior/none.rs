//! The smallest prior, written to be copied.

use super::{Prior, Priors};
use crate::cx::Cx;
use crate::game::{Action, Game};
use crate::tree::layout::Gives;

recipe::params! {
    /// Nothing is known.
    pub struct Nothing as "none" {}
}

/// Builds the prior.
pub fn build<G: Game>(params: &Nothing) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl<G: Game> Prior<G> for Nothing {
    fn gives(&self) -> Gives {
        Gives::default()
    }

    fn fill(&self, _cx: &Cx<'_, G>, _position: &G, _actions: &[Action], _out: &mut Priors) {}
}
