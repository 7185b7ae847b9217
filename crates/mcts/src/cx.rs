//! What every piece is told: where the search stands ([`Cx`]), what came of a visit ([`Visit`]), and the scratch columns
//! in which one node's arms are weighed ([`Arms`], [`Estimates`], [`Mixed`], [`ChildMask`]). Scratch columns have one
//! entry per child of the node and are reused from node to node.

use crate::game::{Action, Game, Outcome, Reward, Side};
use crate::trace::Trace;
use crate::tree::{ChildIdx, Node, NodeId, Tree};

/// One step of the path from the root: at `node`, `mover` chose `child`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
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
#[derive(Debug)]
pub struct Cx<'a, G> {
    /// The whole tree.
    pub tree: &'a Tree,
    /// The steps from the root to `node`, that one's own choice excluded: the grandparent is two from the end.
    pub path: &'a [Step],
    /// The root.
    pub root: NodeId,
    /// The node whose arms are considered.
    pub node: Node<'a>,
    /// Who is to move at `node`; all values of its arms are seen by this side.
    pub mover: Side,
    /// What values mean: win rates, 0..=1, or points.
    pub reward: Reward,
    /// The arms' visits, read when the search came to `node`; empty on the way up.
    pub arms: &'a Arms,
    /// The position at the root, for what never changes: size, number of actions.
    pub origin: &'a G,
    /// The position at `node`; on the way up it is gone.
    pub position: Option<&'a G>,
}

impl<G> Clone for Cx<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Cx<'_, G> {}

/// The arms' visits, as mixers and bounds count them.
#[derive(Debug, Clone, Default)]
pub struct Arms {
    /// n: real visits, those in flight included, plus a prior's pseudo-visits.
    pub n: Vec<f32>,
    /// N(s) = Σ n.
    pub total: f32,
    scratch: Vec<f32>,
}

impl Arms {
    /// Draws an untried arm, as an equal choice among equal urgencies would; `None` if all were tried or barred.
    pub(crate) fn draw_untried(&self, barred: &[bool], draw: impl FnOnce(u32) -> u32) -> Option<ChildIdx> {
        let n_untried: u32 = self.n.iter().map(|&n| u32::from(n <= 0.0)).sum();
        if n_untried == 0 {
            return None;
        }
        let is_free = |idx: usize| self.n[idx] <= 0.0 && !barred.get(idx).copied().unwrap_or(false);
        let n_free = if barred.is_empty() {
            n_untried as usize
        } else {
            (0..self.n.len()).filter(|&idx| is_free(idx)).count()
        };
        let nth = match n_free {
            0 => return None,
            1 => 0,
            n => draw(n as u32) as usize,
        };
        (0..self.n.len()).filter(|&idx| is_free(idx)).nth(nth).map(|idx| ChildIdx(idx as u16))
    }

    /// Reads a node's arms.
    pub(crate) fn read(&mut self, tree: &Tree, node: Node<'_>) {
        self.n.resize(node.n_children(), 0.0);
        self.total = node.read_visits(&mut self.n) as f32;
        if let Some(pseudo) = tree.layout().pseudo {
            self.scratch.resize(node.n_children(), 0.0);
            node.read_floats(pseudo, &mut self.scratch);
            self.n.iter_mut().zip(&self.scratch).for_each(|(n, pseudo)| *n += pseudo);
            self.total += self.scratch.iter().sum::<f32>();
        }
    }
}

/// What one model says of all arms, as the mover sees them.
#[derive(Debug, Clone, Default)]
pub struct Estimates {
    /// The estimate; [`Reward::neutral`] where nothing is known.
    pub mean: Vec<f32>,
    /// How many observations stand behind it; 0 where nothing is known.
    pub weight: Vec<f32>,
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
}

/// A path with the end it leads to is walked up with this.
pub(crate) fn cx_at<'a, G: Game>(
    tree: &'a Tree,
    origin: &'a G,
    path: &'a [Step],
    node: Node<'a>,
    arms: &'a Arms,
) -> Cx<'a, G> {
    let root = path.first().map_or(node.id(), |step| step.node);
    let reward = tree.layout().reward;
    Cx { tree, path, root, node, mover: node.mover(), reward, arms, origin, position: None }
}
