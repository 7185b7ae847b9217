//! Expanders: when a leaf grows into a node.

use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};
use crate::tree::ChildIdx;

/// Decides when a child gets a node of its own. The root has one at once. It claims its columns when it is built.
pub trait Expander: Send + Sync {
    /// Learns from a simulation that went through `cx.node`.
    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let _ = (cx, visit);
    }

    /// Whether `child` of `cx.node`, grows now, where a visit of it is under way. The simulation then
    /// starts its playout from the new node.
    fn ripe(&self, cx: &Cx<'_>, child: ChildIdx) -> bool;
}

recipe::variants! {
    /// When a leaf grows into a node.
    pub static FAMILY = "expander";
    pub fn build(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Expander>;
    visits, all_ends, transition
}
