//! Estimators: each is one model of an arm's value. An estimator claims its own columns, reads them for all arms of a
//! node at once, and learns from every simulation on the way up.
//!
//! In reading order: this file · [`mc`] the mean · `all_as_first`, and of that kind [`rave`], [`amaf_first`], [`rave_distance`] with
//! weights by time, [`grave`] with those of an ancestor, and [`criticality`] · [`rave_weighted`] weights by company · [`lwr`] regression over similar arms with a [`kernel`] · [`gauss`] Bayes over similar arms · [`prior`]
//! what was known before.

use crate::cx::{Cx, Estimates, Visit};
use crate::game::Game;
use crate::prior::Priors;
use crate::search::Roster;
use crate::tree::layout::Layout;

/// One model of the arms' values.
pub trait Estimator<G: Game>: Send + Sync {
    /// Claims the columns the model keeps in every node.
    fn claim(&mut self, layout: &mut Layout) {
        let _ = layout;
    }

    /// Finds the columns of other pieces, once all are claimed.
    fn bind(&mut self, layout: &Layout) {
        let _ = layout;
    }

    /// Refuses a game or a recipe it cannot be used for.
    ///
    /// # Errors
    /// Says what it would need.
    fn check(&self, game: &G, roster: &Roster) -> Result<(), recipe::Error> {
        let _ = (game, roster);
        Ok(())
    }

    /// Names of other models it reads; checked when the recipe is built.
    fn needs(&self) -> &[&str] {
        &[]
    }

    /// Whether [`Estimator::observe`] looks at the moves of the playout; if no model does, they are not mapped.
    fn reads_trace(&self) -> bool {
        false
    }

    /// The model needs to see who owns the points at the end of one simulation out of so many, at the least.
    fn ownership_every(&self) -> Option<u32> {
        None
    }

    /// Writes mean and weight of every arm of `cx.node`, as the mover there sees them.
    fn estimate(&self, cx: &Cx<'_, G>, out: &mut Estimates);

    /// A new node got these priors.
    fn seed(&self, cx: &Cx<'_, G>, priors: &Priors) {
        let _ = (cx, priors);
    }

    /// Learns from a simulation that went through `cx.node`; called once per node of the path, going up.
    fn observe(&self, cx: &Cx<'_, G>, visit: &Visit<'_>) {
        let _ = (cx, visit);
    }
}

mod all_as_first;
pub mod kernel;
mod pairs;
#[cfg(test)]
mod trial;

recipe::variants! {
    /// A model of an arm's value.
    pub static FAMILY = "estimator";
    pub fn build<G: Game>(choice) -> Box<dyn Estimator<G>>;
    mc, rave, amaf_first, rave_distance, grave, criticality, rave_weighted, lwr, gauss, prior
}
