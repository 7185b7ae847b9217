//! How strong the opponent is: one table, from a beginner's to all that the machine can do.
//!
//! A level is a recipe and a number of simulations for each move; the last one thinks for a time instead. A weaker level
//! is a player who sees less or wavers more between the moves that come to its mind, not one who now and then blunders.
//! None passes early.

use std::time::Duration;

use mcts::Settings;

use crate::recipes;
use crate::searcher::{Manners, SearchPlayer};

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

impl Level {
    /// Whether it draws its move among those that it looked at instead of taking the best.
    pub fn wavers(&self) -> bool {
        self.recipe.contains("pick=softmax")
    }

    /// A player of this level.
    ///
    /// # Errors
    /// A network that the level needs and the settings do not give.
    pub fn player(&self, settings: &Settings) -> Result<SearchPlayer, recipe::Error> {
        let player = recipes::player(self.recipe, settings)?;
        let manners = Self::manners(player.manners());
        Ok(player.with_manners(manners))
    }

    /// The manners of a level whose player would else have these.
    pub fn manners(usual: Manners) -> Manners {
        Manners { plays_on_early: true, ..usual }
    }
}

/// The longest that a level with a number of simulations thinks, on however slow a machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time of the strongest level for a move.
const FULL: Duration = Duration::from_secs(5);

const fn level(name: &'static str, recipe: &'static str, playouts: u64) -> Level {
    Level { name, recipe, playouts: Some(playouts), time: PATIENCE }
}

/// One that looks at nearly all moves alike, the more so the larger `c`, and plays one of those that it looked at.
macro_rules! wandering {
    ($name:literal, $c:literal) => {
        level($name, concat!("default select.c=", $c, " pick=softmax"), 60)
    };
}

/// The levels, the weakest first. Players count them from 1. All but the last are the players of `experiments/levels.toml`,
/// in which each met the one below; `docs/levels.md` has the table.
pub const LEVELS: [Level; 13] = [
    // Knows nothing of Go but its rules.
    level("First stones", "light", 5),
    // Sees what its playouts see, atari above all, and nothing of shape.
    level("Beginner", "default prior.likely=0 pick=softmax", 8),
    wandering!("Novice", "0.94"),
    wandering!("Learner", "0.78"),
    wandering!("Pupil", "0.63"),
    wandering!("Casual player", "0.49"),
    wandering!("Regular player", "0.35"),
    wandering!("Practised player", "0.17"),
    level("Club player", "default", 30),
    level("Good club player", "default", 95),
    level("Strong player", "default", 300),
    level("Very strong player", "default", 1000),
    Level { name: "Full strength", recipe: "default", playouts: None, time: FULL },
];

/// The levels of an opponent with a network: visits a move, or a time. Nobody has
/// measured them against each other, and how strong one is depends on the network.
pub const NET_LEVELS: [Level; 6] = [
    level("1 visit a move", NET_RECIPE, 1),
    level("10 visits a move", NET_RECIPE, 10),
    level("50 visits a move", NET_RECIPE, 50),
    level("200 visits a move", NET_RECIPE, 200),
    level("1000 visits a move", NET_RECIPE, 1000),
    Level { name: "5 seconds a move", recipe: NET_RECIPE, playouts: None, time: FULL },
];

/// The recipe that asks a network, in place of `default`.
pub const NET_RECIPE: &str = "katago";

/// The level that gives hints.
pub const HINT: Level = level("Hint", "default", 2_000);
/// The level that gives hints if there is a network.
pub const NET_HINT: Level = level("Hint", NET_RECIPE, 200);

/// The levels of opponents with a network, or without.
pub fn levels(has_net: bool) -> &'static [Level] {
    if has_net { &NET_LEVELS } else { &LEVELS }
}

/// The level of a number from 1.
pub fn by_number(number: usize, has_net: bool) -> Option<&'static Level> {
    levels(has_net).get(number.checked_sub(1)?)
}

/// The level that a text names by its number.
///
/// # Errors
/// What is not the number of a level, with those that are.
pub fn parse(text: &str, has_net: bool) -> Result<&'static Level, String> {
    let expected = || {
        let kind = if has_net { " with a network" } else { "" };
        format!("\"{text}\" is not a level{kind}; expected a number from 1 to {}", levels(has_net).len())
    };
    text.trim().parse().ok().and_then(|number| by_number(number, has_net)).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_those_that_were_measured() {
        let file = include_str!("../../../experiments/levels.toml");
        let players: Vec<String> =
            file.lines().filter(|line| line.starts_with("level-")).map(str::to_owned).collect();
        let measured = LEVELS.iter().zip(1..).filter_map(|(level, number)| {
            let text = format!("level-{number} = \"{}@playouts={}\"", level.recipe, level.playouts?);
            Some(text)
        });
        assert_eq!(measured.collect::<Vec<_>>(), players);
        assert_eq!(players.len() + 1, LEVELS.len());
    }

    #[test]
    fn levels_can_play_and_are_found_by_number() {
        for level in LEVELS.iter().chain(&NET_LEVELS) {
            recipes::parse(level.recipe).unwrap();
        }
        assert_eq!(by_number(1, false), Some(&LEVELS[0]));
        assert_eq!(by_number(1, true), Some(&NET_LEVELS[0]));
        assert_eq!((by_number(0, false), by_number(LEVELS.len() + 1, false)), (None, None));
        assert_eq!(by_number(NET_LEVELS.len() + 1, true), None);
        assert_eq!(parse(" 2 ", false).unwrap().name, "Beginner");
        for (text, has_net, last) in [("14", false, 13), ("7", true, 6)] {
            let error = parse(text, has_net).unwrap_err();
            assert!(
                error.starts_with(&format!("\"{text}\"")) && error.ends_with(&format!(" 1 to {last}")),
                "{error}"
            );
        }
    }
}
