//! The search: simulations one after the other, each from the root down, over its edge, and back up. It knows no policy;
//! everything that could be decided otherwise is a piece of the recipe.
//!
//! In reading order: [`pieces`] the objects that a recipe builds · [`method`] how simulations walk · [`limits`] when to stop ·
//! `weigh` one node's arms · `stats` sums of a run · `simulate` one simulation · `crew` many, by one thread or several · `tally` counts of the root's arms beside the tree · this file ·
//! `summary` the report of it.

mod crew;
pub mod limits;
pub mod method;
pub mod pieces;
mod simulate;
mod stats;
mod summary;
mod tally;
mod weigh;

use crate::evaluate::net::service::NetService;
use crate::evaluate::{Evaluation, Kit};
use crate::game::{Action, Game, Side};
use crate::pick::Pick;
use crate::report::{Arm, Report};
use crate::reward::{GameProgress, Judged, KomiContext};
use crate::tree::{Node, NodeId, Tree};
use crew::Shift;
use goban::Rng;
use method::SearchMethod;
use recipe::{Error, Recipe};
use simulate::{SharedParts, Worker};
use std::sync::Arc;
use std::time::Instant;

pub use crate::evaluate::net::loaded::LoadedNet;
pub use limits::Limits;
pub use pieces::{BuiltRecipe, Pieces, TreeReuse, VARIANT as ROOT};
pub use tally::Notes;

/// Seed, memory, threads and network of a search. They are no part of a recipe: with others it is still the same engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Everything random follows from it.
    pub seed: u64,
    /// Bytes that the tree, the answers of a network and the results of `leaf=solve` may take. When the tree has used up its part the least visited nodes are
    /// recycled.
    pub memory: usize,
    /// Threads that search the one tree, at least 1. With more than one the same seed no longer gives the same search.
    pub threads: usize,
    /// The network of recipes that say net=loaded.
    pub net: Option<LoadedNet>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seed: 1, memory: 1 << 30, threads: 1, net: None }
    }
}

/// A search over one game, with its tree.
pub struct Search<G: Game> {
    pieces: Pieces,
    evaluation: Box<dyn Evaluation<G>>,
    net: Option<Arc<NetService>>,
    pick: Box<dyn Pick>,
    tree: Tree,
    origin: G,
    /// None when the game has ended.
    root: Option<NodeId>,
    /// The root for which the selector has drawn its random numbers.
    begun_root: Option<NodeId>,
    /// Root arms that may not be chosen; empty when all may.
    barred: Vec<bool>,
    /// One for each thread, at least one.
    workers: Vec<Worker<G>>,
    /// How far the game at the root is.
    progress: GameProgress,
    /// Points that the second player got beyond the game's own in the last run.
    extra_komi: f32,
    /// The judgement of the last run, until an extra komi takes it into account.
    judged: Option<Judged>,
    notes: Notes,
    /// Whether the selector draws at the root what it draws for exploration.
    explores: bool,
}

impl<G: Kit> Search<G> {
    /// Builds the engine a recipe describes, rooted at `game`.
    ///
    /// # Errors
    /// When pieces of the recipe do not fit each other or the game.
    pub fn new(recipe: &Recipe, game: G, settings: &Settings) -> Result<Search<G>, Error> {
        Search::from_engine(BuiltRecipe::build(recipe, &game, settings)?, game, settings)
    }
}

impl<G: Game> Search<G> {
    /// Roots an engine at `game`; its pieces may have been changed by hand.
    ///
    /// # Errors
    /// When the game cannot use the evaluation.
    pub fn from_engine(engine: BuiltRecipe<G>, game: G, settings: &Settings) -> Result<Search<G>, Error> {
        let BuiltRecipe { pieces, layout, evaluation, net, pick } = engine;
        // A little is kept for the recycler's own lists and the allocator's, and what the network's answers and the
        // evaluation may take.
        let other_bytes = net.as_ref().map_or(0, |net| net.max_bytes()) + evaluation.bytes();
        let tree = Tree::new(layout, (settings.memory - settings.memory / 64).saturating_sub(other_bytes));
        // The first worker's numbers are those of the seed; the others' lie far from them and from each other.
        let rng = |idx: u64| Rng::new(settings.seed ^ idx.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let n_threads = settings.threads.max(1);
        let worker = |idx| Ok(Worker::new(evaluation.evaluator(&game)?, &game, rng(idx), n_threads));
        let workers = (0..n_threads as u64).map(worker).collect::<Result<_, _>>()?;
        let mut search = Search {
            pieces,
            evaluation,
            net,
            pick,
            tree,
            origin: game,
            root: None,
            begun_root: None,
            barred: Vec::new(),
            workers,
            progress: GameProgress::default(),
            extra_komi: 0.0,
            judged: None,
            notes: Notes::default(),
            explores: true,
        };
        search.grow_root();
        Ok(search)
    }

    /// Starts anew from another position of the same kind of game (same size): the tree is empty afterwards.
    pub fn set_root(&mut self, game: G) {
        debug_assert_eq!(game.n_actions(), self.origin.n_actions(), "a new kind of game needs a new search");
        self.forget();
        self.evaluation.forget();
        self.origin = game;
        self.progress = GameProgress::default();
        self.extra_komi = 0.0;
        self.judged = None;
        self.workers.iter_mut().for_each(|worker| worker.tally.clear());
        self.pieces.komi.iter_mut().for_each(|komi| komi.reset());
        self.grow_root();
    }

    /// Plays a legal action at the root. What the search knows of the new position is kept, unless the recipe wants a fresh
    /// tree, and all else is recycled; returns whether anything was kept.
    pub fn advance(&mut self, action: Action) -> bool {
        let keeps = self.pieces.tree == TreeReuse::Kept;
        let kept = self.root.filter(|_| keeps).and_then(|id| {
            let node = self.tree.node(id)?;
            Some(self.tree.child(node, node.find(action)?)?.id())
        });
        self.origin.play(action);
        self.progress.n_moves += 1;
        self.workers.iter_mut().for_each(|worker| worker.tally.clear());
        match (self.root, kept) {
            (Some(root), Some(_)) => {
                self.tree.recycle(root, kept);
                self.root = kept;
                self.begun_root = None;
                self.barred.clear();
                let n_arms = kept.and_then(|id| self.tree.node(id)).map(Node::n_children);
                n_arms.into_iter().for_each(|n| self.tree.set_least(n));
            }
            _ => {
                self.forget();
                self.grow_root();
            }
        }
        kept.is_some()
    }

    /// Bars root actions for which `allowed` is false, such as those a superko forbids; holds until the root changes.
    /// If none is allowed, none is barred.
    pub fn restrict_root(&mut self, mut allowed: impl FnMut(Action) -> bool) {
        let Some(node) = self.root.and_then(|id| self.tree.node(id)) else { return };
        self.barred = node.actions().map(|action| !allowed(action)).collect();
        if self.barred.iter().all(|&barred| barred) {
            self.barred.clear();
        }
    }

    /// Sets the notes to take at the root from now on. The search itself goes the same way whatever is noted, unless a
    /// model reads owners.
    pub fn set_notes(&mut self, notes: Notes) {
        self.notes = notes;
    }

    /// Sets whether the selector draws at roots what recipes let it draw for exploration, such as noise in P(a). What was drawn for the
    /// present root stays.
    pub fn set_explores(&mut self, explores: bool) {
        self.explores = explores;
        self.workers.iter_mut().for_each(|worker| worker.explores = explores);
    }

    /// The visits of each action of a line of play from the root, as far as the tree goes.
    pub fn visits_along(&self, line: &[Action]) -> Vec<u32> {
        let mut node = self.root.and_then(|id| self.tree.node(id));
        let mut visits = Vec::with_capacity(line.len());
        for &action in line {
            let Some((at, child)) = node.and_then(|at| Some((at, at.find(action)?))) else { break };
            visits.push(at.visits(child));
            node = self.tree.child(at, child);
        }
        visits
    }

    /// The position at the root.
    pub fn position(&self) -> &G {
        &self.origin
    }

    /// Runs simulations until a limit is reached or the choice is settled. Exactly `limits.simulations` new ones are run
    /// unless the deadline, the stop flag or a settled choice comes first, and at least one even then; none if the limit is
    /// 0 or the game has ended.
    pub fn run(&mut self, limits: &Limits) -> Report {
        let start = Instant::now();
        self.set_extra_komi();
        self.workers.iter_mut().for_each(|worker| worker.stats.clear());
        let mut shift = Shift::new(limits);
        let refines_at = self.evaluation.refines_at();
        if let Some(root) = self.root.filter(|_| limits.simulations > 0) {
            self.begin_root(root);
            loop {
                let n_grown = self.n_grown();
                let shared = SharedParts {
                    tree: &self.tree,
                    pieces: &self.pieces,
                    refines_at,
                    root,
                    origin: &self.origin,
                    barred: &self.barred,
                    extra_komi: self.extra_komi,
                    notes: self.notes,
                };
                shift.run(&shared, &mut self.workers);
                if !shift.wants_room() {
                    break;
                }
                // Where even recycled slots did not help, the nodes are too large for them.
                let has_room = self.n_grown() > n_grown && self.tree.make_room(root) > 0;
                shift.resume(has_room);
            }
        }
        let mut report = self.report();
        self.remember(&report);
        report.is_settled = shift.is_settled();
        report.seconds = start.elapsed().as_secs_f64();
        report
    }

    /// Lets the selector draw what it draws once for each root, unless it has or must not.
    fn begin_root(&mut self, root: NodeId) {
        if !self.explores {
            return;
        }
        if self.begun_root.replace(root) == Some(root) || self.pieces.method != SearchMethod::Tree {
            return;
        }
        if let (Some(node), Some(worker)) = (self.tree.node(root), self.workers.first_mut()) {
            self.pieces.selector.begin_root(node, &mut worker.rng);
        }
    }

    /// Asks the recipe's rule for the extra komi of the next run.
    fn set_extra_komi(&mut self) {
        let Some(komi) = self.pieces.komi.as_mut() else { return };
        let (progress, judged) = (self.progress, self.judged.take());
        let context = KomiContext { progress, mover: self.origin.mover(), judged };
        self.extra_komi = komi.extra(&context);
    }

    /// Keeps the value of a run for the next one's extra komi.
    fn remember(&mut self, report: &Report) {
        let value = match report.mover {
            Side::First => report.value,
            Side::Second => report.reward.flip(report.value),
        };
        self.judged = Some(Judged { value, simulations: report.simulations });
    }

    /// Tells how far the game at the root is; holds, counted on with each move, until the root is set anew.
    pub fn set_progress(&mut self, progress: GameProgress) {
        self.progress = progress;
    }

    fn n_grown(&self) -> u64 {
        self.workers.iter().map(|worker| worker.stats.n_grown).sum()
    }

    /// The current report on the root.
    pub fn report(&mut self) -> Report {
        let shared = self.root.map(|root| SharedParts {
            tree: &self.tree,
            pieces: &self.pieces,
            refines_at: None,
            root,
            origin: &self.origin,
            barred: &self.barred,
            extra_komi: self.extra_komi,
            notes: self.notes,
        });
        let models = &self.pieces.names;
        let mut report =
            summary::report(shared.as_ref(), &self.tree, &self.origin, models, &mut self.workers);
        report.extra_komi = self.extra_komi;
        report.bytes += self.net.as_ref().map_or(0, |net| net.bytes()) + self.evaluation.bytes();
        report
    }

    /// Who is to move after these actions from the root, and the arms there as that player sees them; `None` where the tree
    /// does not go so far. Of the root itself [`Search::report`] says more.
    pub fn arms_below(&mut self, actions: &[Action]) -> Option<(Side, Vec<Arm>)> {
        let shared = SharedParts {
            tree: &self.tree,
            pieces: &self.pieces,
            refines_at: None,
            root: self.root?,
            origin: &self.origin,
            barred: &self.barred,
            extra_komi: self.extra_komi,
            notes: self.notes,
        };
        summary::arms_below(&shared, self.workers.first_mut()?, actions)
    }

    /// The move to play, by the recipe's rule; `None` only if the game has ended.
    pub fn pick(&mut self, report: &Report) -> Option<Action> {
        let worker = self.workers.first_mut()?;
        self.pick.pick(report, &mut worker.rng)
    }

    fn forget(&mut self) {
        if let Some(root) = self.root.take() {
            self.tree.recycle(root, None);
        }
        self.barred.clear();
    }

    fn grow_root(&mut self) {
        self.begun_root = None;
        let Some(worker) = self.workers.first_mut() else { return };
        self.tree.set_least(worker.n_arms(&self.origin));
        self.root = worker.grow_root(&self.tree, &self.pieces, &self.origin);
        if self.root.is_none() {
            // Free slots of other sizes may hold all the memory there is.
            self.tree.reset();
            self.tree.set_least(worker.n_arms(&self.origin));
            self.root = worker.grow_root(&self.tree, &self.pieces, &self.origin);
        }
    }
}
