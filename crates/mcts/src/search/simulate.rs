//! One simulation: down the tree by the pieces' rules, one new node at most, a question about the position there, and back
//! up with the answer. All buffers belong to the worker, so that nothing is allocated once they have grown.

use super::method::SearchMethod;
use super::pieces::Pieces;
use super::stats::Stats;
use super::tally::{Notes, RootTally};
use super::weigh::Scratch;
use crate::cx::{Arms, Cx, PathStep, Priors, Visit};
use crate::evaluate::{EvaluationAnswer, EvaluationQuery, EvaluationStatus, Evaluator, Stage, Ticket};
use crate::game::{Action, Game, Side};
use crate::trace::{Play, Trace};
use crate::tree::layout::Gives;
use crate::tree::{ChildIdx, Node, NodeId, Tree};
use goban::Rng;

/// The parts of a search that all its workers look at.
pub(crate) struct SharedParts<'a, G: Game> {
    pub(crate) tree: &'a Tree,
    pub(crate) pieces: &'a Pieces,
    /// Visits of a node at which its priors are asked for again.
    pub(crate) refines_at: Option<u32>,
    pub(crate) root: NodeId,
    pub(crate) origin: &'a G,
    /// Root arms that may not be chosen; empty when all may.
    pub(crate) barred: &'a [bool],
    /// Points that the second player gets beyond the game's own while this run lasts.
    pub(crate) extra_komi: f32,
    /// The notes taken at the root.
    pub(crate) notes: Notes,
}

/// A question that was put, until its answer comes.
#[derive(Debug, Default)]
struct PendingEvaluation {
    ticket: Option<Ticket>,
    /// The steps of the simulation; empty if only priors were asked for.
    path: Vec<PathStep>,
    trace: Trace,
    /// The node that gets the priors, if any were asked for.
    node: Option<NodeId>,
    /// Whether the node has priors already, which are replaced.
    is_refinement: bool,
    /// Whether the last step ended the game.
    is_over: bool,
}

/// One thread's part of a search.
pub(crate) struct Worker<G: Game> {
    pub(crate) rng: Rng,
    evaluator: Box<dyn Evaluator<G>>,
    game: G,
    /// The simulation under way.
    now: PendingEvaluation,
    waiting: Vec<PendingEvaluation>,
    spare: Vec<PendingEvaluation>,
    pub(crate) arms: Arms,
    no_arms: Arms,
    pub(crate) scratch: Scratch,
    actions: Vec<Action>,
    answer: EvaluationAnswer,
    /// The priors that a node had before.
    old_priors: Priors,
    pub(crate) stats: Stats,
    pub(crate) tally: RootTally,
    /// Simulations of all runs.
    pub(crate) n_ever: u64,
    /// Whether the selector draws at roots.
    pub(crate) explores: bool,
    lacks_room: bool,
}

/// Where a descent ended.
enum DescentEnd {
    /// The game is over; the answer holds the outcome.
    Over,
    /// The position is to be evaluated; the node is the last one passed.
    Leaf(NodeId),
}

impl<G: Game> Worker<G> {
    /// A worker of a search with this many threads.
    pub(crate) fn new(evaluator: Box<dyn Evaluator<G>>, game: &G, rng: Rng, n_threads: usize) -> Worker<G> {
        let has_under_way = n_threads > 1 || evaluator.capacity() > 0;
        Worker {
            rng,
            evaluator,
            game: game.clone(),
            now: PendingEvaluation::default(),
            waiting: Vec::new(),
            spare: Vec::new(),
            arms: Arms::new(has_under_way),
            no_arms: Arms::default(),
            scratch: Scratch::default(),
            actions: Vec::new(),
            answer: EvaluationAnswer::default(),
            old_priors: Priors::default(),
            stats: Stats::default(),
            tally: RootTally::default(),
            n_ever: 0,
            explores: true,
            lacks_room: false,
        }
    }

    /// Runs one simulation, or its first half if the answer takes its time.
    pub(crate) fn simulate(&mut self, shared: &SharedParts<'_, G>) {
        self.game.clone_from(shared.origin);
        self.now.path.clear();
        self.now.trace.clear(shared.origin.n_actions(), shared.origin.pass());
        self.now.node = None;
        self.now.is_refinement = false;
        self.now.is_over = false;
        self.answer.clear();
        let every = shared.pieces.ownership_every(shared.notes.ownership_every);
        let wants_ownership = self.stats.n_simulations.is_multiple_of(every);
        self.stats.n_simulations += 1;
        self.n_ever += 1;
        match self.descend(shared) {
            DescentEnd::Over => {
                self.now.is_over = true;
                self.back_up(shared);
            }
            DescentEnd::Leaf(last) => self.evaluate(shared, last, wants_ownership),
        }
        while !self.waiting.is_empty() && self.finish_one(shared, false) {}
    }

    /// Whether the last simulation wanted a node for which there was no room; asking clears it.
    pub(crate) fn lacks_room(&mut self) -> bool {
        std::mem::take(&mut self.lacks_room)
    }

    /// Whether the widener has nothing left to decide at the root.
    pub(crate) fn is_settled(&mut self, shared: &SharedParts<'_, G>) -> bool {
        if shared.pieces.widener.keeps_all() {
            return false;
        }
        let Some(root) = shared.tree.node(shared.root) else { return false };
        self.arms.read(shared.tree, root);
        let cx = Cx::at(shared.tree, &[], root, &self.arms);
        self.scratch.weigh(shared.pieces, &cx, true);
        shared.pieces.widener.is_settled(&cx, &self.scratch.models, &self.scratch.mixed)
    }

    /// Finishes all simulations that wait. An evaluator that owes an answer and has none is taken to know nothing.
    pub(crate) fn drain(&mut self, shared: &SharedParts<'_, G>) {
        while !self.waiting.is_empty() && self.finish_one(shared, true) {}
        while let Some(forgotten) = self.waiting.pop() {
            self.answer.clear();
            self.answer.priors.clear(0, shared.tree.layout().gives());
            self.spare.push(std::mem::replace(&mut self.now, forgotten));
            self.receive(shared.tree, shared.pieces);
            self.back_up(shared);
        }
    }

    /// Takes one finished answer from the evaluator and finishes its simulation.
    fn finish_one(&mut self, shared: &SharedParts<'_, G>, wait: bool) -> bool {
        self.answer.clear();
        let Some(ticket) = self.evaluator.collect(wait, &mut self.answer) else { return false };
        let Some(place) = self.waiting.iter().position(|asked| asked.ticket == Some(ticket)) else {
            debug_assert!(false, "an answer that nobody asked for");
            return false;
        };
        let finished = self.waiting.swap_remove(place);
        self.spare.push(std::mem::replace(&mut self.now, finished));
        self.receive(shared.tree, shared.pieces);
        self.back_up(shared);
        true
    }

    /// Follows the selector from the root to the edge of the tree and lets a ripe leaf grow. Visits are under way until the
    /// answer comes; then they are finished.
    fn descend(&mut self, shared: &SharedParts<'_, G>) -> DescentEnd {
        let (tree, pieces) = (shared.tree, shared.pieces);
        let Some(mut node) = tree.node(shared.root) else { return DescentEnd::Leaf(shared.root) };
        let draws_untried = pieces.draws_untried();
        self.scratch.forget_ancestors();
        if shared.refines_at.is_some() {
            self.refine(shared, node);
        }
        loop {
            self.arms.read(tree, node);
            let cx = Cx::at(tree, &self.now.path, node, &self.arms);
            let barred = if self.now.path.is_empty() { shared.barred } else { &[] };
            let rng = &mut self.rng;
            let untried = if draws_untried { self.arms.draw_untried(barred, |n| rng.below(n)) } else { None };
            let child = untried.unwrap_or_else(|| {
                self.scratch.weigh_below(pieces, &cx, !draws_untried);
                self.scratch.select(pieces, &cx, barred, rng)
            });
            node.begin_visit(child);
            let next = tree.child(node, child).filter(|_| pieces.method.reaches(self.now.path.len() + 1));
            let is_ripe = next.is_none()
                && pieces.method.grows(&cx, child).unwrap_or_else(|| pieces.expander.ripe(&cx, child));
            let step = PathStep { node: node.id(), child, action: node.action(child), mover: cx.mover };
            self.now.path.push(step);
            self.now.trace.push(Play::new(step.mover, step.action));
            self.game.play(step.action);
            match next {
                Some(next) if next.is_open() => {
                    if shared.refines_at.is_some_and(|n| node.visits(child) >= n) {
                        self.refine(shared, next);
                    }
                    node = next;
                }
                // Another simulation waits for this node's priors: what is below it cannot be chosen yet.
                Some(_) => return DescentEnd::Leaf(node.id()),
                None if self.is_over() => return DescentEnd::Over,
                None => {
                    if is_ripe {
                        self.expand(shared, node, child);
                    }
                    return DescentEnd::Leaf(node.id());
                }
            }
        }
    }

    /// Whether the game has ended; the outcome is then the answer.
    fn is_over(&mut self) -> bool {
        let is_over = self.game.ended(&mut self.answer.push().outcome);
        if !is_over {
            self.answer.clear();
        }
        is_over
    }

    /// Grows a node for the current position, which awaits its priors if there are any.
    fn expand(&mut self, shared: &SharedParts<'_, G>, parent: Node<'_>, child: ChildIdx) {
        match self.grow(shared.tree) {
            Some(node) => {
                if shared.tree.link(parent, child, node.id()) && !node.is_open() {
                    self.now.node = Some(node.id());
                }
                self.stats.n_grown += 1;
            }
            None => {
                self.stats.is_full = true;
                self.lacks_room = shared.tree.is_usual(self.actions.len());
            }
        }
    }

    /// The number of arms of a position.
    pub(crate) fn n_arms(&mut self, position: &G) -> usize {
        self.actions.clear();
        position.actions(&mut self.actions);
        self.actions.len()
    }

    /// The root's node, with its priors; `None` if the game has ended or there is no room.
    pub(crate) fn grow_root(&mut self, tree: &Tree, pieces: &Pieces, origin: &G) -> Option<NodeId> {
        self.game.clone_from(origin);
        self.now.path.clear();
        let is_over = self.is_over();
        self.answer.clear();
        if is_over {
            return None;
        }
        let node = self.grow(tree)?;
        if !node.is_open() {
            self.now.node = Some(node.id());
            self.now.is_refinement = false;
            if let EvaluationStatus::Pending(ticket) = self.ask(tree, origin, node, Stage::Birth, None) {
                while self
                    .evaluator
                    .collect(true, &mut self.answer)
                    .is_some_and(|answered| answered != ticket)
                {}
            }
            self.receive(tree, pieces);
        }
        Some(node.id())
    }

    /// Makes a node of the current position; open at once if no priors are given.
    fn grow<'a>(&mut self, tree: &'a Tree) -> Option<Node<'a>> {
        self.actions.clear();
        self.game.actions(&mut self.actions);
        if self.actions.is_empty() {
            return None;
        }
        let node = tree.add(self.game.mover(), &self.actions)?;
        if tree.layout().gives() == Gives::default() {
            node.open();
        }
        Some(node)
    }

    /// Asks for better priors of a node, whose position is the current one, unless somebody has.
    fn refine(&mut self, shared: &SharedParts<'_, G>, node: Node<'_>) {
        if !node.claim_refinement() {
            return;
        }
        self.actions.clear();
        self.actions.extend(node.actions());
        let reply = self.ask(shared.tree, shared.origin, node, Stage::Refined, None);
        let mut asked = self.spare.pop().unwrap_or_default();
        asked.path.clear();
        asked.node = Some(node.id());
        asked.is_refinement = true;
        match reply {
            EvaluationStatus::Ready => {
                let now = std::mem::replace(&mut self.now, asked);
                self.receive(shared.tree, shared.pieces);
                self.spare.push(std::mem::replace(&mut self.now, now));
            }
            EvaluationStatus::Pending(ticket) => {
                asked.ticket = Some(ticket);
                self.waiting.push(asked);
            }
        }
        self.answer.clear();
    }

    /// Evaluates the position at the end of the path and backs its answer up, or waits for it.
    fn evaluate(&mut self, shared: &SharedParts<'_, G>, last: NodeId, wants_ownership: bool) {
        let node = shared.tree.node(self.now.node.unwrap_or(last));
        let Some(node) = node.or_else(|| shared.tree.node(last)) else { return self.back_up(shared) };
        match self.ask(shared.tree, shared.origin, node, Stage::Birth, Some(wants_ownership)) {
            EvaluationStatus::Ready => {
                self.receive(shared.tree, shared.pieces);
                self.back_up(shared);
            }
            EvaluationStatus::Pending(ticket) => {
                self.now.ticket = Some(ticket);
                let spare = self.spare.pop().unwrap_or_default();
                self.waiting.push(std::mem::replace(&mut self.now, spare));
                while self.waiting.len() >= self.evaluator.capacity().max(1) && self.finish_one(shared, true)
                {
                }
            }
        }
    }

    /// Puts the question about the current position. Priors are asked for if `node` is the position's own; samples if it
    /// is said whether ownership is wanted with them.
    fn ask(
        &mut self,
        tree: &Tree,
        origin: &G,
        node: Node<'_>,
        stage: Stage,
        samples: Option<bool>,
    ) -> EvaluationStatus {
        let wants_priors = stage == Stage::Refined || self.now.node.is_some();
        let arms: &[Action] = if wants_priors { &self.actions } else { &[] };
        // An evaluator that leaves a column alone leaves no other node's numbers in it.
        self.answer.priors.make_neutral(arms.len(), tree.layout().gives(), tree.layout().reward);
        let question = EvaluationQuery {
            cx: Cx::at(tree, &self.now.path, node, &self.no_arms),
            position: &self.game,
            origin,
            arms,
            stage,
            wants_samples: samples.is_some(),
            wants_ownership: samples == Some(true),
        };
        self.evaluator.ask(&question, &mut self.rng, &mut self.answer)
    }

    /// Gives the node that awaits them its priors, and opens it.
    fn receive(&mut self, tree: &Tree, pieces: &Pieces) {
        let Some(node) = self.now.node.take().and_then(|id| tree.node(id)) else { return };
        let (layout, priors) = (tree.layout(), &mut self.answer.priors);
        let gives = layout.gives();
        if priors.p.len().max(priors.h.len()) != node.n_children() {
            debug_assert!(priors.p.is_empty() && priors.h.is_empty(), "priors for another node");
            priors.make_neutral(node.n_children(), gives, layout.reward);
        }
        if self.now.is_refinement {
            self.old_priors.read(layout, node);
        } else {
            self.old_priors.clear(node.n_children(), gives);
        }
        priors.write(layout, node);
        pieces.models.iter().for_each(|model| model.seed(node, &self.old_priors, priors));
        pieces.widener.seed(node, &self.old_priors, priors);
        if !self.now.is_refinement {
            node.open();
        } else if self.explores && pieces.method == SearchMethod::Tree && tree.parent(node).is_none() {
            pieces.selector.begin_root(node, &mut self.rng);
        }
    }

    /// Tells every node of the path the result of the simulation, from the leaf to the root.
    fn back_up(&mut self, shared: &SharedParts<'_, G>) {
        if self.now.path.is_empty() {
            return;
        }
        if self.answer.samples().is_empty() {
            self.answer.push().outcome.win = f32::NAN;
        }
        let PendingEvaluation { path, trace, is_over, .. } = &mut self.now;
        let reads_trace = shared.pieces.models.iter().any(|model| model.reads_trace());
        for step in path.iter() {
            shared.tree.node(step.node).into_iter().for_each(|node| node.end_visit(step.child));
        }
        let (value, n_steps) = (self.answer.value, path.len());
        let is_proven = *is_over || self.answer.is_proven;
        for sample in self.answer.samples_mut() {
            if !sample.outcome.is_sound() {
                sample.outcome.make_neutral();
                self.stats.n_unsound += 1;
            }
            let real_win = sample.outcome.win;
            if shared.extra_komi != 0.0 {
                sample.outcome.recount(shared.extra_komi);
            }
            let (outcome, weight) = (&sample.outcome, sample.weight.max(1));
            self.stats.add(outcome, weight);
            if let Some((step, root)) = path.first().zip(shared.tree.node(shared.root)) {
                self.tally.add(step.child.idx(), root.n_children(), outcome, weight, shared.notes);
            }
            if reads_trace {
                trace.follow(path.len(), &sample.tail);
            }
            for (depth, step) in path.iter().enumerate().rev() {
                if reads_trace {
                    trace.include(depth);
                }
                let Some(node) = shared.tree.node(step.node) else { continue };
                node.add_visits(step.child, weight);
                let cx = Cx::at(shared.tree, &path[..depth], node, &self.no_arms);
                if let Some(win) = shared.tree.layout().win {
                    let real_win = if step.mover == Side::First { real_win } else { 1.0 - real_win };
                    node.add_sum(win, step.child, real_win * weight as f32);
                }
                let reward = match &shared.pieces.margin {
                    None => shared.pieces.reward.of(outcome, step.mover),
                    Some(margin) => margin.reward(outcome, step.mover),
                };
                let is_proven = is_proven && depth + 1 == path.len();
                let value = value.filter(|_| depth + 1 == n_steps);
                let value = value.map(|value| if step.mover == Side::First { value } else { 1.0 - value });
                let chosen = step.child;
                let visit = Visit { depth, chosen, trace, outcome, reward, weight, is_proven, value };
                shared.pieces.models.iter().for_each(|model| model.observe(&cx, &visit));
                shared.pieces.widener.observe(&cx, &visit);
                shared.pieces.expander.observe(&cx, &visit);
                shared.pieces.moments.iter().for_each(|moments| moments.observe(&cx, &visit));
            }
        }
    }
}
