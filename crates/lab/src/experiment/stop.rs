//! When a pairing has been played enough, and which of its games count.

use serde::{Deserialize, Serialize};

use crate::game::{Line, Side};
use crate::stats::{Hypothesis, Outcome, SequentialTest, Sprt, Trinomial};

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
    games: Trinomial,
}

impl Standing {
    /// A pairing without games.
    pub fn new(stop: Stop) -> Self {
        let test = match stop {
            Stop::Games(_) => None,
            Stop::Sprt { test, .. } => Some(SequentialTest::new(test)),
        };
        Self { stop, test, over: Vec::new(), games: Trinomial::default() }
    }

    /// A pairing with these games.
    pub fn of<'a>(stop: Stop, lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let mut standing = Self::new(stop);
        for line in lines {
            standing.add(line);
        }
        standing
    }

    /// Adds a game that is over. The same game told twice counts once.
    pub fn add(&mut self, line: &Line) {
        if line.game == 0 || line.game > self.stop.max_games() || self.is_over(line.game) {
            return;
        }
        let idx = line.game as usize - 1;
        if self.over.len() <= idx {
            self.over.resize(idx + 1, false);
        }
        self.over[idx] = true;
        let outcome = outcome(line);
        self.games.add(outcome);
        if let Some(test) = &mut self.test {
            test.finished(line.game, outcome);
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
            Some(test) => test.verdict().is_some() || self.games.games() >= self.stop.max_games(),
            None => self.games.games() >= self.stop.max_games(),
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
        self.games.games()
    }

    /// Games that may still have to be played; with a sequential test probably fewer.
    pub fn n_left(&self) -> u64 {
        if self.is_done() { 0 } else { self.stop.max_games() - self.n_over() }
    }

    /// All games that are over, A's view.
    pub fn games(&self) -> Trinomial {
        self.games
    }
}

/// The result of a game, A's view.
pub fn outcome(line: &Line) -> Outcome {
    match line.winner {
        Some(Side::A) => Outcome::Win,
        Some(Side::B) => Outcome::Loss,
        None => Outcome::Draw,
    }
}

/// By how many points A won, negative if A lost; none for a game that was not counted in points.
pub fn margin(line: &Line) -> Option<f64> {
    if line.result == "0" {
        // A draw that the board decides, as in Connect Four, is one without points.
        return (line.reason != "play").then_some(0.0);
    }
    let points: f64 = line.result.get(2..)?.parse().ok()?;
    Some(if line.winner? == Side::A { points } else { -points })
}
