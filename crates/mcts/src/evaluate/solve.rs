//! Playouts, unless a short depth-first search proves the result of the leaf: then the leaf is worth that result, and the tree is told that
//! it is certain. [Baier & Winands 2013 and 2015, hybrids of Monte-Carlo tree search and minimax; Winands, Björnsson & Saito 2008, MCTS-Solver]
//!
//! What was proven once is kept in a table that all leaves and all threads of a search share, from move to move of a game. A leaf that stays
//! unsolved becomes a node, and its children are asked about in their turn, with what its own search has left in the table. With
//! `widen=proven` results climb the tree, and what is decided is not searched again.
//!
//! A game tells what it knows by [`Kit::bounds`] and [`Kit::candidates`]; from any other all moves are tried. Where positions can come back,
//! as in Go, a result depends on more than the position: nothing is tried there, and the leaf is that of `rollout`.

use super::alpha_beta::{AlphaBeta, ProofTable};
use super::known::{KnownOrPlayed, ResultFinder};
use super::rollout::{self, RolloutParams};
use super::{Evaluation, EvaluationAnswer, Evaluator, Kit, MarginUse, Parts};
use crate::blueprint::Blueprint;
use crate::game::Side;
use recipe::Error;
use std::sync::Arc;

recipe::params! {
    /// The result where a short depth-first search proves it, playouts elsewhere.
    pub struct SolveParams as "solve" {
        nodes: u32 = 100, 1..=1_000_000, "positions that are looked at for each leaf";
        table: u32 = 64, 1..=65_536, "megabytes in which proven results are kept; a quarter of the search's memory at most";
        n: u32 = 1, 1..=1000, "playouts per leaf that stays unsolved";
        policy: choice(playout::policy::FAMILY) = "uniform", "who chooses the playouts' moves";
    }
}

/// The evaluation of all leaves, for all threads.
struct Solve<G> {
    nodes: u32,
    table: Arc<ProofTable>,
    playouts: Box<dyn Evaluation<G>>,
}

/// Builds the evaluation around that of `rollout`.
///
/// # Errors
/// When margins decide the reward, or the game cannot use the policy.
pub fn build<G: Kit>(
    params: &SolveParams,
    parts: &Parts<'_, G>,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Evaluation<G>>, Error> {
    if parts.margins != MarginUse::None {
        let why = "it proves wins, draws and losses, and this reward counts points; choose reward=win";
        return Err(Error::unsuitable("leaf=solve", why));
    }
    let rollout = RolloutParams { n: params.n, mercy: 0.0, policy: params.policy.clone() };
    let playouts = rollout::build(&rollout, parts, blueprint)?;
    if parts.game.can_repeat() {
        return Ok(playouts);
    }
    let bytes = (params.table as usize).saturating_mul(1 << 20).min(parts.memory / 4);
    Ok(Box::new(Solve { nodes: params.nodes, table: Arc::new(ProofTable::new(bytes)), playouts }))
}

impl<G: Kit> Evaluation<G> for Solve<G> {
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, Error> {
        let finder = ProofFinder { search: AlphaBeta::new(game, self.nodes), table: self.table.clone() };
        Ok(Box::new(KnownOrPlayed::new(finder, self.playouts.evaluator(game)?)))
    }

    fn refines_at(&self) -> Option<u32> {
        self.playouts.refines_at()
    }

    fn forget(&self) {
        self.table.clear();
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// One thread's solver.
struct ProofFinder<G> {
    search: AlphaBeta<G>,
    table: Arc<ProofTable>,
}

impl<G: Kit> ResultFinder<G> for ProofFinder<G> {
    /// The first player's win, 0, ½ or 1.
    type Found = f32;

    fn find(&mut self, position: &G) -> Option<f32> {
        let value = self.search.solve(position, &self.table)?;
        let value = if position.mover() == Side::First { value } else { -value };
        Some((f32::from(value) + 1.0) / 2.0)
    }

    fn write(win: f32, out: &mut EvaluationAnswer) {
        out.push().outcome.win = win;
        out.is_proven = true;
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{Action, Game};
    use crate::games::connect_four::ConnectFour;
    use crate::{Limits, ROOT, Search, Settings};
    use recipe::{Recipe, Shelf};

    /// A search of the position after a move in each of these columns, 1 to 7.
    fn search(text: &str, columns: &str, settings: &Settings) -> Search<ConnectFour> {
        let mut game = ConnectFour::new();
        columns.bytes().for_each(|digit| game.play(Action(u16::from(digit - b'1'))));
        let recipe = Recipe::parse(&ROOT, &Shelf::default(), text).unwrap();
        Search::new(&recipe, game, settings).unwrap()
    }

    const SOLVE: &str = "leaf=solve leaf.table=1 leaf.policy=careful";

    #[test]
    fn solved_leaves_have_their_results() {
        // The mover has lost against best play, as is published. Every arm's leaf is solved at its first visit.
        let columns = "2252576253462244111563365343671351441";
        let report = search(SOLVE, columns, &Settings::default()).run(&Limits::simulations(7));
        assert!(report.arms.iter().all(|arm| arm.visits > 0 && arm.win == 0.0), "{:?}", report.arms);
        let asked = format!("{SOLVE} prior=net select=puct net=linear batch=4");
        let report = search(&asked, columns, &Settings::default()).run(&Limits::simulations(7));
        assert!(report.arms.iter().all(|arm| arm.win == 0.0), "{:?}", report.arms);
    }

    #[test]
    fn proofs_of_leaves_climb_the_tree() {
        // The mover has lost, as is published, and one leaf may look at ten positions only: every arm is proven to lose.
        let text = format!("{SOLVE} leaf.nodes=10 widen=proven:stop=true");
        let mut search = search(&text, "4435612735531457155143", &Settings::default());
        let report = search.run(&Limits::simulations(100_000));
        assert!(report.is_settled && report.simulations < 2000, "{}", report.simulations);
    }

    #[test]
    fn the_same_seed_gives_the_same_search() {
        let run = || {
            let mut search = search(&format!("{SOLVE} widen=proven"), "4444", &Settings::default());
            search.run(&Limits::simulations(200));
            search.advance(Action(3));
            search.run(&Limits::simulations(200)).timeless()
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn points_are_refused() {
        let recipe = Recipe::parse(&ROOT, &Shelf::default(), "leaf=solve reward=score").unwrap();
        let game = crate::GoGame::<goban::Upto9>::new(goban::Size::square(5).unwrap(), 7.5);
        let error = Search::new(&recipe, game, &Settings::default()).err().unwrap().to_string();
        assert!(error.starts_with("`leaf=solve` cannot be used here: it proves wins"), "{error}");
    }

    #[test]
    fn the_table_is_part_of_the_memory() {
        let settings = Settings { memory: 4 << 20, ..Settings::default() };
        let mut search = search("leaf=solve leaf.table=64", "", &settings);
        let bytes = search.report().bytes;
        assert!((1 << 20..2 << 20).contains(&bytes), "{bytes}");
        let report = search.run(&Limits::simulations(60_000));
        assert!(report.bytes <= 4 << 20 && report.is_full, "{}", report.bytes);
    }

    #[test]
    fn threads_prove_the_same() {
        let settings = Settings { threads: 3, ..Settings::default() };
        let text = format!("{SOLVE} widen=proven:stop=true");
        let mut search = search(&text, "7422341735647741166133573473242566", &settings);
        let report = search.run(&Limits::simulations(20_000));
        assert!(report.is_settled && report.value > 0.9, "{}", report.value);
    }
}
