//! H(s,a) = Q_RLGO(s,a): how likely the mover wins after the move by the local shapes that it leaves; all with the same equivalent
//! experience M. [Gelly & Silver 2007, §7, Q_RLGO]
//!
//! The weights stand in `playout::shapes`. A pass is worth what the position is worth without a move. With rewards in points a sure win
//! is worth `points`, and an even position nothing.

use std::sync::OnceLock;

use super::{GoGame, probability};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::Action;
use crate::prior::{Experience, FillP, Prior, Probability, Stage, in_quanta};
use goban::{Size, SizeClass};
use playout::shapes::scan::ShapeScan;
use playout::shapes::{self, ShapeGrid, ShapeTable};
use std::sync::Arc;

recipe::params! {
    /// Moves start at their value by local shapes, learned in self-play (RLGO).
    pub struct ShapesPrior as "shapes" {
        visits: f32 = 0.0, 0.0..=10_000.0, "C: visits of the Monte-Carlo model that the value is worth";
        amaf_visits: f32 = 50.0, 0.0..=10_000.0, "C̃ or M: visits of the AMAF models that it is worth";
        points: f32 = 10.0, 0.0..=1000.0, "value of a sure win where the reward is the score";
        p: word(Probability) = Probability::None, "where P(a) comes from, for those who need it";
    }
}

/// Builds the prior.
pub fn build<C: SizeClass>(
    params: &ShapesPrior,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Prior<GoGame<C>>>, recipe::Error> {
    let ShapesPrior { visits, amaf_visits, points, p } = *params;
    let experience = Experience { visits: in_quanta(visits), amaf_visits: in_quanta(amaf_visits) };
    let gives = experience.gives(p != Probability::None);
    blueprint.layout.give(gives);
    let weights = OnceLock::new();
    Ok(Box::new(ByShapes { points, experience, has_value: gives.h, p: probability(p), weights }))
}

/// The prior with its experience and its source of P(a).
struct ByShapes<C: SizeClass> {
    points: f32,
    experience: Experience,
    has_value: bool,
    p: Option<FillP<GoGame<C>>>,
    /// For the size of the boards, which the first position tells.
    weights: OnceLock<Weights>,
}

/// The weights of boards of one size, and their rectangles.
struct Weights {
    table: Arc<ShapeTable>,
    grid: ShapeGrid,
}

impl Weights {
    fn new<C: SizeClass>(size: Size) -> Weights {
        Weights { table: shapes::table(size), grid: ShapeGrid::new::<C>(size) }
    }
}

impl<C: SizeClass> Prior<GoGame<C>> for ByShapes<C> {
    fn fill(&self, cx: &Cx<'_>, game: &GoGame<C>, actions: &[Action], _stage: Stage, out: &mut Priors) {
        self.p.into_iter().for_each(|fill| fill(game, actions, &mut out.p));
        self.experience.fill(cx.reward.neutral(), out);
        if !self.has_value {
            return;
        }
        let (board, mover) = (&game.board, game.to_play);
        let Weights { table, grid } = self.weights.get_or_init(|| Weights::new::<C>(board.size()));
        let mut scan = ShapeScan::new(table, grid, board);
        let (even, win) = (cx.reward.neutral(), cx.reward.of_sure_win(self.points));
        for (h, &action) in out.h.iter_mut().zip(actions) {
            let value = match GoGame::<C>::to_move(action).point() {
                Some(point) => scan.value_of_move(board, mover, point),
                None => scan.value_of_pass(mover),
            };
            *h = even + (2.0 * value - 1.0) * win;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;
    use goban::{Board, Color, Upto9, Vertex};
    use playout::shapes::ShapeState;

    /// Black to move: 5 takes the stone in the corner 0, 12 takes nothing.
    fn fill(params: &ShapesPrior, reward: Reward) -> Priors {
        let mut scene = Scene::new(reward);
        [1, 0].iter().for_each(|&point| scene.play(point));
        scene.fill("shapes", |blueprint, _| build(params, blueprint), &[5, 12, -1])
    }

    /// How likely Black wins after his stones at these points and White's at those, by a new look at the board.
    fn value(black: &[usize], white: &[usize]) -> f32 {
        let size = Size::square(5).unwrap();
        let mut board = Board::<Upto9>::new(size);
        for (color, stones) in Color::BOTH.into_iter().zip([black, white]) {
            for &stone in stones {
                board.play(color, board.to_move(Vertex::new(stone % 5, stone / 5)));
            }
        }
        let mut state = ShapeState::new::<Upto9>(shapes::table(size));
        state.start(&board);
        state.table().black_wins(state.sum(), Color::Black)
    }

    #[test]
    fn values_are_those_of_the_positions_after_the_moves() {
        let priors = fill(&ShapesPrior::default(), Reward::Win);
        assert_eq!((priors.visits, priors.amaf_visits), (vec![0.0; 3], vec![50.0; 3]));
        assert_eq!(priors.h, [value(&[1, 5], &[]), value(&[1, 12], &[0]), value(&[1], &[0])]);
        let points = fill(&ShapesPrior { points: 20.0, ..ShapesPrior::default() }, Reward::Score);
        for (win, margin) in priors.h.iter().zip(&points.h) {
            assert!((margin - 20.0 * (2.0 * win - 1.0)).abs() < 1e-4, "{win} {margin}");
        }
    }

    #[test]
    fn without_experience_there_is_no_value() {
        assert_eq!(fill(&ShapesPrior { amaf_visits: 0.0, ..ShapesPrior::default() }, Reward::Win).h, []);
    }
}
