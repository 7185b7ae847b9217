//! Priors: what is known of an arm before it is tried. [Gelly & Silver 2007, §7]

use crate::cx::Cx;
use crate::game::{Action, Game};
use crate::tree::layout::{Gives, Layout};

/// What a prior writes about a new node's arms; columns it does not give stay empty.
#[derive(Debug, Clone, Default)]
pub struct Priors {
    /// P(a): static probability, sums to 1.
    pub p: Vec<f32>,
    /// H(s,a): value, 0..=1, as the mover sees it.
    pub h: Vec<f32>,
    /// C(s,a): pseudo-visits of the Monte-Carlo model; they count in n and N(s).
    pub visits: Vec<f32>,
    /// C̃(s,a): pseudo-visits of the all-moves-as-first model.
    pub amaf_visits: Vec<f32>,
}

impl Priors {
    pub(crate) fn resize(&mut self, n_children: usize, gives: Gives) {
        let n_h = if gives.h { n_children } else { 0 };
        self.p.resize(if gives.p { n_children } else { 0 }, 0.0);
        self.h.resize(n_h, 0.0);
        self.visits.resize(n_h, 0.0);
        self.amaf_visits.resize(n_h, 0.0);
    }
}

/// Fills the priors of new nodes.
pub trait Prior<G: Game>: Send + Sync {
    /// Which priors it gives; the tree has columns for these only.
    fn gives(&self) -> Gives;

    /// Looks up the columns of the models it reads.
    fn claim(&mut self, layout: &mut Layout) {
        let _ = layout;
    }

    /// Writes the priors of the new `cx.node`, whose children play `actions` from `position`.
    fn fill(&self, cx: &Cx<'_, G>, position: &G, actions: &[Action], out: &mut Priors);
}

recipe::variants! {
    /// What is known of an arm before it is tried.
    pub static FAMILY = "prior";
    pub fn build<G: Game>(choice) -> Box<dyn Prior<G>>;
    none
}
