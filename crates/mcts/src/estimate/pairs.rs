//! The bound of models that keep a number for every pair of arms.

use crate::game::GameFacts;

/// The most arms such a model takes: 13×13 points and a pass. A node then has 31 000 numbers, or 120 kB.
pub(super) const MAX_ARMS: usize = 170;

/// Refuses a game with more arms than `who` takes.
pub(super) fn check(facts: &GameFacts<'_>, who: &str) -> Result<(), recipe::Error> {
    let n_arms = facts.max_arms;
    if n_arms <= MAX_ARMS {
        return Ok(());
    }
    let why = format!(
        "it keeps a number for every pair of arms and takes at most {MAX_ARMS} arms (13×13 points and a pass), but this game has up to {n_arms}"
    );
    Err(recipe::Error::unsuitable(who, why))
}
