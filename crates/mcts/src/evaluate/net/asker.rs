//! Questions to a network, with playouts beside it or without: a leaf is worth (1 − λ)·v + λ·z.

use super::service::{NetService, NetThread, Received};
use crate::evaluate::{
    Evaluation, EvaluationAnswer, EvaluationQuery, EvaluationStatus, Evaluator, Kit, Parts, PlayoutPlan,
    Rollout, Ticket,
};
use crate::game::{Action, Outcome, Reward, Side};
use crate::prior::{Prior, flat_p};
use goban::Rng;
use model::net::{EncodedPosition, NetAnswer};
use recipe::Error;
use std::sync::Arc;

/// A network, playouts and a prior, for all threads.
pub struct Mixture<G> {
    service: Arc<NetService>,
    prior: Arc<dyn Prior<G>>,
    reward: Reward,
    /// λ: the weight of the playouts.
    lambda: f32,
    /// Whether the value is asked for even if it has no weight in the samples.
    tells_value: bool,
    /// Playouts per leaf, and their policy.
    playouts: Option<PlayoutPlan>,
}

impl<G> Mixture<G> {
    /// The network of `service` with the prior of `parts`; λ is the weight of the playouts, and 0 without any. The value is asked
    /// for if λ is below 1.
    pub fn new(
        parts: &Parts<'_, G>,
        service: Arc<NetService>,
        lambda: f32,
        playouts: Option<PlayoutPlan>,
    ) -> Mixture<G> {
        let (prior, tells_value) = (Arc::clone(&parts.prior), lambda < 1.0);
        Mixture { service, prior, reward: parts.reward, lambda, tells_value, playouts }
    }

    /// The same, with the value asked for whatever λ is.
    pub fn with_value(self) -> Mixture<G> {
        Mixture { tells_value: true, ..self }
    }
}

impl<G: Kit> Evaluation<G> for Mixture<G> {
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, Error> {
        let playouts = match &self.playouts {
            Some(plan) => Some((plan.n, plan.rollout(game, self.reward)?)),
            None => None,
        };
        let form = self.service.form();
        // Of leads and owners a network has learned where games are decided by points.
        let tells_scores = self.service.tells_scores() && game.is_scored();
        let tells_owners = tells_scores && self.playouts.is_none() && game.has_owners();
        let n_points = if tells_owners { game.n_actions() } else { 0 };
        let place = |idx| game.policy_idx(form, Action(idx as u16));
        Ok(Box::new(Asker {
            points: (0..n_points).map(place).collect(),
            thread: self.service.add_thread(),
            service: Arc::clone(&self.service),
            prior: Arc::clone(&self.prior),
            lambda: self.lambda,
            tells_value: self.tells_value,
            tells_scores,
            playouts,
            pending: Vec::new(),
            spare: Vec::new(),
            encoded: EncodedPosition::default(),
            net: NetAnswer::default(),
        }))
    }

    fn refines_at(&self) -> Option<u32> {
        self.prior.refines_at()
    }

    fn tells_owners(&self) -> bool {
        self.playouts.is_some()
    }

    fn tells_value(&self) -> bool {
        self.tells_value
    }
}

/// One thread's questions.
struct Asker<G> {
    service: Arc<NetService>,
    thread: NetThread,
    prior: Arc<dyn Prior<G>>,
    lambda: f32,
    tells_value: bool,
    /// Whether the network tells leads of this game.
    tells_scores: bool,
    playouts: Option<(u32, Box<dyn Rollout<G>>)>,
    /// By action index, the place of its point among the owners that the network tells; empty if it tells none.
    points: Vec<usize>,
    pending: Vec<Pending>,
    spare: Vec<Pending>,
    encoded: EncodedPosition,
    /// The network's latest answer.
    net: NetAnswer,
}

/// A question with the part of its answer that needs no network.
#[derive(Default)]
struct Pending {
    ticket: Option<Ticket>,
    about: AnswerBasis,
    answer: EvaluationAnswer,
}

/// The parts of a question that its answer depends on.
#[derive(Default)]
struct AnswerBasis {
    mover: Option<Side>,
    wants_samples: bool,
    wants_ownership: bool,
    /// The places in the network's policy of the arms that take it.
    arms: Vec<usize>,
}

impl<G: Kit> Asker<G> {
    /// Answers what needs no network.
    fn begin(&mut self, question: &EvaluationQuery<'_, G>, rng: &mut Rng, out: &mut EvaluationAnswer) {
        let EvaluationQuery { cx, position, arms, stage, .. } = *question;
        if !arms.is_empty() {
            self.prior.fill(&cx, position, arms, stage, &mut out.priors);
        }
        let Some((n, rollout)) = self.playouts.as_mut().filter(|_| question.wants_samples) else { return };
        rollout.start(&cx, question.origin);
        for _ in 0..*n {
            rollout.run(position, rng, question.wants_ownership, out.push());
        }
    }

    /// Adds the network's part of an answer.
    fn finish(&self, about: &AnswerBasis, out: &mut EvaluationAnswer) {
        let (lambda, net) = (self.lambda, &self.net);
        let is_second = about.mover == Some(Side::Second);
        let value = if is_second { 1.0 - net.value } else { net.value };
        let lead = if !self.tells_scores {
            0.0
        } else if is_second {
            -net.lead
        } else {
            net.lead
        };
        out.value = Some(value).filter(|value| about.wants_samples && (0.0..=1.0).contains(value));
        if about.wants_samples && lambda < 1.0 {
            if out.samples().is_empty() {
                let outcome = &mut out.push().outcome;
                (outcome.win, outcome.score) = (value, lead);
                if about.wants_ownership {
                    let owner =
                        |&idx: &usize| net.ownership.get(idx).map_or(0.0, |&owner| sound_owner(owner));
                    let side = if is_second { -1.0 } else { 1.0 };
                    outcome.ownership.extend(self.points.iter().map(|idx| side * owner(idx)));
                }
            } else {
                for Outcome { win, score, .. } in
                    out.samples_mut().iter_mut().map(|sample| &mut sample.outcome)
                {
                    *win = (1.0 - lambda) * value + lambda * *win;
                    if self.tells_scores {
                        *score = (1.0 - lambda) * lead + lambda * *score;
                    }
                }
            }
        }
        for (p, &idx) in out.priors.p.iter_mut().zip(&about.arms) {
            *p = net.policy.get(idx).copied().unwrap_or(0.0);
        }
        if !about.arms.is_empty() {
            normalise(&mut out.priors.p);
        }
    }
}

/// An owner as a network tells it, −1..=1; nobody where it is no number.
fn sound_owner(owner: f32) -> f32 {
    if owner.is_finite() { owner.clamp(-1.0, 1.0) } else { 0.0 }
}

/// Makes probabilities of what a network says of the arms; equal ones if it says nothing that can be believed.
fn normalise(p: &mut [f32]) {
    let sum: f32 = p.iter().sum();
    let is_sound = sum > 0.0 && sum.is_finite() && p.iter().all(|p| *p >= 0.0);
    if is_sound {
        p.iter_mut().for_each(|p| *p /= sum);
    } else {
        flat_p::fill(p);
    }
}

impl<G: Kit> Evaluator<G> for Asker<G> {
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        out: &mut EvaluationAnswer,
    ) -> EvaluationStatus {
        self.begin(question, rng, out);
        let takes_policy = self.prior.takes_policy() && !question.arms.is_empty();
        let needs_value = question.wants_samples && self.tells_value;
        if !takes_policy && !needs_value {
            return EvaluationStatus::Ready;
        }
        let (position, form) = (question.position, self.service.form());
        let key = position.encode(form, question.origin, question.cx.path, &mut self.encoded);
        let mut pending = self.spare.pop().unwrap_or_default();
        let about = &mut pending.about;
        about.mover = Some(position.mover());
        about.wants_samples = question.wants_samples;
        about.wants_ownership = question.wants_ownership;
        about.arms.clear();
        let arms = if takes_policy { question.arms } else { &[] };
        about.arms.extend(arms.iter().map(|&action| position.policy_idx(form, action)));
        match self.service.ask(&mut self.thread, key, &mut self.encoded, &mut self.net) {
            Received::Known => {
                self.finish(&pending.about, out);
                self.spare.push(pending);
                EvaluationStatus::Ready
            }
            Received::Queued(ticket) => {
                pending.ticket = Some(ticket);
                std::mem::swap(&mut pending.answer, out);
                self.pending.push(pending);
                EvaluationStatus::Pending(ticket)
            }
        }
    }

    fn collect(&mut self, wait: bool, out: &mut EvaluationAnswer) -> Option<Ticket> {
        if self.pending.is_empty() {
            return None;
        }
        let ticket = self.service.collect(&mut self.thread, wait, &mut self.net)?;
        let place = self.pending.iter().position(|pending| pending.ticket == Some(ticket))?;
        let mut pending = self.pending.swap_remove(place);
        std::mem::swap(&mut pending.answer, out);
        self.finish(&pending.about, out);
        self.spare.push(pending);
        Some(ticket)
    }

    fn capacity(&self) -> usize {
        if self.service.batch() > 1 { self.service.batch() } else { 0 }
    }
}
