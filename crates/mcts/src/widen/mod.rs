//! Wideners: which arms are searched at all.
//!
//! Apart from the variants: `pruning`, the rule that hard and soft pruning share.

mod pruning;

use crate::blueprint::Blueprint;
use crate::cx::{ChildMask, Cx, Estimates, Mixed, Priors, Visit};
use crate::tree::Node;

/// Keeps some arms and leaves the others out for now. It claims its columns when it is built.
pub trait Widener: Send + Sync {
    /// A node whose priors were `old` (all 0 if it had none) gets `new` ones.
    fn seed(&self, node: Node<'_>, old: &Priors, new: &Priors) {
        let _ = (node, old, new);
    }

    /// Whether it keeps all arms, always.
    fn keeps_all(&self) -> bool {
        false
    }

    /// Whether an arm that is left out at the root is out of the question for good, so that no pick may take it.
    fn is_final(&self) -> bool {
        false
    }

    /// Drops the arms that may not be selected; none is dropped when it is called, and one at least must stay.
    fn keep(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed, out: &mut ChildMask);

    /// Whether the choice at the root is settled and the search may end before its limits; asked now and then.
    fn is_settled(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed) -> bool {
        let _ = (cx, models, mixed);
        false
    }

    /// Learns from a simulation that went through `cx.node`.
    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let _ = (cx, visit);
    }
}

recipe::variants! {
    /// Which arms are searched at all.
    pub static FAMILY = "widener";
    pub fn build(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Widener>;
    all, widening, pruning_hard, pruning_soft, limited_visits, proven
}

#[cfg(test)]
pub(crate) mod tests;
