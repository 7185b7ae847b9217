//! When a pairing has been played enough, and which of its games count.

use serde::{Deserialize, Serialize};

use crate::game::FinishedGame;
use crate::stats::score::count_of;
use crate::stats::{Hypothesis, MatchScore, ScoreCount, SequentialTest, Sprt};

/// When a pairing has been played enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After a fixed number of games.
    Games(u64),
    /// When a sequential test has its verdict.
    Sprt {
        /// The test.
        test: Sprt,
        /// Games after which it is given up undecided; even, since pairs are counted.
        max_games: u64,
    },
}

impl Stop {
    /// Games that are played at most.
    pub fn max_games(&self) -> u64 {
        match *self {
            Self::Games(n) | Self::Sprt { max_games: n, .. } => n,
        }
    }

    /// What differs from another rule that the same games were played under; more or fewer games are no difference.
    pub(crate) fn difference(&self, before: &Self) -> Option<String> {
        match (self, before) {
            (Self::Games(_), Self::Games(_)) => None,
            (Self::Sprt { test: ours, .. }, Self::Sprt { test: theirs, .. }) if ours == theirs => None,
            _ => Some(format!("the stop rule is {before} there, {self} here")),
        }
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Games(n) => write!(f, "{n} games"),
            Self::Sprt { test: Sprt { elo0, elo1, alpha, beta }, max_games } => {
                write!(f, "SPRT {elo0} to {elo1} Elo, α {alpha}, β {beta}, at most {max_games} games")
            }
        }
    }
}

/// How a pairing stands: which games are over and whether more are needed. Games may be added in any order.
#[derive(Clone, Debug)]
pub struct Standing {
    stop: Stop,
    test: Option<SequentialTest>,
    /// Games over, by number − 1.
    over: Vec<bool>,
    /// Sums over the games that are over and not beyond the limit of the rule, A's view. With a sequential test these
    /// are more than those that count.
    games: ScoreCount,
}

impl Standing {
    /// A pairing without games.
    pub fn new(stop: Stop) -> Self {
        let test = match stop {
            Stop::Games(_) => None,
            Stop::Sprt { test, .. } => Some(SequentialTest::new(test)),
        };
        Self { stop, test, over: Vec::new(), games: ScoreCount::default() }
    }

    /// A pairing with these games.
    pub fn of<'a>(stop: Stop, lines: impl IntoIterator<Item = &'a FinishedGame>) -> Self {
        let mut standing = Self::new(stop);
        for line in lines {
            standing.add(line);
        }
        standing
    }

    /// Adds a game that is over. The same game told twice counts once.
    pub fn add(&mut self, line: &FinishedGame) {
        if line.game == 0 || line.game > self.stop.max_games() || self.is_over(line.game) {
            return;
        }
        let idx = line.game as usize - 1;
        if self.over.len() <= idx {
            self.over.resize(idx + 1, false);
        }
        self.over[idx] = true;
        self.games.add(line.game, line.outcome());
        if let Some(test) = &mut self.test {
            test.finished(line.game, line.outcome());
        }
    }

    /// Whether the game of this number is over.
    pub fn is_over(&self, number: u64) -> bool {
        self.over.get((number as usize).wrapping_sub(1)).copied().unwrap_or(false)
    }

    /// The last game that can count: the rule's limit, or that of the pair that gave the verdict.
    pub fn last(&self) -> u64 {
        match &self.test {
            Some(test) if test.verdict().is_some() => test.pairs().games(),
            _ => self.stop.max_games(),
        }
    }

    /// Whether the game of this number, being over, counts: a sequential test counts pairs up to the first gap, so that
    /// neither the number of tables nor an interruption changes what it says.
    pub fn counts(&self, number: u64) -> bool {
        match &self.test {
            Some(test) => number <= test.pairs().games(),
            None => number <= self.stop.max_games(),
        }
    }

    /// Whether no more games are needed.
    pub fn is_done(&self) -> bool {
        match &self.test {
            Some(test) => test.verdict().is_some() || self.n_over() >= self.stop.max_games(),
            None => self.n_over() >= self.stop.max_games(),
        }
    }

    /// The verdict of a sequential test.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.test.as_ref()?.verdict()
    }

    /// The sequential test, if that is the rule.
    pub fn test(&self) -> Option<&SequentialTest> {
        self.test.as_ref()
    }

    /// The rule.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Games that are over, whether they count or not.
    pub fn n_over(&self) -> u64 {
        self.games.score().games.games()
    }

    /// Games that may still have to be played; with a sequential test probably fewer.
    pub fn n_left(&self) -> u64 {
        if self.is_done() { 0 } else { self.stop.max_games() - self.n_over() }
    }

    /// The score of the games that count, A's view.
    pub fn score(&self) -> MatchScore {
        self.test.as_ref().map_or_else(|| self.games.score(), SequentialTest::score)
    }

    /// What is left to play, or what a sequential test says, in words: `complete`, `37 games left`, `H1 accepted (0 Elo
    /// rejected)`. A verdict says which hypothesis the games speak against; how far A is ahead is what Elo and its interval
    /// say.
    pub fn state(&self) -> String {
        let left = count_of(self.n_left(), "game");
        match (self.stop, &self.test) {
            (Stop::Sprt { test, .. }, Some(so_far)) => match so_far.verdict() {
                Some(Hypothesis::H0) => format!("H0 accepted ({} Elo rejected)", test.elo1),
                Some(Hypothesis::H1) => format!("H1 accepted ({} Elo rejected)", test.elo0),
                None if self.is_done() => "undecided".to_string(),
                None => format!("LLR {:.2}, at most {left} left", so_far.llr()),
            },
            _ if self.is_done() => "complete".to_string(),
            _ => format!("{left} left"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PairSide;

    fn line(game: u64, winner: PairSide) -> FinishedGame {
        serde_json::from_value(serde_json::json!({
            "game": game, "black": "a", "winner": winner, "result": "", "reason": "score", "moves": 10,
            "n_moves": [5, 5], "seconds": [0.0, 0.0], "simulations": [0, 0], "seeds": [1, 2],
        }))
        .unwrap()
    }

    #[test]
    fn states_of_tests_claim_no_more_than_the_test() {
        let test = Sprt { elo0: 0.0, elo1: 300.0, alpha: 0.4, beta: 0.4 };
        let stop = Stop::Sprt { test, max_games: 8 };
        let won = |games: u64| (1..=games).map(|game| line(game, PairSide::A)).collect::<Vec<FinishedGame>>();
        let state = |lines: &[FinishedGame]| Standing::of(stop, lines).state();
        assert_eq!(state(&won(8)), "H1 accepted (0 Elo rejected)");
        let lost: Vec<FinishedGame> = (1..=8).map(|game| line(game, PairSide::B)).collect();
        assert_eq!(state(&lost), "H0 accepted (300 Elo rejected)");
        assert_eq!(state(&won(1)), "LLR 0.00, at most 7 games left");
        assert_eq!(Standing::of(Stop::Games(9), &won(8)).state(), "1 game left");
        assert_eq!(Standing::of(Stop::Games(8), &won(8)).state(), "complete");
    }

    #[test]
    fn the_score_is_that_of_the_games_that_count() {
        // Games beyond the verdict of a test, or beyond the limit, do not count.
        let lines: Vec<FinishedGame> = (1..=20).map(|game| line(game, PairSide::A)).collect();
        let test = Sprt { elo0: 0.0, elo1: 300.0, alpha: 0.4, beta: 0.4 };
        for stop in [Stop::Sprt { test, max_games: 20 }, Stop::Games(7)] {
            let standing = Standing::of(stop, &lines);
            let counted = lines.iter().filter(|line| standing.counts(line.game));
            assert_eq!(standing.score(), MatchScore::of(counted.map(|line| (line.game, line.outcome()))));
            assert!(standing.score().games.games() < 20);
        }
    }
}
