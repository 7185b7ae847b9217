//! Proven results: an arm that wins the game by force is the only one searched, and one that loses it is left out. [Winands, Björnsson
//! & Saito 2008, MCTS-Solver]
//!
//! An arm is proven when it ends the game, or when the evaluation proves its result (`leaf=solve`). An arm whose node has a winning arm is
//! lost, one all of whose replies are lost is won, and one whose replies are all proven, none won and some drawn, is drawn: so proofs climb
//! the tree, an arm at a time, with the simulations that pass. A drawn arm is searched like any other, since something better may be
//! found beside it. Values stay means of simulations; a node whose best line is proven is right because nothing else is searched there. Where
//! every arm is lost all are searched, since some move must be made.
//!
//! A proof is about the actions that the game gives: in Go moves into own eyes are none.

use super::Widener;
use crate::blueprint::Blueprint;
use crate::cx::{ChildMask, Cx, Estimates, Mixed, Visit};
use crate::tree::layout::CountColumn;
use crate::tree::{ChildIdx, Node};
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// The arm that wins by force if there is one, else all but those that lose by force.
    pub struct Proven as "proven" {
        stop: bool = false, "whether the search may end when the root has an arm that wins, or only one that does not lose, or when all arms are proven";
    }
}

/// What is proven of an arm, as its mover sees it.
const UNKNOWN: u32 = 0;
const WON: u32 = 1;
const LOST: u32 = 2;
const DRAWN: u32 = 3;

/// The widener with its column.
struct Proofs {
    stop: bool,
    /// [`UNKNOWN`], [`WON`], [`LOST`] or [`DRAWN`].
    proof: CountColumn,
}

/// Builds the widener.
pub fn build(params: &Proven, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Widener>, recipe::Error> {
    Ok(Box::new(Proofs { stop: params.stop, proof: blueprint.layout.count() }))
}

impl Proofs {
    fn proof(&self, node: Node<'_>, idx: usize) -> u32 {
        node.counts(self.proof)[idx].load(Relaxed)
    }

    /// What the replies of a node prove of the arm that leads to it.
    fn of_replies(&self, node: Node<'_>) -> u32 {
        let (mut are_proven, mut is_drawn) = (true, false);
        for idx in 0..node.n_children() {
            match self.proof(node, idx) {
                WON => return LOST,
                LOST => {}
                DRAWN => is_drawn = true,
                _ => are_proven = false,
            }
        }
        match (are_proven, is_drawn) {
            (false, _) => UNKNOWN,
            (true, false) => WON,
            (true, true) => DRAWN,
        }
    }

    /// What a simulation proves of the arm that it took.
    fn of_visit(&self, cx: &Cx<'_>, visit: &Visit<'_>) -> u32 {
        if visit.is_proven {
            return match visit.outcome.win_for(cx.mover) {
                1.0 => WON,
                0.0 => LOST,
                0.5 => DRAWN,
                _ => UNKNOWN,
            };
        }
        let replies = cx.tree.child(cx.node, visit.chosen).filter(|node| node.is_open());
        replies.map_or(UNKNOWN, |node| self.of_replies(node))
    }
}

impl Widener for Proofs {
    fn is_final(&self) -> bool {
        true
    }

    fn keep(&self, cx: &Cx<'_>, _models: &[Estimates], _mixed: &Mixed, out: &mut ChildMask) {
        let n_children = cx.node.n_children();
        let won = (0..n_children).find(|&idx| self.proof(cx.node, idx) == WON);
        let is_out = |idx: usize| match won {
            Some(won) => idx != won,
            None => self.proof(cx.node, idx) == LOST,
        };
        (0..n_children).filter(|&idx| is_out(idx)).for_each(|idx| out.drop(idx));
        if out.is_none() {
            out.reset(n_children);
        }
    }

    fn is_settled(&self, cx: &Cx<'_>, _models: &[Estimates], _mixed: &Mixed) -> bool {
        let proofs = || (0..cx.node.n_children()).map(|idx| self.proof(cx.node, idx));
        self.stop
            && (proofs().any(|proof| proof == WON)
                || proofs().filter(|&proof| proof != LOST).count() <= 1
                || proofs().all(|proof| proof != UNKNOWN))
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let ChildIdx(idx) = visit.chosen;
        let cell = &cx.node.counts(self.proof)[usize::from(idx)];
        if cell.load(Relaxed) == UNKNOWN {
            match self.of_visit(cx, visit) {
                UNKNOWN => {}
                proof => cell.store(proof, Relaxed),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{Action, Game};
    use crate::games::connect_four::ConnectFour;
    use crate::{Limits, ROOT, Search, Settings};
    use recipe::{Recipe, Shelf};

    fn search(columns: &str, recipe: &str) -> Search<ConnectFour> {
        let mut game = ConnectFour::new();
        columns.bytes().for_each(|digit| game.play(Action(u16::from(digit - b'1'))));
        let recipe = Recipe::parse(&ROOT, &Shelf::default(), recipe).unwrap();
        Search::new(&recipe, game, &Settings::default()).unwrap()
    }

    #[test]
    fn a_win_at_once_is_all_that_is_searched() {
        // Three in a row in the bottom line, columns 1 to 3: column 4 wins.
        let mut search = search("112233", "widen=proven");
        let report = search.run(&Limits::simulations(500));
        assert_eq!(report.arms.iter().map(|arm| arm.action).collect::<Vec<_>>(), [Action(3)]);
        assert_eq!(search.pick(&report), Some(Action(3)));
        assert!(!report.is_settled);
    }

    #[test]
    fn what_loses_is_left_out_and_the_search_may_end() {
        // The same three, the other to move: only column 4 does not lose at the next move.
        let mut search = search("1122335", "widen=proven:stop=true");
        let report = search.run(&Limits::simulations(100_000));
        assert_eq!(report.arms.iter().map(|arm| arm.action).collect::<Vec<_>>(), [Action(3)]);
        assert!(report.is_settled && report.simulations < 100_000);
    }

    #[test]
    fn draws_are_proven_and_end_the_search() {
        // Two columns with two free cells each: nobody can win any more, and a few simulations see all ends.
        let mut search = search("23163416124767223154467471272416755633", "widen=proven:stop=true");
        let report = search.run(&Limits::simulations(100_000));
        assert!(report.is_settled && report.simulations < 1000, "{}", report.simulations);
        assert_eq!(report.value, 0.5);
    }

    #[test]
    fn a_lost_position_still_has_a_move() {
        // The first player has columns 2 to 4 of the bottom line and both ends are free.
        let mut search = search("22334", "widen=proven");
        let report = search.run(&Limits::simulations(20_000));
        assert_eq!(report.arms.len(), 7, "all lose, so all are searched");
        assert!(search.pick(&report).is_some() && report.value < 0.1, "{}", report.value);
    }
}
