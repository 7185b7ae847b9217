//! Selectors: which arm the next simulation takes. Most are a score per arm whose largest wins; ties are drawn.
//!
//! An arm with n = 0 scores its first-play urgency without an exploration bound (`puct` is the exception); a static bias
//! is added to it all the same, and beside an infinite urgency decides which of the untried arms comes first.

use crate::blueprint::Blueprint;
use crate::cx::{ChildMask, Cx, Estimates, Mixed};
use crate::fpu::inf::MORE_THAN_ANYTHING;
use crate::math::argmax;
use crate::tree::{ChildIdx, Node};
use goban::Rng;

/// Scratch space of a selection: a column to write scores into, and random numbers.
#[derive(Debug)]
pub struct Draw<'a> {
    /// One entry per arm.
    pub scores: &'a mut [f32],
    /// The search's generator.
    pub rng: &'a mut Rng,
}

/// Chooses the arm to follow.
pub trait Selector: Send + Sync {
    /// Writes the score of every arm, for the mover; never NaN. Reports show it too.
    fn score(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed, out: &mut [f32]);

    /// Whether untried arms whose urgencies are equal are drawn at random, without regard to anything else.
    fn draws_untried(&self) -> bool {
        false
    }

    /// Whether an arm that was never tried has a bound beside its urgency, so that a low urgency does not shut it out.
    fn bounds_untried(&self) -> bool {
        false
    }

    /// Whether it values untried arms itself, so that no urgency is asked.
    fn values_untried(&self) -> bool {
        false
    }

    /// Whether it counts the root's visits from the first, so that none of an earlier search may stand there.
    fn needs_fresh_tree(&self) -> bool {
        false
    }

    /// Whether its scores at the root tell which of the most visited arms is to be played.
    fn ranks_root(&self) -> bool {
        false
    }

    /// Draws what is drawn once for a root: called before the first simulation there, and again if its P(a) is written anew.
    fn begin_root(&self, root: Node<'_>, rng: &mut Rng) {
        let _ = (root, rng);
    }

    /// Chooses an arm among those kept, of which there is at least one.
    fn select(
        &self,
        cx: &Cx<'_>,
        models: &[Estimates],
        mixed: &Mixed,
        keep: &ChildMask,
        draw: &mut Draw<'_>,
    ) -> ChildIdx {
        self.score(cx, models, mixed, draw.scores);
        if !keep.is_all() {
            for (child_idx, score) in draw.scores.iter_mut().enumerate() {
                *score = if keep.allows(child_idx) { *score } else { f32::NEG_INFINITY };
            }
        }
        ChildIdx(argmax(draw.scores, |n| draw.rng.below(n)).unwrap_or(0) as u16)
    }
}

/// An arm's first-play urgency with its static bias. Beside [`MORE_THAN_ANYTHING`] a bias would be lost in rounding, so
/// there P(a) itself tells the arms apart, more likely ones first, down to differences of 10⁻¹³.
#[inline]
fn biased_urgency(urgency: f32, bias: f32, p: f32) -> f32 {
    const LARGER: f32 = 1e6;
    urgency + if urgency >= MORE_THAN_ANYTHING { p * (LARGER * MORE_THAN_ANYTHING) } else { bias }
}

mod noise;

recipe::variants! {
    /// Which arm the next simulation takes.
    pub static FAMILY = "selector";
    pub fn build(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Selector>;
    uct, ucb1, uct_rave, bt_bias, chaslot, huang, puct, gumbel
}

#[cfg(test)]
pub(crate) mod tests;
