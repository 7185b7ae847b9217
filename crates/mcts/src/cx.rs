//! The context of every call: where the search stands ([`Cx`]), the result of a visit ([`Visit`]), and the scratch columns
//! in which one node's arms are weighed ([`Arms`], [`Priors`], [`Estimates`], [`Mixed`], [`ChildMask`]). Scratch columns
//! have one entry per child of the node and are reused from node to node.

use crate::by_action::TalliesByAction;
use crate::game::{Action, Outcome, Reward, Side};
use crate::trace::Trace;
use crate::tree::layout::{Gives, Layout};
use crate::tree::{ChildIdx, Node, NodeId, Tree};

/// One step of the path from the root: at `node`, `mover` chose `child`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathStep {
    /// The node the step starts from.
    pub node: NodeId,
    /// The arm that was taken.
    pub child: ChildIdx,
    /// Its action.
    pub action: Action,
    /// Who took it.
    pub mover: Side,
}

/// Where the search stands.
#[derive(Debug, Clone, Copy)]
pub struct Cx<'a> {
    /// The whole tree.
    pub tree: &'a Tree,
    /// The steps from the root to `node`, that one's own choice excluded: the grandparent is two from the end.
    pub path: &'a [PathStep],
    /// The root.
    pub root: NodeId,
    /// The node whose arms are considered.
    pub node: Node<'a>,
    /// The player to move at `node`; all values of its arms are seen by this side.
    pub mover: Side,
    /// The unit of values: win rates, 0..=1, or points.
    pub reward: Reward,
    /// The pass, if the game has one.
    pub pass: Option<Action>,
    /// The arms' visits, read when the search came to `node`; empty on the way up.
    pub arms: &'a Arms,
}

/// The arms' visits, as mixers and bounds count them. Means are over finished visits; whether an arm was tried, and how
/// often, for exploration, counts those under way as well.
#[derive(Debug, Clone, Default)]
pub struct Arms {
    /// n: finished visits, plus a prior's pseudo-visits.
    pub n: Vec<f32>,
    /// N(s) = Σ n.
    pub total: f32,
    /// n and the visits under way; empty where none can be.
    begun: Vec<f32>,
    begun_total: f32,
    /// Whether visits may be under way when arms are read.
    has_under_way: bool,
}

impl Arms {
    /// Empty columns for a search in which visits may be under way when arms are read, or not.
    pub(crate) fn new(has_under_way: bool) -> Arms {
        Arms { has_under_way, ..Arms::default() }
    }

    /// Visits for exploration: n and those under way.
    #[inline]
    pub fn begun(&self) -> &[f32] {
        if self.has_under_way { &self.begun } else { &self.n }
    }

    /// Σ of the visits for exploration.
    #[inline]
    pub fn begun_total(&self) -> f32 {
        if self.has_under_way { self.begun_total } else { self.total }
    }

    /// Draws an untried arm, as an equal choice among equal urgencies would; `None` if all were tried or barred.
    pub(crate) fn draw_untried(&self, barred: &[bool], draw: impl FnOnce(u32) -> u32) -> Option<ChildIdx> {
        let begun = self.begun();
        let n_untried: u32 = begun.iter().map(|&n| u32::from(n <= 0.0)).sum();
        if n_untried == 0 {
            return None;
        }
        let is_free = |idx: usize| begun[idx] <= 0.0 && !barred.get(idx).copied().unwrap_or(false);
        let n_free = if barred.is_empty() {
            n_untried as usize
        } else {
            (0..begun.len()).filter(|&idx| is_free(idx)).count()
        };
        let nth = match n_free {
            0 => return None,
            1 => 0,
            n => draw(n as u32) as usize,
        };
        (0..begun.len()).filter(|&idx| is_free(idx)).nth(nth).map(|idx| ChildIdx(idx as u16))
    }

    /// Reads a node's arms.
    pub(crate) fn read(&mut self, tree: &Tree, node: Node<'_>) {
        let n_children = node.n_children();
        self.n.resize(n_children, 0.0);
        self.total = match tree.layout().h {
            Some(columns) => node.read_visits_and(columns.visits, &mut self.n),
            None => node.read_visits(&mut self.n) as f32,
        };
        if self.has_under_way {
            self.begun.resize(n_children, 0.0);
            self.begun_total = self.total + node.read_under_way(&mut self.begun) as f32;
            self.begun.iter_mut().zip(&self.n).for_each(|(begun, n)| *begun += n);
        }
    }

    /// Values arms whose only visits are under way, of which no model knows anything: as much as the node's finished visits
    /// are worth on average. Neutral would attract where the mover is behind.
    pub(crate) fn value_unknown(&self, models: &[Estimates], values: &mut [f32]) {
        if !self.has_under_way || self.begun_total == self.total || self.total <= 0.0 {
            return;
        }
        let known: f32 = self.n.iter().zip(&*values).map(|(n, value)| n * value).sum();
        let mean = known / self.total;
        for (idx, value) in values.iter_mut().enumerate() {
            let is_unknown = self.n[idx] <= 0.0 && models.iter().all(|model| model.weight[idx] <= 0.0);
            if is_unknown && self.begun[idx] > 0.0 {
                *value = mean;
            }
        }
    }
}

/// The priors of a node's arms; columns that are not given stay empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Priors {
    /// P(a): static probability, sums to 1.
    pub p: Vec<f32>,
    /// H(s,a): value as the mover sees it, in the search's reward: 0..=1, or points.
    pub h: Vec<f32>,
    /// C(s,a): pseudo-visits of the Monte-Carlo model; they count in n and N(s).
    pub visits: Vec<f32>,
    /// C̃(s,a): pseudo-visits of the AMAF models.
    pub amaf_visits: Vec<f32>,
}

impl Priors {
    /// Makes room for this many arms; old numbers may stay.
    pub fn resize(&mut self, n_children: usize, gives: Gives) {
        let n_h = if gives.h { n_children } else { 0 };
        self.p.resize(if gives.p { n_children } else { 0 }, 0.0);
        self.h.resize(n_h, 0.0);
        self.visits.resize(n_h, 0.0);
        self.amaf_visits.resize(n_h, 0.0);
    }

    /// The priors of a node that has none yet: no probability, no visits.
    pub(crate) fn clear(&mut self, n_children: usize, gives: Gives) {
        self.resize(n_children, gives);
        for column in [&mut self.p, &mut self.h, &mut self.visits, &mut self.amaf_visits] {
            column.fill(0.0);
        }
    }

    /// Priors that say nothing: equal probabilities, neutral values without experience.
    pub(crate) fn make_neutral(&mut self, n_children: usize, gives: Gives, reward: Reward) {
        self.clear(n_children, gives);
        self.p.fill(1.0 / n_children as f32);
        self.h.fill(reward.neutral());
    }

    /// Reads a node's priors back.
    pub(crate) fn read(&mut self, layout: &Layout, node: Node<'_>) {
        self.resize(node.n_children(), layout.gives());
        layout.p.into_iter().for_each(|column| node.read_floats(column, &mut self.p));
        if let Some(columns) = layout.h {
            node.read_floats(columns.h, &mut self.h);
            node.read_floats(columns.visits, &mut self.visits);
            node.read_floats(columns.amaf_visits, &mut self.amaf_visits);
        }
    }

    /// Writes a node's priors.
    pub(crate) fn write(&self, layout: &Layout, node: Node<'_>) {
        layout.p.into_iter().for_each(|column| node.write_floats(column, &self.p));
        if let Some(columns) = layout.h {
            node.write_floats(columns.h, &self.h);
            node.write_floats(columns.visits, &self.visits);
            node.write_floats(columns.amaf_visits, &self.amaf_visits);
        }
    }
}

/// One model's estimates of all arms, as the mover sees them.
#[derive(Debug, Clone, Default)]
pub struct Estimates {
    /// The estimate; [`Reward::neutral`] where nothing is known.
    pub mean: Vec<f32>,
    /// How many observations stand behind it; 0 where nothing is known.
    pub weight: Vec<f32>,
    /// Whether the weight stands for an error that simulations do not make smaller, 1/(4·sd²) with the mean's standard deviation
    /// sd, rather than for simulations.
    pub is_uncertain: bool,
    /// What the model keeps of the nodes above while a simulation goes down.
    pub(crate) ancestors: TalliesByAction,
}

impl Estimates {
    pub(crate) fn resize(&mut self, n_children: usize) {
        self.mean.resize(n_children, 0.0);
        self.weight.resize(n_children, 0.0);
    }
}

/// The models mixed into one value per arm, as the mover sees them.
#[derive(Debug, Clone, Default)]
pub struct Mixed {
    /// Q*: the value of each arm. Arms with n = 0 get theirs from the first-play urgency.
    pub value: Vec<f32>,
    /// Per model: the weight β of that model in each arm's value; the weights of an arm add up to 1.
    pub weights: Vec<Vec<f32>>,
}

impl Mixed {
    pub(crate) fn resize(&mut self, n_children: usize, n_models: usize) {
        self.value.resize(n_children, 0.0);
        self.weights.resize_with(n_models, Vec::new);
        self.weights.iter_mut().for_each(|column| column.resize(n_children, 0.0));
    }
}

/// Which arms may be selected now. All may until they are dropped.
#[derive(Debug, Clone, Default)]
pub struct ChildMask {
    keep: Vec<bool>,
    n_dropped: usize,
}

impl ChildMask {
    /// Keeps all arms of a node.
    pub fn reset(&mut self, n_children: usize) {
        if self.n_dropped > 0 || self.keep.len() != n_children {
            self.keep.clear();
            self.keep.resize(n_children, true);
            self.n_dropped = 0;
        }
    }

    /// Leaves an arm out.
    pub fn drop(&mut self, child_idx: usize) {
        self.n_dropped += usize::from(std::mem::replace(&mut self.keep[child_idx], false));
    }

    /// Leaves barred arms out. If the others had all been dropped they come back: a bar is law, the rest is choice.
    pub(crate) fn bar(&mut self, barred: &[bool]) {
        let drop_barred = |mask: &mut ChildMask| {
            (0..barred.len()).filter(|&idx| barred[idx]).for_each(|idx| mask.drop(idx));
        };
        drop_barred(self);
        if self.is_none() {
            self.reset(self.keep.len());
            drop_barred(self);
        }
    }

    /// Whether an arm may be selected.
    #[inline]
    pub fn allows(&self, child_idx: usize) -> bool {
        self.keep[child_idx]
    }

    /// Whether nothing was left out.
    #[inline]
    pub fn is_all(&self) -> bool {
        self.n_dropped == 0
    }

    /// Whether everything was left out.
    #[inline]
    pub fn is_none(&self) -> bool {
        self.n_dropped == self.keep.len()
    }
}

/// One simulation as a node of its path sees it on the way up.
#[derive(Debug)]
pub struct Visit<'a> {
    /// The node's depth: 0 at the root. The move made here is `trace.plays()[depth]`.
    pub depth: usize,
    /// The arm that was taken here.
    pub chosen: ChildIdx,
    /// All moves of the simulation; its first-play map describes those from `depth` on.
    pub trace: &'a Trace,
    /// How it ended, as the first player sees it.
    pub outcome: &'a Outcome,
    /// The reward as the mover at this node sees it: 0..=1, or points.
    pub reward: f32,
    /// How many visits it stands for, at least 1.
    pub weight: u32,
    /// Whether the outcome is the arm's result for certain: the arm that was taken here ended the game, or the evaluation has
    /// proven what comes of it.
    pub is_proven: bool,
    /// A network's value of the position behind the arm, 0..=1, as the mover at this node sees it; only at the last node of
    /// the path, and only if a network was asked for it.
    pub value: Option<f32>,
}

impl<'a> Cx<'a> {
    /// The place `node` at the end of `path`.
    pub(crate) fn at(tree: &'a Tree, path: &'a [PathStep], node: Node<'a>, arms: &'a Arms) -> Cx<'a> {
        let root = path.first().map_or(node.id(), |step| step.node);
        let layout = tree.layout();
        Cx { tree, path, root, node, mover: node.mover(), reward: layout.reward, pass: layout.pass, arms }
    }
}
