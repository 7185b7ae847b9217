//! Estimators: each is one model of an arm's value. An estimator reads its columns for all arms of a
//! node at once, and learns from every simulation on the way up.
//!
//! In reading order: this file · [`mc`] the mean · `amaf`, and of that kind [`rave`], [`amaf_first`], [`rave_distance`] with
//! weights by time, [`grave`] with those of an ancestor, and [`criticality`] · [`rave_weighted`] weights by company · [`lwr`]
//! regression over similar arms with a [`kernel`] · [`gauss`] Bayes over similar arms · [`prior`] the prior's own value ·
//! [`value`] a network's.

use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Priors, Visit};
use crate::tree::Node;

/// One model of the arms' values. It claims its columns when it is built.
pub trait Estimator: Send + Sync {
    /// Whether [`Estimator::observe`] looks at the moves of the playout; if no model does, they are not mapped.
    fn reads_trace(&self) -> bool {
        false
    }

    /// The most simulations for each one whose owners the model sees; `None` if it needs no owners.
    fn ownership_every(&self) -> Option<u32> {
        None
    }

    /// Writes mean and weight of every arm of `cx.node`, as the mover there sees them.
    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates);

    /// A node whose priors were `old` (all 0 if it had none) gets `new` ones.
    fn seed(&self, node: Node<'_>, old: &Priors, new: &Priors) {
        let _ = (node, old, new);
    }

    /// Learns from a simulation that went through `cx.node`; called once per node of the path, going up.
    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let _ = (cx, visit);
    }
}

mod amaf;
pub mod kernel;
mod pairs;
#[cfg(test)]
mod trial;

recipe::variants! {
    /// A model of an arm's value.
    pub static FAMILY = "estimator";
    pub fn build(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Estimator>;
    mc, rave, amaf_first, rave_distance, grave, criticality, rave_weighted, lwr, gauss, prior, value
}
