//! The game: 1 for a win, ½ for a draw, 0 for a loss. [Every program since Coulom 2006]

use super::Payoff;
use crate::game::Reward;

recipe::params! {
    /// The game: 1 for a win, ½ for a draw, 0 for a loss.
    pub struct Win as "win" {}
}

/// Builds the reward.
pub fn build(_params: &Win) -> Result<Payoff, recipe::Error> {
    Ok(Payoff { unit: Reward::Win, komi: None, margin: None })
}
