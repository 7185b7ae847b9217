//! A place to try priors: Go on 5×5.

use super::{FillP, FindP, Prior, Priors, Probability, Stage};
use crate::blueprint::Blueprint;
use crate::cx::{Arms, Cx};
use crate::evaluate::Kit;
use crate::game::{Action, Game, GameFacts, Reward};
use crate::go::GoGame;
use crate::tree::Tree;
use goban::{Move, Size, Upto9, Vertex};
use recipe::Error;

/// The game of the tests.
pub(crate) type Game5 = GoGame<Upto9>;

/// A position, and the unit of values there.
pub(crate) struct Scene {
    pub(crate) game: Game5,
    reward: Reward,
}

/// The plan of a search over `game`.
pub(crate) fn blueprint<'a>(
    game: &Game5,
    distance: &'a dyn Fn(Action, Action) -> Option<u32>,
    models: &[&'static str],
    reward: Reward,
) -> Blueprint<'a> {
    Blueprint::new(GameFacts::of(game, distance), models.to_vec(), reward)
}

/// The static probabilities that Go knows.
pub(crate) fn find_p(p: Probability) -> Result<Option<FillP<Game5>>, Error> {
    Ok(match p {
        Probability::None => None,
        Probability::Flat => Some(|_, _, out| super::flat_p::fill(out)),
        _ => Game5::new(Size::square(5).unwrap(), 0.0).probability(p),
    })
}

impl Scene {
    /// The empty board.
    pub(crate) fn new(reward: Reward) -> Scene {
        Scene { game: Game5::new(Size::square(5).unwrap(), 7.5), reward }
    }

    /// Points are numbered row by row, −1 is the pass.
    pub(crate) fn action(&self, point: i16) -> Action {
        let vertex = usize::try_from(point).map(|point| Vertex::new(point % 5, point / 5));
        Game5::action(vertex.map_or(Move::PASS, |vertex| self.game.board.to_move(vertex)))
    }

    pub(crate) fn play(&mut self, point: i16) {
        self.game.play(self.action(point));
    }

    /// The priors of a root whose arms are these points.
    pub(crate) fn fill(
        &self,
        name: &str,
        build: impl FnOnce(&mut Blueprint<'_>, FindP<'_, Game5>) -> Result<Box<dyn Prior<Game5>>, Error>,
        points: &[i16],
    ) -> Priors {
        let actions: Vec<Action> = points.iter().map(|&point| self.action(point)).collect();
        let distance = |a, b| self.game.distance(a, b);
        let mut blueprint = blueprint(&self.game, &distance, &["mc"], self.reward);
        let prior = build(&mut blueprint, &find_p).unwrap_or_else(|error| panic!("{name}: {error}"));
        let tree = Tree::new(blueprint.layout, 1 << 20);
        let node = tree.add(self.game.mover(), &actions).unwrap();
        let arms = Arms::default();
        let mut priors = Priors::default();
        priors.resize(actions.len(), tree.layout().gives());
        prior.fill(&Cx::at(&tree, &[], node, &arms), &self.game, &actions, Stage::Birth, &mut priors);
        priors
    }
}
