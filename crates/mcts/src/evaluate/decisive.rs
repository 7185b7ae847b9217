//! Playouts, unless the game can be won at once: then the leaf is worth a win, and the winning move is all of its playout.
//! [Teytaud & Teytaud 2010, "decisive moves", there in every position of a simulation]
//!
//! Every action of the leaf is tried on a copy of the position, so it costs as much as some moves of a playout do for each
//! arm. The answer is right, where a playout would most often miss the move.

use super::known::{KnownOrPlayed, ResultFinder};
use super::rollout::{self, RolloutParams};
use super::{Evaluation, EvaluationAnswer, Evaluator, Kit, Parts};
use crate::blueprint::Blueprint;
use crate::game::{Action, Game, Outcome, Side};
use crate::trace::Play;
use recipe::Error;

recipe::params! {
    /// A win where the game can be won at once, playouts elsewhere.
    pub struct DecisiveParams as "decisive" {
        n: u32 = 1, 1..=1000, "playouts per leaf";
        policy: choice(playout::policy::FAMILY) = "uniform", "who chooses the playouts' moves";
    }
}

/// The evaluation of all leaves that cannot be won at once, for all threads.
struct Decisive<G> {
    playouts: Box<dyn Evaluation<G>>,
}

/// Builds the evaluation around that of `rollout`.
///
/// # Errors
/// When the game cannot use the policy.
pub fn build<G: Kit>(
    params: &DecisiveParams,
    parts: &Parts<'_, G>,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Evaluation<G>>, Error> {
    let params = RolloutParams { n: params.n, mercy: 0.0, policy: params.policy.clone() };
    Ok(Box::new(Decisive { playouts: rollout::build(&params, parts, blueprint)? }))
}

impl<G: Game> Evaluation<G> for Decisive<G> {
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, Error> {
        let finder = WinFinder { game: game.clone(), actions: Vec::new(), outcome: Outcome::default() };
        Ok(Box::new(KnownOrPlayed::new(finder, self.playouts.evaluator(game)?)))
    }

    fn refines_at(&self) -> Option<u32> {
        self.playouts.refines_at()
    }
}

/// One thread's look ahead.
struct WinFinder<G> {
    /// A copy to try moves on.
    game: G,
    actions: Vec<Action>,
    outcome: Outcome,
}

/// A move that wins the game at once.
struct WinningMove {
    play: Play,
    /// The first player's margin.
    score: f32,
}

impl<G: Game> ResultFinder<G> for WinFinder<G> {
    type Found = WinningMove;

    /// The first action that wins the game for the mover at once.
    fn find(&mut self, position: &G) -> Option<WinningMove> {
        let mover = position.mover();
        self.actions.clear();
        position.actions(&mut self.actions);
        let action = self.actions.iter().copied().find(|&action| {
            self.game.clone_from(position);
            self.game.play(action);
            self.game.ended(&mut self.outcome) && self.outcome.win_for(mover) == 1.0
        })?;
        Some(WinningMove { play: Play::new(mover, action), score: self.outcome.score })
    }

    /// The move is the whole playout.
    fn write(found: WinningMove, out: &mut EvaluationAnswer) {
        let sample = out.push();
        sample.tail.push(found.play);
        sample.outcome.win = if found.play.side() == Side::First { 1.0 } else { 0.0 };
        sample.outcome.score = found.score;
        sample.outcome.length = 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{Action, Game};
    use crate::games::connect_four::ConnectFour;
    use crate::{Limits, ROOT, Report, Search, Settings};
    use recipe::{Recipe, Shelf};

    /// The report on a position after a move in each of these columns.
    fn run(text: &str, columns: &[u16], n_simulations: u64) -> Report {
        let mut game = ConnectFour::new();
        columns.iter().for_each(|&column| game.play(Action(column)));
        let recipe = Recipe::parse(&ROOT, &Shelf::default(), text).unwrap();
        Search::new(&recipe, game, &Settings::default()).unwrap().run(&Limits::simulations(n_simulations))
    }

    #[test]
    fn a_leaf_that_can_be_won_is_a_win() {
        // Black has three stones in the first column and White, to move, three in the second, where he wins. If he plays elsewhere,
        // the first column excepted, Black wins at once: the look sees it, a playout plays it once in seven times. Seven
        // simulations try each arm once.
        let columns = [0, 1, 0, 1, 0, 1, 6];
        let win = |report: Report| -> f32 {
            let elsewhere = report.arms.iter().filter(|arm| arm.action.0 > 1);
            elsewhere.map(|arm| if arm.visits > 0 { arm.win } else { f32::NAN }).sum()
        };
        assert_eq!(win(run("leaf=decisive", &columns, 7)), 0.0);
        assert_eq!(win(run("leaf=decisive prior=net select=puct net=linear batch=4", &columns, 7)), 0.0);
        assert!(win(run("leaf=rollout", &columns, 7)) > 0.0);
    }

    #[test]
    fn elsewhere_it_plays_as_rollout_does() {
        // Nobody can win within the few plies that the tree and the look reach from the empty board.
        let report = |text| run(text, &[], 5).timeless();
        assert_eq!(report("leaf=decisive").arms, report("leaf=rollout").arms);
    }
}
