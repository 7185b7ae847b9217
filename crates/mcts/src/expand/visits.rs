//! A child grows at its k-th visit. [You 3.3.4: GoYui the 6th]

use super::Expander;
use crate::cx::Cx;
use crate::game::Game;
use crate::search::Roster;
use crate::tree::ChildIdx;

recipe::params! {
    /// At the n-th visit.
    pub struct Visits as "visits" {
        n: u32 = 1, 1..=1_000_000_000, "the visit at which a child becomes a node";
    }
}

/// Builds the expander.
pub fn build<G: Game>(params: &Visits, _roster: &Roster) -> Result<Box<dyn Expander<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl<G: Game> Expander<G> for Visits {
    fn ripe(&self, cx: &Cx<'_, G>, child: ChildIdx) -> bool {
        cx.node.visits(child) >= self.n
    }
}
