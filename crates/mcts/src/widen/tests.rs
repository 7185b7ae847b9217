//! A place to try wideners: one node, whatever game it belongs to.

use super::Widener;
use crate::blueprint::Blueprint;
use crate::cx::{Arms, ChildMask, Cx, Mixed, Priors, Visit};
use crate::game::{Action, Outcome, Reward, Side};
use crate::trace::Trace;
use crate::tree::layout::Gives;
use crate::tree::{ChildIdx, NodeId, Tree};

/// A root and the widener that looks at it.
pub(crate) struct WidenedRoot {
    pub(crate) widener: Box<dyn Widener>,
    tree: Tree,
    root: NodeId,
}

impl WidenedRoot {
    pub(crate) fn new(
        build: impl FnOnce(&mut Blueprint<'_>) -> Result<Box<dyn Widener>, recipe::Error>,
        gives: Gives,
        n_arms: u16,
    ) -> WidenedRoot {
        let mut blueprint = Blueprint::drawn(&[], gives, Reward::Score);
        let widener = build(&mut blueprint).unwrap();
        let tree = Tree::new(blueprint.layout, 1 << 20);
        let actions: Vec<Action> = (0..n_arms).map(Action).collect();
        let root = tree.add(Side::First, &actions).unwrap().id();
        WidenedRoot { widener, tree, root }
    }

    fn with_cx<T>(&self, f: impl FnOnce(&Cx<'_>) -> T) -> T {
        let node = self.tree.node(self.root).unwrap();
        let mut arms = Arms::default();
        arms.read(&self.tree, node);
        f(&Cx::at(&self.tree, &[], node, &arms))
    }

    /// The priors of the new node.
    pub(crate) fn seed(&self, p: &[f32], visits: &[f32]) {
        let (layout, node) = (self.tree.layout(), self.tree.node(self.root).unwrap());
        let mut priors = Priors::default();
        priors.clear(node.n_children(), layout.gives());
        let old = priors.clone();
        priors.p.clone_from(&p.to_vec());
        priors.visits.clone_from(&visits.to_vec());
        priors.write(layout, node);
        self.widener.seed(node, &old, &priors);
    }

    /// A simulation through an arm.
    pub(crate) fn observe(&self, arm: u16, reward: f32, weight: u32) {
        self.with_cx(|cx| {
            let chosen = ChildIdx(arm);
            cx.node.add_visits(chosen, weight);
            let (trace, outcome) = (&Trace::default(), &Outcome::default());
            self.widener.observe(
                cx,
                &Visit { depth: 0, chosen, trace, outcome, reward, weight, is_proven: false, value: None },
            );
        });
    }

    /// Which arms may be selected: `#` kept, `.` left out.
    pub(crate) fn mask(&self) -> String {
        self.with_cx(|cx| {
            let mut mask = ChildMask::default();
            mask.reset(cx.node.n_children());
            self.widener.keep(cx, &[], &Mixed::default(), &mut mask);
            assert!(!mask.is_none(), "one arm at least must stay");
            (0..cx.node.n_children()).map(|idx| if mask.allows(idx) { '#' } else { '.' }).collect()
        })
    }

    /// Whether the search may end.
    pub(crate) fn is_settled(&self) -> bool {
        self.with_cx(|cx| self.widener.is_settled(cx, &[], &Mixed::default()))
    }
}
