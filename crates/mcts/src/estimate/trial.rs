//! For the tests of models: a small tree in which simulations are written down move by move.

use super::Estimator;
use crate::blueprint::Blueprint;
use crate::cx::{Arms, Cx, Estimates, PathStep, Priors, Visit};
use crate::game::{Action, Game, GameFacts, Outcome, Reward, Side};
use crate::go::GoGame;
use crate::trace::{Play, Trace};
use crate::tree::layout::Gives;
use crate::tree::{Node, NodeId, Tree};
use goban::{Size, Upto9};
use recipe::Choice;

pub(super) type Go = GoGame<Upto9>;

/// A model as a recipe names it, such as `lwr:kernel=amaf`.
pub(super) fn model(text: &str) -> Choice {
    let text = format!("models={text}");
    let recipe = recipe::Recipe::parse(&crate::ROOT, &recipe::Shelf::default(), &text).unwrap();
    recipe.root().nested_list("models", &super::FAMILY, "").remove(0)
}

/// Some models at a root where Black may play 0, 1, 2, 3 (a row of the 5×5 board) or pass.
pub(super) struct Trial {
    models: Vec<Box<dyn Estimator>>,
    game: Go,
    tree: Tree,
    root: NodeId,
    seeds: Option<(f32, f32, f32)>,
}

impl Trial {
    /// `seeds`: what a prior says of every arm, H, C and C̃.
    pub(super) fn new(models: &[Choice], seeds: Option<(f32, f32, f32)>) -> Trial {
        Trial::with_arms(models, seeds, &[0, 1, 2, 3, -1])
    }

    pub(super) fn with_arms(models: &[Choice], seeds: Option<(f32, f32, f32)>, arms: &[i16]) -> Trial {
        let game = Go::new(Size::square(5).unwrap(), 7.5);
        let distance = |a, b| game.distance(a, b);
        let names = models.iter().map(Choice::name).collect();
        let mut blueprint = Blueprint::new(GameFacts::of(&game, &distance), names, Reward::Win);
        blueprint.layout.give(Gives { p: false, h: seeds.is_some() });
        let models = models.iter().map(|model| super::build(model, &mut blueprint).unwrap()).collect();
        let tree = Tree::new(blueprint.layout, 1 << 24);
        let actions: Vec<Action> = arms.iter().map(|&point| action(&game, point)).collect();
        let root = tree.add(Side::First, &actions).unwrap().id();
        let trial = Trial { models, game, tree, root, seeds };
        trial.seed(trial.tree.node(root).unwrap());
        trial
    }

    fn seed(&self, node: Node<'_>) {
        let Some((h, visits, amaf_visits)) = self.seeds else { return };
        let mut priors = Priors::default();
        priors.clear(node.n_children(), Gives { p: false, h: true });
        let old = priors.clone();
        priors.h.fill(h);
        priors.visits.fill(visits);
        priors.amaf_visits.fill(amaf_visits);
        priors.write(self.tree.layout(), node);
        self.models.iter().for_each(|model| model.seed(node, &old, &priors));
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.tree.node(self.root).unwrap()
    }

    fn below<'a>(&'a self, node: Node<'a>, point: i16) -> Node<'a> {
        self.tree.child(node, node.find(action(&self.game, point)).unwrap()).unwrap()
    }

    fn grow_at(&self, parent: Node<'_>, point: i16, arms: &[i16]) {
        let actions: Vec<Action> = arms.iter().map(|&point| action(&self.game, point)).collect();
        let node = self.tree.add(!parent.mover(), &actions).unwrap();
        self.seed(node);
        self.tree.link(parent, parent.find(action(&self.game, point)).unwrap(), node.id());
    }

    /// Lets a root's arm grow into a node where White may play these points.
    pub(super) fn grow(&self, below: i16, arms: &[i16]) {
        self.grow_at(self.root(), below, arms);
    }

    /// Lets an arm of a node below the root grow into one where Black may play these points.
    pub(super) fn grow_deeper(&self, first: i16, second: i16, arms: &[i16]) {
        self.grow_at(self.below(self.root(), first), second, arms);
    }

    /// A simulation with these moves, Black first (`-1` is a pass), Black's reward and a weight.
    pub(super) fn play(&self, moves: &[i16], reward: f32, weight: u32) {
        self.play_outcome(moves, &Outcome { win: reward, ..Outcome::default() }, weight, None);
    }

    /// A simulation that a network ended: Black's reward, and the network's value of the last position, as Black sees it.
    pub(super) fn play_valued(&self, moves: &[i16], reward: f32, value: f32) {
        self.play_outcome(moves, &Outcome { win: reward, ..Outcome::default() }, 1, Some(value));
    }

    /// A simulation at whose end the points, from 0 on, belong to Black (1), White (−1) or nobody.
    pub(super) fn play_to_end(&self, moves: &[i16], win: f32, owners: &[i8]) {
        let outcome = Outcome {
            win,
            ownership: owners.iter().map(|&owner| f32::from(owner)).collect(),
            ..Outcome::default()
        };
        self.play_outcome(moves, &outcome, 1, None);
    }

    fn play_outcome(&self, moves: &[i16], outcome: &Outcome, weight: u32, value: Option<f32>) {
        let sides = [Side::First, Side::Second].into_iter().cycle();
        let to_play = |(&point, side)| Play::new(side, action(&self.game, point));
        let plays: Vec<Play> = moves.iter().zip(sides).map(to_play).collect();
        let mut path = Vec::new();
        let mut below = self.tree.node(self.root);
        for play in &plays {
            let Some(node) = below else { break };
            let child = node.find(play.action()).unwrap();
            path.push(PathStep { node: node.id(), child, action: play.action(), mover: play.side() });
            below = self.tree.child(node, child);
        }
        let mut trace = Trace::default();
        trace.clear(self.game.n_actions(), self.game.pass());
        plays[..path.len()].iter().for_each(|&play| trace.push(play));
        trace.follow(path.len(), &plays[path.len()..]);
        let arms = Arms::default();
        for (depth, step) in path.iter().enumerate().rev() {
            trace.include(depth);
            let node = self.tree.node(step.node).unwrap();
            node.add_visits(step.child, weight);
            let cx = Cx::at(&self.tree, &path[..depth], node, &arms);
            let reward = outcome.win_for(step.mover);
            let value = value.filter(|_| depth + 1 == path.len());
            let value = value.map(|value| if step.mover == Side::First { value } else { 1.0 - value });
            let (trace, chosen) = (&trace, step.child);
            let visit = Visit { depth, chosen, trace, outcome, reward, weight, is_proven: false, value };
            self.models.iter().for_each(|model| model.observe(&cx, &visit));
        }
    }

    /// Mean and weight of the root's arms.
    pub(super) fn estimates(&self, model_idx: usize) -> Vec<(f32, f32)> {
        self.estimates_at(&[], model_idx)
    }

    /// Mean and weight of the arms of the node that these moves lead to.
    fn estimates_at(&self, moves: &[i16], model_idx: usize) -> Vec<(f32, f32)> {
        let mut node = self.root();
        let mut path = Vec::new();
        for &point in moves {
            let action = action(&self.game, point);
            path.push(PathStep {
                node: node.id(),
                child: node.find(action).unwrap(),
                action,
                mover: node.mover(),
            });
            node = self.below(node, point);
        }
        let mut arms = Arms::default();
        arms.read(&self.tree, node);
        let cx = Cx::at(&self.tree, &path, node, &arms);
        let mut out = Estimates::default();
        out.resize(node.n_children());
        self.models[model_idx].estimate(&cx, &mut out);
        out.mean.into_iter().zip(out.weight).collect()
    }

    /// Asserts mean and weight of the root's arms, to the rounding of sums.
    #[track_caller]
    pub(super) fn expect<const N: usize>(&self, model_idx: usize, expected: [(f32, f32); N]) {
        assert_close(&self.estimates(model_idx), &expected);
    }

    /// Asserts mean and weight of the arms below one of the root's.
    #[track_caller]
    pub(super) fn expect_below<const N: usize>(
        &self,
        below: i16,
        model_idx: usize,
        expected: [(f32, f32); N],
    ) {
        assert_close(&self.estimates_at(&[below], model_idx), &expected);
    }

    /// Asserts mean and weight of the arms two moves below the root.
    #[track_caller]
    pub(super) fn expect_deeper<const N: usize>(
        &self,
        moves: [i16; 2],
        model_idx: usize,
        expected: [(f32, f32); N],
    ) {
        assert_close(&self.estimates_at(&moves, model_idx), &expected);
    }
}

fn action(game: &Go, point: i16) -> Action {
    u16::try_from(point).map_or(game.pass().unwrap(), Action)
}

#[track_caller]
fn assert_close(got: &[(f32, f32)], expected: &[(f32, f32)]) {
    let is_close = |a: f32, b: f32| (a - b).abs() <= 1e-4 * b.abs().max(1.0);
    let both = got.iter().zip(expected);
    let all = got.len() == expected.len()
        && both.into_iter().all(|(a, b)| is_close(a.0, b.0) && is_close(a.1, b.1));
    assert!(all, "got {got:?}\nexpected {expected:?}");
}
