//! Playouts: each leaf is played to the end n times by a cheap policy, and every playout is one visit.
//! [You 3.1; Gelly & Silver 2011; several playouts per leaf: Hsu]

use super::net::asker::Mixture;
use super::{
    Evaluation, EvaluationAnswer, EvaluationQuery, EvaluationStatus, Evaluator, Kit, Parts, PlayoutPlan,
    Rollout,
};
use crate::blueprint::Blueprint;
use crate::game::{Game, Reward};
use crate::prior::Prior;
use goban::Rng;
use recipe::Error;
use std::sync::Arc;

recipe::params! {
    /// Playouts by a cheap policy.
    pub struct RolloutParams as "rollout" {
        n: u32 = 1, 1..=1000, "playouts per leaf";
        mercy: f32 = 0.0, 0.0..=1.0, "difference of stones, as a share of the points, that ends a playout; 0: none does";
        policy: choice(playout::policy::FAMILY) = "uniform", "who chooses the playouts' moves";
    }
}

/// Playouts and a prior, for all threads.
struct Playouts<G> {
    plan: PlayoutPlan,
    reward: Reward,
    prior: Arc<dyn Prior<G>>,
}

/// Builds the evaluation; the game knows how to play its policies.
///
/// # Errors
/// When the game cannot use the policy.
pub fn build<G: Kit>(
    params: &RolloutParams,
    parts: &Parts<'_, G>,
    _blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Evaluation<G>>, Error> {
    let RolloutParams { n, mercy, policy } = params.clone();
    let plan = PlayoutPlan { n, policy, mercy };
    if parts.prior.takes_policy() {
        let net = parts.need_net("prior=net")?;
        return Ok(Box::new(Mixture::new(parts, net, 1.0, Some(plan))));
    }
    Ok(Box::new(Playouts { plan, reward: parts.reward, prior: parts.prior.clone() }))
}

impl<G: Kit> Evaluation<G> for Playouts<G> {
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, Error> {
        let rollout = self.plan.rollout(game, self.reward)?;
        Ok(Box::new(PlayoutEvaluator { n: self.plan.n, rollout, prior: self.prior.clone() }))
    }

    fn refines_at(&self) -> Option<u32> {
        self.prior.refines_at()
    }
}

/// One thread's playouts.
struct PlayoutEvaluator<G> {
    n: u32,
    rollout: Box<dyn Rollout<G>>,
    prior: Arc<dyn Prior<G>>,
}

impl<G: Game> Evaluator<G> for PlayoutEvaluator<G> {
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        out: &mut EvaluationAnswer,
    ) -> EvaluationStatus {
        let EvaluationQuery { cx, position, arms, stage, .. } = *question;
        if !arms.is_empty() {
            self.prior.fill(&cx, position, arms, stage, &mut out.priors);
        }
        if question.wants_samples {
            self.rollout.start(&cx, question.origin);
            for _ in 0..self.n {
                self.rollout.run(position, rng, question.wants_ownership, out.push());
            }
        }
        EvaluationStatus::Ready
    }
}
