//! How strong the opponent is: one table, from a beginner's to all that the machine can do.
//!
//! A level is a recipe and a number of simulations for each move; the last one thinks for a time instead. More simulations
//! make the same player see more, so a weak level plays like a weaker player and not like one who blunders at random.

use std::time::Duration;

/// One level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// What it is called.
    pub name: &'static str,
    /// The recipe that plays.
    pub recipe: &'static str,
    /// Simulations for each move; none: as many as the time allows.
    pub playouts: Option<u64>,
    /// The longest time for a move.
    pub time: Duration,
}

/// The longest that a level with a number of simulations thinks, on however slow a machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// What the strongest level takes for a move.
const FULL: Duration = Duration::from_secs(5);

const fn level(name: &'static str, recipe: &'static str, playouts: u64) -> Level {
    Level { name, recipe, playouts: Some(playouts), time: PATIENCE }
}

/// The levels, the weakest first. Players count them from 1. Those below the middle know nothing of Go but its rules.
pub const LEVELS: [Level; 10] = [
    level("First stones", "light", 6),
    level("Beginner", "light", 16),
    level("Novice", "light", 40),
    level("Learner", "light", 100),
    level("Casual player", "light", 250),
    level("Practised player", "default", 60),
    level("Club player", "default", 200),
    level("Strong player", "default", 700),
    level("Very strong player", "default", 2_500),
    Level { name: "Full strength", recipe: "default", playouts: None, time: FULL },
];

/// What a hint is made with.
pub const HINT: Level = level("Hint", "default", 2_000);

/// The level of a number from 1.
pub fn by_number(number: usize) -> Option<&'static Level> {
    LEVELS.get(number.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_and_their_recipes_are_known() {
        let rank = |level: &Level| (level.recipe == "default", level.playouts.unwrap_or(u64::MAX));
        let ranks: Vec<(bool, u64)> = LEVELS.iter().map(rank).collect();
        assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
        for level in LEVELS {
            player::recipes::parse(level.recipe).unwrap();
        }
        assert_eq!(by_number(1), Some(&LEVELS[0]));
        assert_eq!((by_number(0), by_number(11)), (None, None));
    }
}
