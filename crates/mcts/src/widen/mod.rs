//! Wideners: which arms are searched at all.
//!
//! Apart from the variants: `moments`, mean and spread of the arms' simulations · `pruning`, what hard and soft pruning
//! share.

pub(crate) mod moments;
mod pruning;

use crate::cx::{ChildMask, Cx, Estimates, Mixed, Visit};
use crate::game::Game;
use crate::prior::Priors;
use crate::search::Roster;
use crate::tree::layout::Layout;

/// Keeps some arms and leaves the others out for now.
pub trait Widener<G: Game>: Send + Sync {
    /// Claims the columns it keeps in every node.
    fn claim(&mut self, layout: &mut Layout) {
        let _ = layout;
    }

    /// Finds the columns of other pieces, once all are claimed.
    fn bind(&mut self, layout: &Layout) {
        let _ = layout;
    }

    /// A new node got these priors.
    fn seed(&self, cx: &Cx<'_, G>, priors: &Priors) {
        let _ = (cx, priors);
    }

    /// Whether it keeps all arms, always.
    fn keeps_all(&self) -> bool {
        false
    }

    /// Drops the arms that may not be selected; none is dropped when it is called, and one at least must stay.
    fn keep(&self, cx: &Cx<'_, G>, models: &[Estimates], mixed: &Mixed, out: &mut ChildMask);

    /// Whether the choice at the root is settled and the search may end before its limits; asked now and then.
    fn is_settled(&self, cx: &Cx<'_, G>, models: &[Estimates], mixed: &Mixed) -> bool {
        let _ = (cx, models, mixed);
        false
    }

    /// Learns from a simulation that went through `cx.node`.
    fn observe(&self, cx: &Cx<'_, G>, visit: &Visit<'_>) {
        let _ = (cx, visit);
    }
}

recipe::variants! {
    /// Which arms are searched at all.
    pub static FAMILY = "widener";
    pub fn build<G: Game>(choice, roster: &Roster) -> Box<dyn Widener<G>>;
    all, widening, pruning_hard, pruning_soft, limited_visits
}

#[cfg(test)]
pub(crate) mod tests;
