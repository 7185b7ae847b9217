//! First-play urgency: the value of an arm that was never tried.

use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

/// Values the arms without visits.
pub trait Fpu: Send + Sync {
    /// Whether every arm is tried before any is tried twice. Then a node with untried arms need not be weighed.
    fn tries_all_first(&self) -> bool {
        false
    }

    /// Whether untried arms may be worth less than every tried one, so that only a bound beside the urgency has them tried.
    fn needs_bound(&self) -> bool {
        false
    }

    /// Overwrites the value of every arm that was never begun (`cx.arms.begun()` is 0) and leaves the others alone. Selectors add no bound to
    /// these arms (`puct` does).
    fn fill(&self, cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed);
}

recipe::variants! {
    /// First-play urgency: the value of an arm that was never tried.
    pub static FAMILY = "fpu";
    pub fn build(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Fpu>;
    inf, value, amaf, mixed, reduction
}
