//! When games are given up, and how often wrongly. In some games nobody gives up; of these it is known what giving up would have
//! cost, and the limit is lowered until few of the games that would be given up were not lost. [Silver et al. 2017: below 5 %]

use std::collections::VecDeque;

/// Checked games that are looked back at.
const N_CHECKED: usize = 2000;
/// Fewer games that would be given up say nothing.
const FEWEST: usize = 20;
/// Between the limits that are tried.
const STEP: f32 = 0.8;

/// A game in which nobody gave up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedGame {
    /// The least share of wins that Black and White expected at one of their moves.
    pub lows: [f32; 2],
    /// Black's result: 1, ½ or 0.
    pub result: f32,
}

impl CheckedGame {
    /// Whether somebody would have given up below `limit`, and if so whether that would have been wrong. If both would have, the
    /// right one is not known and the game counts for the winner's.
    fn verdict(&self, limit: f32) -> Option<bool> {
        let points = [self.result, 1.0 - self.result];
        let gives_up = [self.lows[0] < limit, self.lows[1] < limit];
        let is_wrong = (0..2).any(|side| gives_up[side] && points[side] > 0.0);
        (gives_up[0] || gives_up[1]).then_some(is_wrong)
    }
}

/// Watches over the limit.
#[derive(Clone, Debug)]
pub struct ResignWatch {
    /// The limit that the settings ask for.
    wanted: f32,
    /// The most errors among the games that would be given up.
    most_errors: f32,
    checked: VecDeque<CheckedGame>,
}

impl ResignWatch {
    /// A watch that has seen nothing.
    pub fn new(wanted: f32, most_errors: f32) -> Self {
        Self { wanted, most_errors, checked: VecDeque::new() }
    }

    /// A checked game has ended.
    pub fn add(&mut self, game: CheckedGame) {
        if self.checked.len() == N_CHECKED {
            self.checked.pop_front();
        }
        self.checked.push_back(game);
    }

    /// Games that would be given up below `limit`, and how many of them wrongly.
    pub fn errors(&self, limit: f32) -> (usize, usize) {
        let verdicts = self.checked.iter().filter_map(|game| game.verdict(limit));
        verdicts.fold((0, 0), |(n, wrong), is_wrong| (n + 1, wrong + usize::from(is_wrong)))
    }

    /// The limit now: the one that is wanted, or the first lower one with few enough errors; 0 while too few games tell.
    pub fn limit(&self) -> f32 {
        let mut limit = self.wanted;
        while limit > 0.001 {
            let (n, n_wrong) = self.errors(limit);
            if n < FEWEST {
                return 0.0;
            }
            if n_wrong as f32 <= self.most_errors * n as f32 {
                return limit;
            }
            limit *= STEP;
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(n: usize, lows: [f32; 2], result: f32) -> impl Iterator<Item = CheckedGame> {
        std::iter::repeat_n(CheckedGame { lows, result }, n)
    }

    #[test]
    fn the_limit_falls_until_few_games_are_given_up_wrongly() {
        let mut watch = ResignWatch::new(0.1, 0.05);
        assert_eq!(watch.limit(), 0.0, "nobody gives up before anything is known");
        // Black saw 1 % and lost.
        games(95, [0.01, 0.6], 0.0).for_each(|game| watch.add(game));
        assert_eq!((watch.errors(0.1), watch.limit()), ((95, 0), 0.1));
        // White saw 9 % and drew: 5 of 100 are allowed, the sixth is too much.
        games(5, [0.4, 0.09], 0.5).for_each(|game| watch.add(game));
        assert_eq!((watch.errors(0.1), watch.limit()), ((100, 5), 0.1));
        games(1, [0.4, 0.09], 0.5).for_each(|game| watch.add(game));
        assert_eq!(watch.errors(0.1), (101, 6));
        assert!((watch.limit() - 0.08).abs() < 1e-6 && watch.errors(0.08) == (95, 0));
        // Who would have given up and won is an error whatever the other saw.
        assert_eq!(CheckedGame { lows: [0.05, 0.05], result: 1.0 }.verdict(0.1), Some(true));
        assert_eq!(CheckedGame { lows: [0.3, 0.3], result: 1.0 }.verdict(0.1), None);
    }

    #[test]
    fn where_every_limit_is_wrong_nobody_gives_up() {
        let mut watch = ResignWatch::new(0.2, 0.05);
        games(100, [0.0, 1.0], 1.0).for_each(|game| watch.add(game));
        assert_eq!((watch.errors(0.01), watch.limit()), ((100, 100), 0.0));
    }
}
