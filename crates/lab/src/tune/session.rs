//! A tuning run as a sequence of steps whose games may end in any order.
//!
//! A method's proposals depend on what it has learnt, so the order in which games end must not matter: steps are learnt in
//! order of their numbers, and each time one is, exactly one more is proposed. What a step proposes is then a function of
//! the method, the seed and the results of certain earlier steps alone.

use std::collections::VecDeque;

use super::method::Method;
use super::random::of_step;
use super::sample::{Bout, TuneSample};
use crate::stats::WinDrawLoss;

/// Which game of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TuneGameId {
    /// The step, from 0.
    pub step: u64,
    /// The bout of the step, from 0.
    pub bout: usize,
    /// 0 or 1: the two games of the colour pair.
    pub half: usize,
}

/// A step under way.
#[derive(Clone, Debug)]
pub struct TuneStep {
    /// Its number, from 0.
    pub number: u64,
    /// What is played.
    pub bouts: Vec<Bout>,
    /// What came of it so far, A's view.
    outcomes: Vec<[Option<WinDrawLoss>; 2]>,
}

/// A run.
pub struct TuneSession {
    method: Box<dyn Method>,
    seed: u64,
    /// Steps in all.
    n_steps: u64,
    /// Steps under way, in order of their numbers.
    open: VecDeque<TuneStep>,
    /// The number of the next step that is proposed.
    next: u64,
    n_games: u64,
}

impl TuneStep {
    fn is_over(&self) -> bool {
        self.outcomes.iter().flatten().all(Option::is_some)
    }

    fn samples(&self) -> Vec<TuneSample> {
        let points =
            |outcomes: &[Option<WinDrawLoss>; 2]| outcomes.iter().flatten().map(|o| o.points()).sum();
        let sample = |(bout, outcomes): (&Bout, _)| TuneSample {
            bout: bout.clone(),
            points: points(outcomes),
            games: 2.0,
        };
        self.bouts.iter().zip(&self.outcomes).map(sample).collect()
    }

    /// The games that are not over.
    fn games(&self) -> impl Iterator<Item = TuneGameId> + '_ {
        let halves = self.outcomes.iter().enumerate().flat_map(|(bout, pair)| {
            pair.iter()
                .enumerate()
                .filter(|(_, outcome)| outcome.is_none())
                .map(move |(half, _)| (bout, half))
        });
        halves.map(|(bout, half)| TuneGameId { step: self.number, bout, half })
    }
}

impl TuneSession {
    /// A run of `n_steps` steps; the first are proposed at once.
    pub fn new(method: Box<dyn Method>, n_steps: u64, seed: u64) -> Self {
        let mut session = Self { method, seed, n_steps, open: VecDeque::new(), next: 0, n_games: 0 };
        for _ in 0..session.method.delay().max(1) {
            session.propose();
        }
        session
    }

    fn propose(&mut self) {
        if self.next < self.n_steps {
            let bouts = self.method.propose(self.next, &mut of_step(self.seed, self.next));
            let outcomes = vec![[None; 2]; bouts.len()];
            self.open.push_back(TuneStep { number: self.next, bouts, outcomes });
            self.next += 1;
        }
    }

    /// Takes a game's outcome, A's view. Returns false if the game is not under way: it counted before, or is not known.
    pub fn finished(&mut self, game: TuneGameId, outcome: WinDrawLoss) -> bool {
        let Some(step) = self.open.iter_mut().find(|step| step.number == game.step) else { return false };
        match step.outcomes.get_mut(game.bout).and_then(|pair| pair.get_mut(game.half)) {
            Some(place @ None) => *place = Some(outcome),
            _ => return false,
        }
        self.n_games += 1;
        while self.open.front().is_some_and(TuneStep::is_over) {
            if let Some(step) = self.open.pop_front() {
                self.method.learn(step.number, &step.samples());
                self.propose();
            }
        }
        true
    }

    /// The games that can be played now, in order.
    pub fn open_games(&self) -> impl Iterator<Item = TuneGameId> + '_ {
        self.open.iter().flat_map(TuneStep::games)
    }

    /// What a game that is under way is.
    pub fn bout(&self, game: TuneGameId) -> Option<&Bout> {
        self.open.iter().find(|step| step.number == game.step)?.bouts.get(game.bout)
    }

    /// True when every step was learnt.
    pub fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Games that ended, of steps under way as well.
    pub fn n_games(&self) -> u64 {
        self.n_games
    }

    /// The method with what it has learnt.
    pub fn method(&self) -> &dyn Method {
        &*self.method
    }
}
