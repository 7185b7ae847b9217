//! First-play urgency: what an arm is worth that was never tried.

use crate::cx::{Cx, Estimates, Mixed};
use crate::game::Game;
use crate::search::Roster;

/// Values the arms without visits.
pub trait Fpu<G: Game>: Send + Sync {
    /// Whether every arm is tried before any is tried twice. Then a node with untried arms need not be weighed.
    fn tries_all_first(&self) -> bool {
        false
    }

    /// Overwrites the value of every arm with n = 0 (`cx.arms.n`) and leaves the others alone. Selectors add no bound to
    /// these arms (`puct` does).
    fn fill(&self, cx: &Cx<'_, G>, models: &[Estimates], out: &mut Mixed);
}

recipe::variants! {
    /// What an arm is worth that was never tried.
    pub static FAMILY = "fpu";
    pub fn build<G: Game>(choice, roster: &Roster) -> Box<dyn Fpu<G>>;
    inf, value, amaf, mixed
}
