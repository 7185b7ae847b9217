//! Playouts that a network ends early: after d moves a leaf is worth the value that the network gives the position there. The playout settles
//! what is under way, captures and fights, in which networks err, and the network judges what playouts err in. [Silver et al. 2016 mixed the two
//! kinds of values; to cut playouts by an evaluation is older: Lorentz 2008, Winands & Björnsson 2010]
//!
//! A new node asks the network twice, for the priors of its own position and for the value at the end of its playout. Either answer may come
//! first; the leaf waits for both.

use super::net::asker::Mixture;
use super::{
    Evaluation, EvaluationAnswer, EvaluationQuery, EvaluationSample, EvaluationStatus, Evaluator, Kit, Parts,
    Rollout, Ticket,
};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, PathStep};
use crate::game::{Game, Reward};
use crate::tree::ChildIdx;
use goban::Rng;
use recipe::{Choice, Error};

recipe::params! {
    /// Playouts that end early, with the value that a network gives to the position there.
    pub struct ShortParams as "short" {
        depth: u32 = 20, 1..=1000, "d: moves of a playout before the network is asked";
        policy: choice(playout::policy::FAMILY) = "uniform", "who chooses the playouts' moves";
    }
}

/// The network, playouts and a prior, for all threads.
struct ShortPlayouts<G> {
    /// Priors alone.
    priors: Mixture<G>,
    /// Values alone.
    values: Mixture<G>,
    depth: usize,
    policy: Choice,
    reward: Reward,
}

/// Builds the evaluation.
///
/// # Errors
/// When the recipe names no network, or rewards margins that the network does not tell.
pub fn build<G: Kit>(
    params: &ShortParams,
    parts: &Parts<'_, G>,
    _blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Evaluation<G>>, Error> {
    parts.need_plain_wins("leaf=short")?;
    let net = parts.need_net(VARIANT.name)?;
    Ok(Box::new(ShortPlayouts {
        priors: Mixture::new(parts, net.clone(), 1.0, None),
        values: Mixture::new(parts, net, 0.0, None),
        depth: params.depth as usize,
        policy: params.policy.clone(),
        reward: parts.reward,
    }))
}

impl<G: Kit> Evaluation<G> for ShortPlayouts<G> {
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, Error> {
        let mut rollout = game.rollout(&self.policy, self.reward)?;
        rollout.shorten(self.depth)?;
        Ok(Box::new(ShortEvaluator {
            priors: self.priors.evaluator(game)?,
            values: self.values.evaluator(game)?,
            depth: self.depth,
            rollout,
            end: game.clone(),
            path: Vec::new(),
            pending: Vec::new(),
            spare: Vec::new(),
            answer: EvaluationAnswer::default(),
        }))
    }

    fn refines_at(&self) -> Option<u32> {
        self.priors.refines_at()
    }

    /// A playout that is cut off has ended no game.
    fn tells_owners(&self) -> bool {
        false
    }
}

/// One thread's playouts and questions.
struct ShortEvaluator<G> {
    priors: Box<dyn Evaluator<G>>,
    values: Box<dyn Evaluator<G>>,
    depth: usize,
    rollout: Box<dyn Rollout<G>>,
    /// The position at the end of the last playout, and the way there from the root.
    end: G,
    path: Vec<PathStep>,
    pending: Vec<PendingLeaf>,
    spare: Vec<PendingLeaf>,
    /// The latest answer of either kind.
    answer: EvaluationAnswer,
}

/// A leaf of which not everything is answered.
#[derive(Default)]
struct PendingLeaf {
    /// Its own ticket.
    ticket: Option<Ticket>,
    /// What is still to come.
    priors: Option<Ticket>,
    value: Option<Ticket>,
    /// The playout, whose outcome is the network's once that is known.
    sample: EvaluationSample,
    /// The priors, once they are known.
    answer: EvaluationAnswer,
}

impl<G: Game> ShortEvaluator<G> {
    /// Plays from the position of a question; true if the playout was cut off, and `end` is where.
    fn play(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        sample: &mut EvaluationSample,
    ) -> bool {
        let EvaluationQuery { cx, position, origin, wants_ownership, .. } = *question;
        self.rollout.start(&cx, origin);
        self.rollout.run(position, rng, wants_ownership, sample);
        if sample.tail.len() < self.depth {
            return false;
        }
        sample.tail.truncate(self.depth);
        sample.outcome.length = self.depth as u32;
        self.end.clone_from(position);
        self.path.clear();
        self.path.extend_from_slice(cx.path);
        for play in &sample.tail {
            let (mover, action) = (play.side(), play.action());
            // Nobody reads the nodes of steps beyond the tree.
            self.path.push(PathStep { node: cx.node.id(), child: ChildIdx(0), action, mover });
            self.end.play(action);
        }
        !self.end.ended(&mut sample.outcome)
    }

    /// Takes one answer of the network in, waiting for it if that is wanted; the place of the leaf that it is about.
    fn take_one(&mut self, wait: bool) -> Option<usize> {
        let ShortEvaluator { priors, values, pending, answer, .. } = self;
        let awaits_priors = pending.iter().any(|leaf| leaf.priors.is_some());
        if let Some(ticket) = priors.collect(wait && awaits_priors, answer) {
            let idx = pending.iter().position(|leaf| leaf.priors == Some(ticket))?;
            pending[idx].priors = None;
            std::mem::swap(&mut pending[idx].answer, answer);
            return Some(idx);
        }
        let ticket = values.collect(wait && !awaits_priors, answer)?;
        let idx = pending.iter().position(|leaf| leaf.value == Some(ticket))?;
        pending[idx].value = None;
        take_value(answer, &mut pending[idx].sample);
        Some(idx)
    }
}

/// Writes the network's opinion of the end of a playout as its outcome.
fn take_value(answer: &mut EvaluationAnswer, sample: &mut EvaluationSample) {
    if let Some(found) = answer.samples_mut().first_mut() {
        std::mem::swap(&mut sample.outcome.ownership, &mut found.outcome.ownership);
        (sample.outcome.win, sample.outcome.score) = (found.outcome.win, found.outcome.score);
    }
}

impl<G: Game> Evaluator<G> for ShortEvaluator<G> {
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        out: &mut EvaluationAnswer,
    ) -> EvaluationStatus {
        let mut leaf = self.spare.pop().unwrap_or_default();
        let about_arms = EvaluationQuery { wants_samples: false, ..*question };
        if let EvaluationStatus::Pending(ticket) = self.priors.ask(&about_arms, rng, out) {
            leaf.priors = Some(ticket);
        }
        let has_sample = question.wants_samples;
        if has_sample {
            leaf.sample.reset();
            if self.play(question, rng, &mut leaf.sample) {
                let cx = Cx { path: &self.path, ..question.cx };
                let about_end = EvaluationQuery { cx, position: &self.end, arms: &[], ..*question };
                self.answer.clear();
                match self.values.ask(&about_end, rng, &mut self.answer) {
                    EvaluationStatus::Ready => take_value(&mut self.answer, &mut leaf.sample),
                    EvaluationStatus::Pending(ticket) => leaf.value = Some(ticket),
                }
            }
        }
        let Some(ticket) = leaf.priors.or(leaf.value) else {
            if has_sample {
                std::mem::swap(out.push(), &mut leaf.sample);
            }
            self.spare.push(leaf);
            return EvaluationStatus::Ready;
        };
        if !has_sample {
            // The answer to a question about priors alone passes through.
            leaf.sample.weight = 0;
        }
        if leaf.priors.is_none() {
            std::mem::swap(&mut leaf.answer, out);
        }
        leaf.ticket = Some(ticket);
        self.pending.push(leaf);
        EvaluationStatus::Pending(ticket)
    }

    fn collect(&mut self, wait: bool, out: &mut EvaluationAnswer) -> Option<Ticket> {
        while !self.pending.is_empty() {
            let idx = self.take_one(wait)?;
            let leaf = &self.pending[idx];
            if leaf.priors.is_some() || leaf.value.is_some() {
                continue;
            }
            let mut leaf = self.pending.swap_remove(idx);
            std::mem::swap(out, &mut leaf.answer);
            if leaf.sample.weight > 0 {
                std::mem::swap(out.push(), &mut leaf.sample);
            }
            let ticket = leaf.ticket;
            self.spare.push(leaf);
            return ticket;
        }
        None
    }

    fn capacity(&self) -> usize {
        self.values.capacity()
    }
}
