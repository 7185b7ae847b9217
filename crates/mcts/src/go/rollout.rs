//! A playout of the crate `playout` in the search's terms.

use super::{GoGame, side};
use crate::cx::Cx;
use crate::evaluate::{EvaluationSample, Rollout};
use crate::game::{Outcome, Reward, win_by};
use crate::trace::Play;
use crate::tree::NodeId;
use goban::{Color, Move, Rng, SizeClass};
use recipe::Error;

/// The playout with its buffers.
pub(super) struct GoRollout<C: SizeClass> {
    playout: Box<dyn playout::PlayoutRunner<C>>,
    /// The unit in which the policy learns: wins or points.
    reward: Reward,
    /// The moves from the root to the leaf, if the policy learns, and then those of the playout.
    moves: Vec<Move>,
    n_tree_moves: usize,
    /// Where the policy's learning started.
    root: Option<RootKey>,
    /// Who moves there.
    first: Color,
    owners: Vec<i32>,
}

/// Tells one root from another: nodes may come back under their old names, positions may repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RootKey {
    id: NodeId,
    n_moves: u32,
    hash: u64,
}

impl<C: SizeClass> GoRollout<C> {
    pub(super) fn new(playout: Box<dyn playout::PlayoutRunner<C>>, reward: Reward) -> GoRollout<C> {
        GoRollout {
            playout,
            reward,
            moves: Vec::new(),
            n_tree_moves: 0,
            root: None,
            first: Color::Black,
            owners: Vec::new(),
        }
    }
}

impl<C: SizeClass> GoRollout<C> {
    /// The value of a simulation to a policy that learns, 0..=1 as Black sees it: the win, or the margin as a share of the
    /// board, a board that is all Black's being 1 and one that is all White's 0.
    fn lesson(&self, position: &GoGame<C>, outcome: &Outcome) -> f32 {
        match self.reward {
            Reward::Win => outcome.win,
            Reward::Score => {
                let share = outcome.score / position.board.size().area() as f32;
                (0.5 + 0.5 * share).clamp(0.0, 1.0)
            }
        }
    }
}

impl<C: SizeClass> Rollout<GoGame<C>> for GoRollout<C> {
    fn start(&mut self, cx: &Cx<'_>, origin: &GoGame<C>) {
        if !self.playout.learns() {
            return;
        }
        let root = RootKey { id: cx.root, n_moves: origin.n_moves, hash: origin.board.hash() };
        if self.root != Some(root) {
            self.playout.forget();
            self.root = Some(root);
            self.first = origin.to_play;
        }
        self.moves.clear();
        self.moves.extend(cx.path.iter().map(|step| GoGame::<C>::to_move(step.action)));
        self.n_tree_moves = self.moves.len();
    }

    fn shorten(&mut self, n_moves: usize) -> Result<(), Error> {
        if self.playout.learns() {
            let why = "its policy learns from playouts that are played to their end, and these are cut off";
            return Err(Error::unsuitable("leaf=short", why));
        }
        self.playout.shorten(n_moves);
        Ok(())
    }

    fn run(
        &mut self,
        position: &GoGame<C>,
        rng: &mut Rng,
        wants_ownership: bool,
        out: &mut EvaluationSample,
    ) {
        self.moves.truncate(self.n_tree_moves);
        let recent = position.last_two().map(|action| action.map_or(Move::PASS, GoGame::<C>::to_move));
        let start = playout::Start { board: &position.board, to_play: position.to_play, recent };
        let ending = self.playout.run(&start, rng, &mut self.moves);
        let (first, second) = (side(position.to_play), side(!position.to_play));
        let play = |side, mv| Play::new(side, GoGame::<C>::action(mv));
        let (pairs, last) = self.moves[self.n_tree_moves..].as_chunks::<2>();
        out.tail.extend(pairs.iter().flat_map(|&[one, two]| [play(first, one), play(second, two)]));
        out.tail.extend(last.iter().map(|&mv| play(first, mv)));
        out.outcome.score = ending.margin() as f32 - position.komi;
        out.outcome.win = win_by(out.outcome.score);
        out.outcome.length = u32::from(ending.n_moves);
        if self.playout.learns() {
            self.playout.learn(self.first, &self.moves, self.lesson(position, &out.outcome));
        }
        if wants_ownership {
            self.owners.clear();
            self.owners.resize(C::POINTS + 1, 0);
            self.playout.add_ownership(&mut self.owners);
            out.outcome.ownership.extend(self.owners.iter().map(|&owner| owner as f32));
        }
    }

    fn end_early(&mut self, mercy: f32) -> bool {
        self.playout.end_early(mercy);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cx::{Arms, PathStep};
    use crate::game::{Action, Game, Side};
    use crate::tree::layout::Layout;
    use crate::tree::{ChildIdx, Tree};
    use goban::{Size, Upto9};
    use playout::Start;
    use std::sync::{Arc, Mutex};

    type Go = GoGame<Upto9>;

    /// Passes twice and notes what it is told.
    #[derive(Clone, Default)]
    struct Pupil(Arc<Mutex<Vec<String>>>);

    impl playout::PlayoutRunner<Upto9> for Pupil {
        fn run(&mut self, _: &Start<'_, Upto9>, _: &mut Rng, moves: &mut Vec<Move>) -> playout::Ending {
            moves.extend([Move::PASS; 2]);
            playout::Ending { area: [25, 0], n_moves: 2 }
        }

        fn add_ownership(&self, _: &mut [i32]) {}

        fn learns(&self) -> bool {
            true
        }

        fn learn(&mut self, first: Color, moves: &[Move], black_win: f32) {
            let moves: Vec<_> = moves.iter().map(|mv| Go::action(*mv).0).collect();
            self.0.lock().unwrap().push(format!("{first:?} {moves:?} {black_win}"));
        }

        fn forget(&mut self) {
            self.0.lock().unwrap().push("forget".to_string());
        }
    }

    #[test]
    fn the_policy_learns_whole_simulations_and_forgets_when_the_root_changes() {
        let pupil = Pupil::default();
        let mut rollout = GoRollout::<Upto9>::new(Box::new(pupil.clone()), Reward::Win);
        let mut game = Go::new(Size::square(5).unwrap(), 0.5);
        let tree = Tree::new(Layout::new(game.n_actions(), game.pass(), Reward::Win), 1 << 20);
        let node = tree.add(Side::First, &[Action(0), Action(1)]).unwrap();
        let arms = Arms::default();
        let pass = game.pass().unwrap().0;
        let mut simulate = |origin: &Go, action: u16| {
            let action = Action(action);
            let path = [PathStep { node: node.id(), child: ChildIdx(0), action, mover: origin.mover() }];
            let mut position = origin.clone();
            position.play(action);
            rollout.start(&Cx::at(&tree, &path, node, &arms), origin);
            for _ in 0..2 {
                let mut sample = EvaluationSample::default();
                rollout.run(&position, &mut Rng::new(1), false, &mut sample);
                assert_eq!(sample.tail.len(), 2);
            }
        };
        simulate(&game, 0);
        simulate(&game, 1);
        // Another root under the same name.
        game.play(Action(0));
        simulate(&game, 1);
        let [first, second] = ["Black", "White"]
            .map(|first| move |action: u16| format!("{first} [{action}, {pass}, {pass}] 1"));
        let forget = || "forget".to_string();
        let expected = [forget(), first(0), first(0), first(1), first(1), forget(), second(1), second(1)];
        assert_eq!(*pupil.0.lock().unwrap(), expected);
    }
}
