//! Playouts: each leaf is played to the end n times by a cheap policy, and every playout is one visit.
//! [You 3.1; Gelly & Silver 2011; several playouts per leaf: Hsu]

use super::{Evaluation, Gathered, Leaf, Rollout};
use crate::cx::Cx;
use crate::game::Game;
use goban::Rng;

recipe::params! {
    /// Playouts by a cheap policy.
    pub struct RolloutParams as "rollout" {
        n: u32 = 1, 1..=1000, "playouts per leaf";
        policy: choice(playout::policy::FAMILY) = "uniform", "who chooses the playouts' moves";
    }
}

/// The leaf with its game's rollout.
pub struct RolloutLeaf<G> {
    n: u32,
    rollout: Box<dyn Rollout<G>>,
}

/// Builds the leaf; the game knows how to play its policies.
///
/// # Errors
/// When the game cannot use the policy.
pub fn build<G: Game>(params: &RolloutParams, game: &G) -> Result<Box<dyn Leaf<G>>, recipe::Error> {
    Ok(Box::new(RolloutLeaf { n: params.n, rollout: game.rollout(&params.policy)? }))
}

impl<G: Game> Leaf<G> for RolloutLeaf<G> {
    fn gather(&mut self, cx: &Cx<'_, G>, position: &G, rng: &mut Rng, out: &mut Evaluation) -> Gathered {
        self.rollout.start(cx);
        for _ in 0..self.n {
            let wants_ownership = out.wants_ownership;
            self.rollout.run(position, rng, wants_ownership, out.push());
        }
        Gathered::Ready
    }
}
