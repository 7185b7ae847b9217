//! One simulation: down the tree by the pieces' rules, one new node at most, an evaluation, and back up. All buffers
//! belong to the worker, so that nothing is allocated once they have grown.

use super::method::Method;
use super::pieces::Pieces;
use super::tally::{Notes, Tally};
use crate::cx::{Arms, ChildMask, Cx, Estimates, Mixed, Step, Visit, cx_at};
use crate::game::{Action, Game, Outcome, Side};
use crate::leaf::{Evaluation, Gathered, Leaf, Ticket};
use crate::math::argmax;
use crate::prior::Priors;
use crate::select::Draw;
use crate::trace::{Play, Trace};
use crate::tree::layout::Gives;
use crate::tree::{ChildIdx, Node, NodeId, Tree};
use goban::Rng;

/// What all workers of a search look at.
pub(crate) struct Shared<'a, G: Game> {
    pub(crate) tree: &'a Tree,
    pub(crate) pieces: &'a Pieces<G>,
    pub(crate) root: NodeId,
    pub(crate) origin: &'a G,
    /// Root arms that may not be chosen; empty when all may.
    pub(crate) barred: &'a [bool],
    /// Points that the second player gets beyond the game's own while this run lasts.
    pub(crate) extra_komi: f32,
    /// What is noted at the root.
    pub(crate) notes: Notes,
}

/// The columns in which one node's arms are weighed.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) models: Vec<Estimates>,
    pub(crate) mixed: Mixed,
    pub(crate) mask: ChildMask,
    pub(crate) scores: Vec<f32>,
}

/// What the simulations of one run add up to.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    pub(crate) n_simulations: u64,
    pub(crate) n_samples: u64,
    /// Evaluations that were no numbers and counted as draws.
    pub(crate) n_unsound: u64,
    pub(crate) score_sum: f64,
    pub(crate) ownership: Vec<i32>,
    pub(crate) n_ownership: u32,
    /// Nodes that were made.
    pub(crate) n_grown: u64,
    /// Whether a node was wanted for which there was no room.
    pub(crate) is_full: bool,
}

impl Stats {
    pub(crate) fn clear(&mut self) {
        let mut ownership = std::mem::take(&mut self.ownership);
        ownership.clear();
        *self = Stats { ownership, ..Stats::default() };
    }

    /// Adds what another worker found.
    pub(crate) fn merge(&mut self, other: &Stats) {
        self.n_simulations += other.n_simulations;
        self.n_samples += other.n_samples;
        self.n_unsound += other.n_unsound;
        self.score_sum += other.score_sum;
        self.n_ownership += other.n_ownership;
        self.n_grown += other.n_grown;
        self.is_full |= other.is_full;
        self.ownership.resize(self.ownership.len().max(other.ownership.len()), 0);
        self.ownership.iter_mut().zip(&other.ownership).for_each(|(sum, other)| *sum += other);
    }

    fn add(&mut self, outcome: &Outcome, weight: u32) {
        self.n_samples += u64::from(weight);
        self.score_sum += f64::from(outcome.score) * f64::from(weight);
        if !outcome.ownership.is_empty() {
            self.ownership.resize(outcome.ownership.len(), 0);
            for (sum, &owner) in self.ownership.iter_mut().zip(&outcome.ownership) {
                *sum += i32::from(owner);
            }
            self.n_ownership += 1;
        }
    }
}

/// A simulation that waits for its evaluation.
#[derive(Debug, Default)]
struct Waiting {
    ticket: Option<Ticket>,
    path: Vec<Step>,
    trace: Trace,
}

/// One thread's part of a search.
pub(crate) struct Worker<G: Game> {
    pub(crate) rng: Rng,
    leaf: Box<dyn Leaf<G>>,
    game: G,
    /// The simulation under way.
    now: Waiting,
    waiting: Vec<Waiting>,
    spare: Vec<Waiting>,
    pub(crate) arms: Arms,
    pub(crate) scratch: Scratch,
    actions: Vec<Action>,
    priors: Priors,
    evaluation: Evaluation,
    pub(crate) stats: Stats,
    pub(crate) tally: Tally,
    /// Simulations of all runs.
    pub(crate) n_ever: u64,
    lacks_room: bool,
}

impl Scratch {
    /// Estimates, mixes and values the arms of `cx.node`; with `has_untried` there may be some that were never tried.
    pub(crate) fn weigh<G: Game>(&mut self, pieces: &Pieces<G>, cx: &Cx<'_, G>, has_untried: bool) {
        self.resize(cx.node.n_children(), pieces.models.len());
        for (model, out) in pieces.models.iter().zip(&mut self.models) {
            model.estimate(cx, out);
        }
        pieces.mixer.mix(cx, &self.models, &mut self.mixed);
        if has_untried {
            pieces.fpu.fill(cx, &self.models, &mut self.mixed);
        }
    }

    /// Makes room for so many arms in all columns; neighbouring nodes mostly have as many.
    #[inline]
    fn resize(&mut self, n_children: usize, n_models: usize) {
        if self.scores.len() == n_children && self.models.len() == n_models {
            return;
        }
        self.models.resize_with(n_models, Estimates::default);
        self.models.iter_mut().for_each(|model| model.resize(n_children));
        self.mixed.resize(n_children, n_models);
        self.scores.resize(n_children, 0.0);
    }

    /// Chooses the arm to follow; `barred` is empty below the root.
    fn select<G: Game>(
        &mut self,
        pieces: &Pieces<G>,
        cx: &Cx<'_, G>,
        barred: &[bool],
        rng: &mut Rng,
    ) -> ChildIdx {
        self.mask.reset(cx.node.n_children());
        pieces.widener.keep(cx, &self.models, &self.mixed, &mut self.mask);
        self.mask.bar(barred);
        if let Method::Flat { .. } = pieces.method {
            return self.select_rarest(&cx.arms.n, rng);
        }
        let mut draw = Draw { scores: &mut self.scores, rng };
        pieces.selector.select(cx, &self.models, &self.mixed, &self.mask, &mut draw)
    }
}

impl Scratch {
    /// The least visited arm among those kept.
    fn select_rarest(&mut self, n: &[f32], rng: &mut Rng) -> ChildIdx {
        for (child_idx, (score, n)) in self.scores.iter_mut().zip(n).enumerate() {
            *score = if self.mask.allows(child_idx) { -n } else { f32::NEG_INFINITY };
        }
        ChildIdx(argmax(&self.scores, |n| rng.below(n)).unwrap_or(0) as u16)
    }
}

/// Where a descent ended.
enum End {
    /// The game is over; the evaluation holds the outcome.
    Over,
    /// The position is to be evaluated; the node is the last one passed.
    Leaf(NodeId),
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(leaf: Box<dyn Leaf<G>>, game: &G, rng: Rng) -> Worker<G> {
        Worker {
            rng,
            leaf,
            game: game.clone(),
            now: Waiting::default(),
            waiting: Vec::new(),
            spare: Vec::new(),
            arms: Arms::default(),
            scratch: Scratch::default(),
            actions: Vec::new(),
            priors: Priors::default(),
            evaluation: Evaluation::default(),
            stats: Stats::default(),
            tally: Tally::default(),
            n_ever: 0,
            lacks_room: false,
        }
    }

    /// Runs one simulation, or its first half if the evaluation takes its time.
    pub(crate) fn simulate(&mut self, shared: &Shared<'_, G>) {
        self.game.clone_from(shared.origin);
        self.now.path.clear();
        self.now.trace.clear(shared.origin.n_actions(), shared.origin.pass());
        self.evaluation.clear();
        let every = shared.pieces.ownership_every(shared.notes.ownership_every);
        self.evaluation.wants_ownership = self.stats.n_simulations.is_multiple_of(every);
        self.stats.n_simulations += 1;
        self.n_ever += 1;
        let gathered = match self.descend(shared) {
            End::Over => Gathered::Ready,
            End::Leaf(last) => self.evaluate(shared, last),
        };
        match gathered {
            Gathered::Ready => self.back_up(shared),
            Gathered::Pending(ticket) => {
                self.now.ticket = Some(ticket);
                let spare = self.spare.pop().unwrap_or_default();
                self.waiting.push(std::mem::replace(&mut self.now, spare));
                while self.waiting.len() >= self.leaf.capacity().max(1) && self.finish_one(shared, true) {}
            }
        }
        while !self.waiting.is_empty() && self.finish_one(shared, false) {}
    }

    /// Whether the last simulation wanted a node for which there was no room; asking clears it.
    pub(crate) fn lacks_room(&mut self) -> bool {
        std::mem::take(&mut self.lacks_room)
    }

    /// Whether the widener has nothing left to decide at the root.
    pub(crate) fn is_settled(&mut self, shared: &Shared<'_, G>) -> bool {
        if shared.pieces.widener.keeps_all() {
            return false;
        }
        let Some(root) = shared.tree.node(shared.root) else { return false };
        self.arms.read(shared.tree, root);
        let cx = cx_at(shared.tree, shared.origin, &[], root, &self.arms);
        self.scratch.weigh(shared.pieces, &cx, true);
        shared.pieces.widener.is_settled(&cx, &self.scratch.models, &self.scratch.mixed)
    }

    /// Finishes all simulations that wait.
    pub(crate) fn drain(&mut self, shared: &Shared<'_, G>) {
        while !self.waiting.is_empty() && self.finish_one(shared, true) {}
        debug_assert!(self.waiting.is_empty(), "the leaf forgot a pending evaluation");
        self.waiting.clear();
    }

    /// Takes one finished evaluation from the leaf and backs it up.
    fn finish_one(&mut self, shared: &Shared<'_, G>, wait: bool) -> bool {
        self.evaluation.clear();
        let Some(ticket) = self.leaf.apply(wait, &mut self.evaluation) else { return false };
        let Some(place) = self.waiting.iter().position(|waiting| waiting.ticket == Some(ticket)) else {
            return false;
        };
        let finished = self.waiting.swap_remove(place);
        let before = std::mem::replace(&mut self.now, finished);
        self.spare.push(before);
        self.back_up(shared);
        true
    }

    /// Follows the selector from the root to the edge of the tree and lets a ripe leaf grow. Visits are counted on the
    /// way down: until the reward comes they stand as losses and keep other simulations from following too closely.
    fn descend(&mut self, shared: &Shared<'_, G>) -> End {
        let (tree, pieces) = (shared.tree, shared.pieces);
        let Some(mut node) = tree.node(shared.root) else { return End::Leaf(shared.root) };
        let draws_untried = pieces.draws_untried();
        loop {
            self.arms.read(tree, node);
            let position = Some(&self.game);
            let cx = Cx { position, ..cx_at(tree, shared.origin, &self.now.path, node, &self.arms) };
            let barred = if self.now.path.is_empty() { shared.barred } else { &[] };
            let rng = &mut self.rng;
            let untried = if draws_untried { self.arms.draw_untried(barred, |n| rng.below(n)) } else { None };
            let child = untried.unwrap_or_else(|| {
                self.scratch.weigh(pieces, &cx, !draws_untried);
                self.scratch.select(pieces, &cx, barred, rng)
            });
            node.add_visits(child, 1);
            let next = tree.child(node, child).filter(|_| pieces.method.reaches(self.now.path.len() + 1));
            let is_ripe = next.is_none()
                && pieces.method.grows(&cx, child).unwrap_or_else(|| pieces.expander.ripe(&cx, child));
            let step = Step { node: node.id(), child, action: node.action(child), mover: cx.mover };
            self.now.path.push(step);
            self.now.trace.push(Play::new(step.mover, step.action));
            self.game.play(step.action);
            match next {
                Some(next) => node = next,
                None if self.is_over() => return End::Over,
                None => {
                    if is_ripe {
                        self.expand(shared, node, child);
                    }
                    return End::Leaf(node.id());
                }
            }
        }
    }

    /// Whether the game has ended; the outcome is then the evaluation.
    fn is_over(&mut self) -> bool {
        let is_over = self.game.ended(&mut self.evaluation.push().outcome);
        if !is_over {
            self.evaluation.clear();
        }
        is_over
    }

    fn expand(&mut self, shared: &Shared<'_, G>, parent: Node<'_>, child: ChildIdx) {
        match self.grow(shared.tree, shared.pieces, shared.origin) {
            Some(id) => {
                shared.tree.link(parent, child, id);
                self.stats.n_grown += 1;
            }
            None => {
                self.stats.is_full = true;
                self.lacks_room = shared.tree.is_usual(self.actions.len());
            }
        }
    }

    /// How many arms a position has.
    pub(crate) fn n_arms(&mut self, position: &G) -> usize {
        self.actions.clear();
        position.actions(&mut self.actions);
        self.actions.len()
    }

    /// The root's node; `None` if the game has ended or there is no room.
    pub(crate) fn grow_root(&mut self, tree: &Tree, pieces: &Pieces<G>, origin: &G) -> Option<NodeId> {
        self.game.clone_from(origin);
        self.now.path.clear();
        let is_over = self.is_over();
        self.evaluation.clear();
        if is_over { None } else { self.grow(tree, pieces, origin) }
    }

    /// Makes a node of the current position and fills in what is known of its arms.
    fn grow(&mut self, tree: &Tree, pieces: &Pieces<G>, origin: &G) -> Option<NodeId> {
        self.actions.clear();
        self.game.actions(&mut self.actions);
        if self.actions.is_empty() {
            return None;
        }
        let node = tree.add(self.game.mover(), &self.actions)?;
        let gives = pieces.prior.gives();
        if gives != Gives::default() {
            let arms = Arms::default();
            let cx = Cx { position: Some(&self.game), ..cx_at(tree, origin, &self.now.path, node, &arms) };
            self.priors.resize(node.n_children(), gives);
            pieces.prior.fill(&cx, &self.game, &self.actions, &mut self.priors);
            let layout = tree.layout();
            let columns = [
                (layout.p, &self.priors.p),
                (layout.h, &self.priors.h),
                (layout.pseudo, &self.priors.visits),
            ];
            for (column, values) in columns {
                column.into_iter().for_each(|column| node.write_floats(column, values));
            }
            pieces.models.iter().for_each(|model| model.seed(&cx, &self.priors));
            pieces.widener.seed(&cx, &self.priors);
        }
        Some(node.id())
    }

    fn evaluate(&mut self, shared: &Shared<'_, G>, last: NodeId) -> Gathered {
        let Some(node) = shared.tree.node(last) else { return Gathered::Ready };
        let cx = Cx {
            position: Some(&self.game),
            ..cx_at(shared.tree, shared.origin, &self.now.path, node, &self.arms)
        };
        self.leaf.gather(&cx, &self.game, &mut self.rng, &mut self.evaluation)
    }

    /// Tells every node of the path what came of the simulation, from the leaf to the root.
    fn back_up(&mut self, shared: &Shared<'_, G>) {
        if self.evaluation.samples().is_empty() {
            self.evaluation.push().outcome.win = f32::NAN;
        }
        let Waiting { path, trace, .. } = &mut self.now;
        let no_arms = Arms::default();
        let reads_trace = shared.pieces.models.iter().any(|model| model.reads_trace());
        // The first visit was counted on the way down.
        let mut n_counted = 1;
        for sample in self.evaluation.samples_mut() {
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
                node.add_visits(step.child, weight - n_counted);
                let cx = cx_at(shared.tree, shared.origin, &path[..depth], node, &no_arms);
                if let Some(win) = shared.tree.layout().win {
                    let real_win = if step.mover == Side::First { real_win } else { 1.0 - real_win };
                    node.add_sum(win, step.child, real_win * weight as f32);
                }
                let reward = shared.pieces.reward.of(outcome, step.mover);
                let visit = Visit { depth, chosen: step.child, trace, outcome, reward, weight };
                shared.pieces.models.iter().for_each(|model| model.observe(&cx, &visit));
                shared.pieces.widener.observe(&cx, &visit);
                shared.pieces.expander.observe(&cx, &visit);
            }
            n_counted = 0;
        }
    }
}
