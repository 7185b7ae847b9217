//! Picks: which move is played when the search is over.

use crate::game::Action;
use crate::report::Report;
use goban::Rng;

/// Chooses the move to play.
pub trait Pick: Send + Sync {
    /// Whether it reads the variance of the arms' rewards, which is counted only then.
    fn reads_variance(&self) -> bool {
        false
    }

    /// Whether it reads the arms' scores, and needs a selector whose scores rank the root's most visited arms.
    fn reads_ranks(&self) -> bool {
        false
    }

    /// Chooses from the root's table; `None` if it is empty.
    fn pick(&self, report: &Report, rng: &mut Rng) -> Option<Action>;
}

recipe::variants! {
    /// Which move is played when the search is over.
    pub static FAMILY = "pick";
    pub fn build(choice) -> Box<dyn Pick>;
    most_visits, best_value, balanced, softmax, at_limit, lcb, gumbel
}

#[cfg(test)]
mod tests;
