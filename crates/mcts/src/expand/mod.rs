//! Expanders: when a leaf grows into a node.

use crate::cx::Cx;
use crate::game::Game;
use crate::tree::ChildIdx;
use crate::tree::layout::Layout;

/// Decides when a child gets a node of its own. The root has one at once.
pub trait Expander<G: Game>: Send + Sync {
    /// Claims the columns it keeps in every node.
    fn claim(&mut self, layout: &mut Layout) {
        let _ = layout;
    }

    /// Whether `child` of `cx.node`, just visited (that visit is counted already), grows now. The simulation then
    /// starts its playout from the new node.
    fn ripe(&self, cx: &Cx<'_, G>, child: ChildIdx) -> bool;
}

recipe::variants! {
    /// When a leaf grows into a node.
    pub static FAMILY = "expander";
    pub fn build<G: Game>(choice) -> Box<dyn Expander<G>>;
    visits
}
