//! A place to try wideners: one node, whatever game it belongs to.

use super::Widener;
use crate::cx::{Arms, ChildMask, Cx, Mixed, Visit, cx_at};
use crate::game::{Action, Game, Outcome, Reward, Side};
use crate::go::GoGame;
use crate::prior::Priors;
use crate::trace::Trace;
use crate::tree::layout::{Gives, Layout};
use crate::tree::{ChildIdx, NodeId, Tree};
use goban::{Size, Upto9};

/// The game of the tests.
pub(crate) type Game5 = GoGame<Upto9>;

/// A root and the widener that looks at it.
pub(crate) struct Stage {
    pub(crate) widener: Box<dyn Widener<Game5>>,
    tree: Tree,
    game: Game5,
    root: NodeId,
}

impl Stage {
    pub(crate) fn new(mut widener: Box<dyn Widener<Game5>>, gives: Gives, n_arms: u16) -> Stage {
        let game = Game5::new(Size::square(5).unwrap(), 7.5);
        let mut layout = Layout::new(game.n_actions(), gives);
        layout.reward = Reward::Score;
        widener.claim(&mut layout);
        widener.bind(&layout);
        let tree = Tree::new(layout, 1 << 20);
        let actions: Vec<Action> = (0..n_arms).map(Action).collect();
        let root = tree.add(Side::First, &actions).unwrap().id();
        Stage { widener, tree, game, root }
    }

    fn with_cx<T>(&self, f: impl FnOnce(&Cx<'_, Game5>) -> T) -> T {
        let node = self.tree.node(self.root).unwrap();
        let mut arms = Arms::default();
        arms.read(&self.tree, node);
        f(&cx_at(&self.tree, &self.game, &[], node, &arms))
    }

    /// What a prior would say of the new node.
    pub(crate) fn seed(&self, p: &[f32], visits: &[f32]) {
        let (p, visits) = (p.to_vec(), visits.to_vec());
        self.with_cx(|cx| {
            let layout = self.tree.layout();
            layout.pseudo.into_iter().for_each(|column| cx.node.write_floats(column, &visits));
            let h = vec![0.0; visits.len()];
            self.widener.seed(cx, &Priors { p, h, amaf_visits: visits.clone(), visits });
        });
    }

    /// A simulation through an arm.
    pub(crate) fn observe(&self, arm: u16, reward: f32, weight: u32) {
        self.with_cx(|cx| {
            let chosen = ChildIdx(arm);
            cx.node.add_visits(chosen, weight);
            let (trace, outcome) = (&Trace::default(), &Outcome::default());
            self.widener.observe(cx, &Visit { depth: 0, chosen, trace, outcome, reward, weight });
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
