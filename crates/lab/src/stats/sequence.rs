//! A sequential test over games that end out of order.
//!
//! Games are played in parallel and a run may be killed and resumed, so they do not end in the order of their numbers. A
//! test that looked at whatever had ended would stop at moments that depend on the machine, and would favour short games.
//! So a pair is counted only when all pairs before it are, and the verdict is the one of the first pair that gave any.

use std::collections::BTreeMap;

use super::count::{Pentanomial, Trinomial, WinDrawLoss};
use super::score::MatchScore;
use super::sprt::{Hypothesis, Sprt};

/// A sequential test and the pairs it has seen. Games are numbered from 1; games `2k − 1` and `2k` are a colour pair.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    /// The pairs up to the verdict, in order of their numbers.
    pairs: Pentanomial,
    /// The games of these pairs.
    games: Trinomial,
    /// Games that ended and whose turn has not come.
    waiting: BTreeMap<u64, WinDrawLoss>,
    verdict: Option<Hypothesis>,
}

impl SequentialTest {
    /// A test that has seen nothing.
    pub fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            pairs: Pentanomial::default(),
            games: Trinomial::default(),
            waiting: BTreeMap::new(),
            verdict: None,
        }
    }

    /// Game `number` (from 1) has ended, A's view. The same game told twice counts once; after the verdict nothing counts.
    pub fn finished(&mut self, number: u64, outcome: WinDrawLoss) -> Option<Hypothesis> {
        if self.verdict.is_none() && number > self.pairs.games() {
            self.waiting.entry(number).or_insert(outcome);
        }
        while self.verdict.is_none() {
            let first = self.pairs.games() + 1;
            let (Some(&one), Some(&other)) = (self.waiting.get(&first), self.waiting.get(&(first + 1)))
            else {
                break;
            };
            self.waiting.remove(&first);
            self.waiting.remove(&(first + 1));
            self.pairs.add(one, other);
            self.games.add(one);
            self.games.add(other);
            self.verdict = self.sprt.verdict(&self.pairs);
        }
        self.verdict
    }

    /// The test's numbers.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The pairs counted so far: those before the first gap, and none after the verdict.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The score of the pairs counted so far.
    pub fn score(&self) -> MatchScore {
        MatchScore { games: self.games, pairs: self.pairs }
    }

    /// The log-likelihood ratio of the pairs counted so far.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.pairs)
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.verdict
    }
}
