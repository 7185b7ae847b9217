//! Priors: what is known of an arm before it is tried. [Gelly & Silver 2007, §7]
//!
//! A recipe has one prior. It can give a value H(s,a) with an equivalent experience, a static probability P(a), or both:
//! variants made for a value take the probability from another by their parameter `p`, variants made for a probability
//! give the neutral value when they are granted experience.

use crate::cx::Cx;
use crate::game::{Action, Game};
use crate::tree::layout::{Gives, Layout};

/// What a prior writes about a new node's arms; columns it does not give stay empty.
#[derive(Debug, Clone, Default)]
pub struct Priors {
    /// P(a): static probability, sums to 1.
    pub p: Vec<f32>,
    /// H(s,a): value as the mover sees it, in the search's reward: 0..=1, or points.
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

    /// Finds the columns of the models it reads, once all are claimed.
    fn bind(&mut self, layout: &Layout) {
        let _ = layout;
    }

    /// Names of models it reads; checked when the recipe is built.
    fn needs(&self) -> &[&str] {
        &[]
    }

    /// Writes the priors of the new `cx.node`, whose children play `actions` from `position`.
    fn fill(&self, cx: &Cx<'_, G>, position: &G, actions: &[Action], out: &mut Priors);
}

recipe::words! {
    /// Where a prior that is made for its value takes P(a) from.
    pub enum Probability {
        /// Nowhere: there is none.
        None = "none",
        /// As `flat-p`.
        Flat = "flat",
        /// As `gammas` with its own defaults.
        Gammas = "gammas",
        /// As `tactics`.
        Tactics = "tactics",
    }
}

impl Probability {
    fn fill<G: Game>(self, position: &G, actions: &[Action], out: &mut [f32]) {
        match self {
            Probability::None => {}
            Probability::Flat => flat_p::fill(out),
            Probability::Gammas => gammas::DEFAULT.fill(position, actions, out),
            Probability::Tactics => tactics::fill(position, actions, out),
        }
    }
}

/// A number of visits in whole 64ths, so that sums of won visits are exact and no mean rises above a win.
fn in_quanta(visits: f32) -> f32 {
    (visits * 64.0).round() / 64.0
}

/// C and C̃: how many visits a prior's value is worth to either model, the same for all arms.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Experience {
    visits: f32,
    amaf_visits: f32,
}

impl Experience {
    /// Without experience a value says nothing and needs no columns.
    fn is_some(self) -> bool {
        self.visits > 0.0 || self.amaf_visits > 0.0
    }

    /// Writes the experience, and the same value for all arms.
    fn fill(self, h: f32, out: &mut Priors) {
        out.h.fill(h);
        out.visits.fill(self.visits);
        out.amaf_visits.fill(self.amaf_visits);
    }
}

recipe::variants! {
    /// What is known of an arm before it is tried.
    pub static FAMILY = "prior";
    pub fn build<G: Game>(choice) -> Box<dyn Prior<G>>;
    none, flat_p, gammas, tactics, even, grandfather, handcrafted, knowledge
}

#[cfg(test)]
mod tests;
