//! The game with points for White's handicap that melt away: extra = `stone`·h·(1 − m/`moves`), h the handicap stones and m the
//! moves played, and nothing from move `moves` on. [Baudiš 2011, linear handicap compensation]
//!
//! Without them White loses every simulation and Black wins every one, and neither can tell a good move from a bad one. The
//! points go to White whoever searches. Without handicap it is `win`.

use super::{DynamicKomi, KomiContext, Payoff};
use crate::game::Reward;

recipe::params! {
    /// The game, in which White is given points for a handicap that melt away in the course of it.
    pub struct LinearKomi as "linear-komi" {
        stone: f32 = 8.0, 0.0..=50.0, "points for each handicap stone before the first move";
        moves: u32 = 200, 1..=10000, "moves until nothing is left of them";
    }
}

/// Builds the reward.
pub fn build(params: &LinearKomi) -> Result<Payoff, recipe::Error> {
    Ok(Payoff { unit: Reward::Win, komi: Some(Box::new(params.clone())), margin: None })
}

impl DynamicKomi for LinearKomi {
    fn extra(&mut self, context: &KomiContext) -> f32 {
        let left = self.moves.saturating_sub(context.progress.n_moves) as f32 / self.moves as f32;
        self.stone * context.progress.handicap as f32 * left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::reward::GameProgress;

    #[test]
    fn worked_by_hand() {
        let extra = |handicap, n_moves| {
            let progress = GameProgress { n_moves, handicap };
            LinearKomi::default().extra(&KomiContext { progress, mover: Side::Second, judged: None })
        };
        // Four stones: 32 points, a quarter less after 50 moves, nothing after 200 and later.
        assert_eq!((extra(4, 0), extra(4, 50), extra(4, 199)), (32.0, 24.0, 0.16));
        assert_eq!((extra(4, 200), extra(4, u32::MAX), extra(0, 0), extra(9, 0)), (0.0, 0.0, 0.0, 72.0));
    }
}
