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

    /// Chooses from the root's table; `None` if it is empty.
    fn pick(&self, report: &Report, rng: &mut Rng) -> Option<Action>;
}

recipe::variants! {
    /// Which move is played when the search is over.
    pub static FAMILY = "pick";
    pub fn build(choice) -> Box<dyn Pick>;
    most_visits, best_value, balanced, softmax, at_limit, lcb
}

#[cfg(test)]
mod tests;
