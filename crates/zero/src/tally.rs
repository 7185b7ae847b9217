//! Counts of the games that ended since the last network.

use std::collections::BTreeMap;

use crate::curves::RunPoint;
use crate::stored::{StoredEnding, StoredGame};

/// First moves that a curve names.
const N_FIRST: usize = 5;

/// Counts of games.
#[derive(Clone, Debug, Default)]
pub struct GameTally {
    n: u64,
    n_moves: u64,
    black_points: f64,
    n_draws: u64,
    n_resigned: u64,
    first_moves: BTreeMap<String, u64>,
}

impl GameTally {
    /// Adds a game.
    pub fn add(&mut self, game: &StoredGame) {
        self.n += 1;
        self.n_moves += game.n_moves() as u64;
        self.black_points += f64::from(game.result);
        self.n_draws += u64::from(game.result == 0.5);
        self.n_resigned += u64::from(game.end == StoredEnding::Resigned);
        if let Some(first) = game.moves.split_whitespace().next().filter(|_| game.blind == 0) {
            *self.first_moves.entry(first.to_string()).or_default() += 1;
        }
    }

    /// Writes the counts into a point of the curve, over this time.
    pub fn write(&self, hours: f64, point: &mut RunPoint) {
        let n = self.n.max(1) as f64;
        point.games_an_hour = if hours > 0.0 { self.n as f64 / hours } else { 0.0 };
        point.mean_length = self.n_moves as f64 / n;
        point.black_rate = self.black_points / n;
        point.draw_rate = self.n_draws as f64 / n;
        point.resign_rate = self.n_resigned as f64 / n;
        point.first_moves = self.first_moves();
    }

    /// The most frequent first moves with their shares.
    fn first_moves(&self) -> String {
        let total = self.first_moves.values().sum::<u64>().max(1) as f64;
        let mut moves: Vec<(&String, &u64)> = self.first_moves.iter().collect();
        moves.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        let shown = moves.iter().take(N_FIRST).map(|(text, n)| format!("{text}:{:.2}", **n as f64 / total));
        shown.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_by_hand() {
        let game = |moves: &str, blind, result, end| StoredGame {
            game: 1,
            net: 0,
            moves: moves.to_string(),
            blind,
            end,
            result,
            score: None,
            owners: String::new(),
            lows: None,
            searched: Vec::new(),
        };
        let mut tally = GameTally::default();
        tally.add(&game("d c d", 0, 1.0, StoredEnding::Rules));
        tally.add(&game("d a", 0, 0.5, StoredEnding::Cut));
        tally.add(&game("b a c e", 0, 0.0, StoredEnding::Resigned));
        tally.add(&game("g a c", 1, 1.0, StoredEnding::Rules));
        let mut point = RunPoint::default();
        tally.write(0.5, &mut point);
        assert_eq!((point.games_an_hour, point.mean_length, point.black_rate), (8.0, 3.0, 0.625));
        assert_eq!((point.draw_rate, point.resign_rate), (0.25, 0.25));
        assert_eq!(point.first_moves, "d:0.67 b:0.33");
    }
}
