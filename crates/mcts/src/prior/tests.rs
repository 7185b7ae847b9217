//! A place to try priors: Go on 5×5.

use super::{Prior, Priors};
use crate::cx::{Arms, cx_at};
use crate::game::{Action, Game, Reward};
use crate::go::GoGame;
use crate::tree::Tree;
use crate::tree::layout::Layout;
use goban::{Move, Size, Upto9, Vertex};

/// The game of the tests.
pub(super) type Game5 = GoGame<Upto9>;

/// A position, and what values mean there.
pub(super) struct Stage {
    pub(super) game: Game5,
    reward: Reward,
}

impl Stage {
    /// The empty board.
    pub(super) fn new(reward: Reward) -> Stage {
        Stage { game: Game5::new(Size::square(5).unwrap(), 7.5), reward }
    }

    /// Points are numbered row by row, −1 is the pass.
    pub(super) fn action(&self, point: i16) -> Action {
        let vertex = usize::try_from(point).map(|point| Vertex::new(point % 5, point / 5));
        Game5::action(vertex.map_or(Move::PASS, |vertex| self.game.board.to_move(vertex)))
    }

    pub(super) fn play(&mut self, point: i16) {
        self.game.play(self.action(point));
    }

    /// What a prior says of a root whose arms are these points.
    pub(super) fn fill(&self, prior: &dyn Prior<Game5>, points: &[i16]) -> Priors {
        let actions: Vec<Action> = points.iter().map(|&point| self.action(point)).collect();
        let mut layout = Layout::new(self.game.n_actions(), prior.gives());
        layout.reward = self.reward;
        let tree = Tree::new(layout, 1 << 20);
        let node = tree.add(self.game.mover(), &actions).unwrap();
        let arms = Arms::default();
        let mut priors = Priors::default();
        priors.resize(actions.len(), prior.gives());
        prior.fill(&cx_at(&tree, &self.game, &[], node, &arms), &self.game, &actions, &mut priors);
        priors
    }
}
