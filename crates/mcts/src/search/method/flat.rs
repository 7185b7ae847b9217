//! Flat search: all positions `depth` plies from the root are sampled alike, the least visited arm first; deeper values
//! are backed up by minimax, so that an arm is worth what the best reply leaves of it. [Hsu: the basic idea of Bouzy's
//! programs is depth 1; depth-i enumeration]
//!
//! The widener still leaves arms out, which makes progressive pruning of it; selector and expander are not asked. Play
//! the best value (`pick=best-value`), since all arms have about as many visits.

use super::SearchMethod;

recipe::params! {
    /// All positions some plies deep, sampled alike; minimax above them.
    pub struct FlatMethod as "flat" {
        depth: u32 = 1, 1..=4, "plies below the root that are enumerated";
    }
}

/// Builds the method.
pub fn build(params: &FlatMethod) -> Result<SearchMethod, recipe::Error> {
    Ok(SearchMethod::Flat { depth: params.depth as usize })
}
