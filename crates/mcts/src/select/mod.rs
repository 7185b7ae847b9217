//! Selectors: which arm the next simulation takes. Most are a score per arm whose largest wins; ties are drawn.

use crate::cx::{ChildMask, Cx, Estimates, Mixed};
use crate::game::Game;
use crate::math::argmax;
use crate::search::Roster;
use crate::tree::ChildIdx;
use goban::Rng;

/// What a selection may use up: a column to write scores into, and random numbers.
#[derive(Debug)]
pub struct Draw<'a> {
    /// One entry per arm.
    pub scores: &'a mut [f32],
    /// The search's generator.
    pub rng: &'a mut Rng,
}

/// Chooses the arm to follow.
pub trait Selector<G: Game>: Send + Sync {
    /// Writes the score of every arm, for the mover; never NaN. Reports show it too.
    fn score(&self, cx: &Cx<'_, G>, models: &[Estimates], mixed: &Mixed, out: &mut [f32]);

    /// Whether untried arms whose urgencies are equal are drawn at random, without regard to anything else.
    fn draws_untried(&self) -> bool {
        false
    }

    /// Chooses an arm among those kept, of which there is at least one.
    fn select(
        &self,
        cx: &Cx<'_, G>,
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

recipe::variants! {
    /// Which arm the next simulation takes.
    pub static FAMILY = "selector";
    pub fn build<G: Game>(choice, roster: &Roster) -> Box<dyn Selector<G>>;
    uct, ucb1
}

#[cfg(test)]
pub(crate) mod tests {
    /// Fails unless every score is finite and right to six digits.
    #[track_caller]
    pub(crate) fn assert_close(got: &[f32], expected: &[f32]) {
        assert_eq!(got.len(), expected.len());
        for (x, right) in got.iter().zip(expected) {
            let is_close = (x - right).abs() <= 2e-6 * right.abs().max(1.0);
            assert!(x.is_finite() && is_close, "{got:?} instead of {expected:?}");
        }
    }
}
