//! The margin in points, komi included. [Bouzy & Helmstetter 2003]

use super::Payoff;
use crate::game::Reward;

recipe::params! {
    /// The margin in points, komi included.
    pub struct ScoreReward as "score" {}
}

/// Builds the reward.
pub fn build(_params: &ScoreReward) -> Result<Payoff, recipe::Error> {
    Ok(Payoff { unit: Reward::Score, komi: None, margin: None })
}
