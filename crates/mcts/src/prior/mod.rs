//! Priors: knowledge about an arm before it is tried. [Gelly & Silver 2007, §7]
//!
//! A recipe has one prior. It can give a value H(s,a) with an equivalent experience, a static probability P(a), or both:
//! variants made for a value take the probability from another by their parameter `p`, variants made for a probability
//! give the neutral value when they are granted experience. The variants here suit every game; games bring further ones.

use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::{Action, Game};
use crate::tree::layout::Gives;
use recipe::Error;

/// Which priors of a node are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The first ones, when the node is made: they should be cheap, since most nodes are rarely visited.
    Birth,
    /// Better ones, when the node has shown to be visited often: [`Prior::refines_at`].
    Refined,
}

/// Knowledge about arms before they are tried. A prior declares its columns when it is built (`Layout::give`).
pub trait Prior<G: Game>: Send + Sync {
    /// Visits of a node at which it is asked again, if it then knows more.
    fn refines_at(&self) -> Option<u32> {
        None
    }

    /// Whether P(a) is the policy of the recipe's network, which is then written behind [`Prior::fill`].
    fn takes_policy(&self) -> bool {
        false
    }

    /// Writes the priors of `cx.node`, whose children play `actions` from `position`.
    fn fill(&self, cx: &Cx<'_>, position: &G, actions: &[Action], stage: Stage, out: &mut Priors);
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

/// Writes P(a) of the arms of a position.
pub type FillP<G> = fn(&G, &[Action], &mut [f32]);

/// Finds the source of static probabilities in a game; refuses what the game does not know.
pub type FindP<'a, G> = &'a dyn Fn(Probability) -> Result<Option<FillP<G>>, Error>;

/// A number of visits in whole 64ths, so that sums of won visits are exact and no mean rises above a win.
pub(crate) fn in_quanta(visits: f32) -> f32 {
    (visits * 64.0).round() / 64.0
}

/// C and C̃: the visits that a prior's value is worth to either model, the same for all arms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Experience {
    pub(crate) visits: f32,
    pub(crate) amaf_visits: f32,
}

impl Experience {
    /// The columns that a prior with this experience fills. Without any a value says nothing and needs no columns.
    pub(crate) fn gives(self, has_p: bool) -> Gives {
        Gives { p: has_p, h: self.visits > 0.0 || self.amaf_visits > 0.0 }
    }

    /// Writes the experience, and the same value for all arms.
    pub(crate) fn fill(self, h: f32, out: &mut Priors) {
        out.h.fill(h);
        out.visits.fill(self.visits);
        out.amaf_visits.fill(self.amaf_visits);
    }
}

recipe::variants! {
    /// Priors of any game: knowledge about an arm before it is tried.
    pub static FAMILY = "prior";
    pub fn build<G: Game>(choice, blueprint: &mut Blueprint<'_>, find_p: FindP<'_, G>) -> Box<dyn Prior<G>>;
    none, flat_p, even, grandfather, net
}

#[cfg(test)]
pub(crate) mod tests;
