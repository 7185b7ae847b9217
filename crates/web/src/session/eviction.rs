//! Which kept game makes room when there are too many.
//!
//! Nobody can tell a flood of games from visitors for certain, but a flood is young, it comes from few networks, and its
//! games are hardly played. So at most a part of the places is for games that began lately; among those that go first are
//! the ones of whoever has most of them, then the hardly played, then the youngest. Only when there is no flood do old games
//! go: the hardly played first, then those that nobody has touched for the longest time.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use crate::network::Network;

/// A game that began since then is young.
const YOUNG: Duration = Duration::from_secs(24 * 3600);
/// Young games may take this fraction, as 1/n, of all places.
const YOUNG_PART: usize = 4;
/// Moves from which on a game counts as played.
const PLAYED: usize = 20;

/// The facts of a kept game that decide whether it makes room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// When it was first kept.
    pub(super) born: SystemTime,
    /// When it was last kept.
    pub(super) used: SystemTime,
    pub(super) n_moves: usize,
    /// Who began it; not known of games that an earlier run of the server has left.
    pub(super) creator: Option<Network>,
}

/// The game that makes room, if there are more than `max`; never that of `spared`.
pub(super) fn victim<'a>(
    games: impl Iterator<Item = (&'a str, &'a Kept)> + Clone,
    max: usize,
    spared: &str,
    now: SystemTime,
) -> Option<String> {
    if games.clone().count() <= max {
        return None;
    }
    let is_young = |kept: &Kept| now.duration_since(kept.born).is_ok_and(|age| age < YOUNG);
    let young = games.clone().filter(|(_, kept)| is_young(kept));
    let mut by_creator: HashMap<Option<Network>, usize> = HashMap::new();
    young.clone().for_each(|(_, kept)| *by_creator.entry(kept.creator).or_default() += 1);
    let others = |(name, _): &(&str, &Kept)| *name != spared;
    let n_played = |kept: &Kept| kept.n_moves.min(PLAYED);
    if young.clone().count() > max / YOUNG_PART {
        // Whose creator is not known was there before anybody in sight.
        let n_of = |kept: &Kept| kept.creator.map_or(0, |_| by_creator[&kept.creator]);
        let order = |(_, kept): &(&str, &Kept)| {
            (std::cmp::Reverse(n_of(kept)), n_played(kept), std::cmp::Reverse(kept.born))
        };
        return young.filter(others).min_by_key(order).map(|(name, _)| name.to_string());
    }
    let old = games.filter(|(_, kept)| !is_young(kept)).filter(others);
    old.min_by_key(|(_, kept)| (n_played(kept), kept.used)).map(|(name, _)| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    struct Shelf {
        games: HashMap<String, Kept>,
        now: SystemTime,
    }

    impl Shelf {
        fn new() -> Self {
            Self { games: HashMap::new(), now: SystemTime::UNIX_EPOCH + 100_000 * HOUR }
        }

        /// Keeps a game that began some hours ago; whoever makes room is gone.
        fn keep(&mut self, name: &str, hours: u32, n_moves: usize, address: u8) {
            let time = self.now - hours * HOUR;
            let creator = Some(Network::of([10, 0, 0, address].into()));
            self.games.insert(name.to_string(), Kept { born: time, used: time, n_moves, creator });
            let games = self.games.iter().map(|(name, kept)| (name.as_str(), kept));
            if let Some(victim) = victim(games, 100, name, self.now) {
                self.games.remove(&victim);
            }
            assert!(self.games.len() <= 100);
        }
    }

    #[test]
    fn a_flood_drowns_itself() {
        // From another address, and from the same one with fewer moves or as many.
        for (address, n_moves) in [(2, 50), (1, 0), (1, 50)] {
            let mut shelf = Shelf::new();
            shelf.keep("old", 10_000, 30, 1);
            shelf.keep("today", 1, 30, 1);
            shelf.keep("barely", 1, 2, 1);
            for n in 0..1000 {
                shelf.keep(&format!("flood {n}"), 0, n_moves, address);
            }
            assert!(shelf.games.contains_key("old") && shelf.games.contains_key("today"));
            assert!(shelf.games.contains_key("barely") || (address, n_moves) == (1, 50));
        }
    }

    #[test]
    fn in_quiet_times_what_nobody_wants_goes_first() {
        let mut shelf = Shelf::new();
        (0..98).for_each(|n| shelf.keep(&format!("game {n}"), 200 + n, 40, 1));
        shelf.keep("just begun, long ago", 1000, 1, 1);
        shelf.keep("untouched for years", 20_000, 40, 1);
        shelf.keep("new", 0, 1, 1);
        assert!(!shelf.games.contains_key("just begun, long ago"));
        shelf.keep("newer", 0, 1, 1);
        assert!(!shelf.games.contains_key("untouched for years") && shelf.games.contains_key("new"));
    }
}
