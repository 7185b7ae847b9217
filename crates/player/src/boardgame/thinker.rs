//! A search over a game under way: `dyn` once, around the whole search.

use mcts::report::Report;
use mcts::{Action, Limits, Search};

use super::BoardGame;

/// A search over one game, whatever its rules.
pub trait Thinker: Send {
    /// Brings the root to the position after these moves of the game, keeping what is known of it.
    fn catch_up(&mut self, plays: &[Action]);

    /// Sets whether the search draws at its root what its recipe draws for exploration; see [`Search::set_explores`].
    fn set_explores(&mut self, explores: bool);

    /// Runs simulations; see [`Search::run`].
    fn run(&mut self, limits: &Limits) -> Report;

    /// What the search thinks now.
    fn report(&mut self) -> Report;

    /// The move to play, by the recipe's rule; `None` only if the game is over.
    fn pick(&mut self, report: &Report) -> Option<Action>;
}

/// The search and the moves that lead to its root.
pub(super) struct Mind<G: BoardGame> {
    start: G,
    plays: Vec<Action>,
    search: Search<G>,
}

impl<G: BoardGame> Mind<G> {
    /// A search whose root is `start`.
    pub(super) fn new(start: G, search: Search<G>) -> Self {
        Self { start, plays: Vec::new(), search }
    }
}

impl<G: BoardGame> Thinker for Mind<G> {
    fn catch_up(&mut self, plays: &[Action]) {
        if let Some(new) = plays.strip_prefix(self.plays.as_slice()) {
            for &action in new {
                self.search.advance(action);
            }
        } else {
            let mut root = self.start.clone();
            plays.iter().for_each(|&action| root.play(action));
            self.search.set_root(root);
        }
        self.plays = plays.to_vec();
    }

    fn set_explores(&mut self, explores: bool) {
        self.search.set_explores(explores);
    }

    fn run(&mut self, limits: &Limits) -> Report {
        self.search.run(limits)
    }

    fn report(&mut self) -> Report {
        self.search.report()
    }

    fn pick(&mut self, report: &Report) -> Option<Action> {
        self.search.pick(report)
    }
}
