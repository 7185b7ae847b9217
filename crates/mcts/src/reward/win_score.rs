//! The game, and a part for the margin: (1 − share)·win + share·(1 + x/√(1 + x²))/2 with x = margin/points. [After KataGo's score
//! utility, which saturates by an arctangent instead]
//!
//! A won game is worth at least 1 − share/2 and a lost one at most share/2; among won or lost games the better margin is preferred. The larger
//! the share, the more chances to win are given up for points. Playouts and ends of games have a margin, and so have networks that tell
//! leads; others are refused.

use super::{MarginShare, Payoff};
use crate::game::Reward;

recipe::params! {
    /// The game, and a part for the margin, which saturates.
    pub struct WinScore as "win-score" {
        share: f32 = 0.1, 0.001..=1.0, "part of the margin in the reward; the rest is the win's";
        points: f32 = 20.0, 0.1..=1000.0, "margin in points at which 0.85 of that part are reached";
    }
}

/// Builds the reward.
pub fn build(params: &WinScore) -> Result<Payoff, recipe::Error> {
    let margin = Some(MarginShare { share: params.share, points: params.points });
    Ok(Payoff { unit: Reward::Win, komi: None, margin })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Side};

    #[test]
    fn worked_by_hand() {
        let reward = |win, score, side| {
            let outcome = Outcome { win, score, ..Outcome::default() };
            let margin = MarginShare { share: 0.2, points: 4.0 };
            margin.reward(&outcome, side)
        };
        // 3 points of 4: x = ¾, x/√(1 + x²) = 0.6, so 0.8·1 + 0.2·0.8; the other side has the rest.
        assert!((reward(1.0, 3.0, Side::First) - 0.96).abs() < 1e-6);
        assert!((reward(1.0, 3.0, Side::Second) - 0.04).abs() < 1e-6);
        // A loss by as much, a network's even game, a margin beyond all boards.
        assert!((reward(0.0, -3.0, Side::First) - 0.04).abs() < 1e-6);
        assert_eq!(reward(0.5, 0.0, Side::First), 0.5);
        assert!((reward(1.0, 1e6, Side::First) - 1.0).abs() < 1e-6);
        assert!((reward(0.0, -1e6, Side::First)).abs() < 1e-6);
    }
}
