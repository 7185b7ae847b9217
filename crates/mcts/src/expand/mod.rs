//! Expanders: when a leaf grows into a node.

use crate::cx::{Cx, Visit};
use crate::game::Game;
use crate::search::Roster;
use crate::tree::ChildIdx;
use crate::tree::layout::Layout;

/// Decides when a child gets a node of its own. The root has one at once.
pub trait Expander<G: Game>: Send + Sync {
    /// Claims the columns it keeps in every node.
    fn claim(&mut self, layout: &mut Layout) {
        let _ = layout;
    }

    /// Finds the columns of other pieces, once all are claimed.
    fn bind(&mut self, layout: &Layout) {
        let _ = layout;
    }

    /// Learns from a simulation that went through `cx.node`.
    fn observe(&self, cx: &Cx<'_, G>, visit: &Visit<'_>) {
        let _ = (cx, visit);
    }

    /// Whether `child` of `cx.node`, just visited (that visit is counted already), grows now. The simulation then
    /// starts its playout from the new node.
    fn ripe(&self, cx: &Cx<'_, G>, child: ChildIdx) -> bool;
}

recipe::variants! {
    /// When a leaf grows into a node.
    pub static FAMILY = "expander";
    pub fn build<G: Game>(choice, roster: &Roster) -> Box<dyn Expander<G>>;
    visits, all_ends, transition
}
