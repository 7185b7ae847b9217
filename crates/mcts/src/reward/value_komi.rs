//! The game with points that keep it open: whenever the player who searches wins more than `high`, he is burdened with a
//! point more; whenever he wins less than `low`, with one less, down to points for himself. [Baudiš 2011, value-based
//! situational compensation with a ratchet: 0.45 and 0.5]
//!
//! If a burden proves too heavy, that much is not tried again until the search starts anew (the ratchet): otherwise the search would go
//! back and forth between two plans. From move `moves` on the burden is nothing, and the real game is played. Values are
//! judged when at least `simulations` were run since the last change; who searches first after a new start is the player.

use super::{DynamicKomi, KomiContext, Payoff};
use crate::game::{Reward, Side};

recipe::params! {
    /// The game, with points more or less that keep the searching player from winning or losing every simulation.
    pub struct ValueKomi as "value-komi" {
        high: f32 = 0.85, 0.0..=1.0, "win rate above which the player is burdened more";
        low: f32 = 0.45, 0.0..=1.0, "win rate below which the player is burdened less";
        step: f32 = 1.0, 0.0..=50.0, "points more or less at a time";
        most: f32 = 30.0, 0.0..=400.0, "points at most, either way";
        simulations: u64 = 500, 1..=1000000000, "simulations before the next change";
        moves: u32 = 200, 0..=10000, "moves after which there is no burden";
    }
}

/// The rule with its present burden.
#[derive(Debug)]
struct Ratchet {
    params: ValueKomi,
    /// Who is burdened.
    player: Option<Side>,
    /// Points that he must win by more than the komi asks for.
    burden: f32,
    /// The burden may not grow beyond this.
    ceiling: f32,
    simulations: u64,
}

/// Builds the reward.
pub fn build(params: &ValueKomi) -> Result<Payoff, recipe::Error> {
    let ValueKomi { low, high, .. } = *params;
    if low > high {
        let why = format!("low={low} lies above high={high}; expected low up to high");
        return Err(recipe::Error::unsuitable(VARIANT.name, why));
    }
    Ok(Payoff { unit: Reward::Win, komi: Some(Box::new(Ratchet::new(params))), margin: None })
}

impl Ratchet {
    fn new(params: &ValueKomi) -> Ratchet {
        let params = params.clone();
        Ratchet { player: None, burden: 0.0, ceiling: params.most, simulations: 0, params }
    }

    /// Changes the burden by the player's win rate in the last run.
    fn judge(&mut self, value: f32) {
        if value < self.params.low {
            let lighter = self.burden - self.params.step;
            if self.burden > 0.0 {
                self.ceiling = lighter;
            }
            self.burden = lighter.max(-self.params.most);
        } else if value > self.params.high {
            self.burden = (self.burden + self.params.step).min(self.ceiling);
        }
        self.simulations = 0;
    }
}

impl DynamicKomi for Ratchet {
    fn extra(&mut self, context: &KomiContext) -> f32 {
        let player = *self.player.get_or_insert(context.mover);
        if let Some(judged) = context.judged.filter(|_| context.mover == player) {
            self.simulations += judged.simulations;
            if self.simulations >= self.params.simulations {
                self.judge(judged.value_for(player));
            }
        }
        if context.progress.n_moves >= self.params.moves {
            return 0.0;
        }
        match player {
            Side::First => self.burden,
            Side::Second => -self.burden,
        }
    }

    fn reset(&mut self) {
        *self = Ratchet::new(&self.params);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reward::{GameProgress, Judged};

    fn context(mover: Side, n_moves: u32, first_wins: f32, simulations: u64) -> KomiContext {
        let judged = Some(Judged { value: first_wins, simulations });
        KomiContext { progress: GameProgress { n_moves, handicap: 0 }, mover, judged }
    }

    #[test]
    fn worked_by_hand() {
        let mut rule = Ratchet::new(&ValueKomi::default());
        let first = KomiContext { judged: None, ..context(Side::First, 0, 0.5, 0) };
        assert_eq!(rule.extra(&first), 0.0);
        let mut next = |value, simulations| rule.extra(&context(Side::First, 20, value, simulations));
        // Far ahead: a point more each time, if enough simulations were run. In between: as it was.
        assert_eq!([next(0.9, 1000), next(0.9, 1000), next(0.6, 1000)], [1.0, 2.0, 2.0]);
        assert_eq!([next(0.9, 300), next(0.9, 300), next(0.9, 300)], [2.0, 3.0, 3.0]);
        // Three points were too many: two, and three are not tried again.
        assert_eq!([next(0.3, 500), next(0.95, 500), next(0.95, 500)], [2.0, 2.0, 2.0]);
        // Far behind: down to points for oneself, at most 30.
        assert_eq!([next(0.1, 500), next(0.1, 500), next(0.1, 500)], [1.0, 0.0, -1.0]);
        (0..50).for_each(|_| assert!(next(0.0, 500) < 0.0));
        assert_eq!(next(0.5, 500), -30.0);
        // Towards the end of the game there is no burden; in a new game neither.
        assert_eq!(rule.extra(&context(Side::First, 200, 0.5, 500)), 0.0);
        rule.reset();
        assert_eq!(rule.extra(&first), 0.0);
    }

    #[test]
    fn bounds_the_wrong_way_round_are_refused() {
        let wrong = ValueKomi { low: 0.9, high: 0.1, ..ValueKomi::default() };
        let error = build(&wrong).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("low=0.9 lies above high=0.1"), "{error}");
    }

    #[test]
    fn white_is_burdened_with_points_for_black() {
        // White wins nine of ten; what is thought while Black is to move does not count.
        let mut rule = Ratchet::new(&ValueKomi::default());
        assert_eq!(rule.extra(&context(Side::Second, 1, 0.1, 499)), 0.0);
        assert_eq!(rule.extra(&context(Side::First, 2, 0.1, 5000)), 0.0);
        assert_eq!(rule.extra(&context(Side::Second, 3, 0.1, 1)), -1.0);
        // Neither step nor bound nor moves: nothing at all.
        let zero = ValueKomi { most: 0.0, ..ValueKomi::default() };
        let mut rule = Ratchet::new(&zero);
        for value in [0.0, 1.0, 0.0, 1.0] {
            assert_eq!(rule.extra(&context(Side::First, 0, value, 1_000_000)), 0.0);
        }
    }
}
