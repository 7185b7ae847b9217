//! Which game of an experiment comes next, and what is done with it when it is over.
//!
//! Pairings take turns, some games each, so that all rows of a table fill at the same pace and a run that is interrupted
//! has something to say about each.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::RunNews;
use crate::experiment::{Experiment, Standing};
use crate::game::{Finished, GameJob};
use crate::hall::Schedule;
use crate::store::Store;
use crate::{ErrorPlace, Result, store};

/// Games of a pairing before the next pairing has its turn: enough that outside engines need not be started for every game.
const TURN: u64 = 20;

/// An experiment on its way.
pub struct ExperimentSchedule<'a> {
    experiment: &'a Experiment,
    store: &'a mut Store,
    watch: &'a mut (dyn FnMut(&RunNews<'_>) + Send),
    standings: Vec<Standing>,
    /// The first game of each pairing that was not given to a table.
    open: Vec<u64>,
    /// When games in progress began, in seconds since 1970.
    began: HashMap<GameJob, f64>,
    start: Instant,
    n_played: u64,
}

/// How an experiment goes.
pub struct RunProgress<'a> {
    /// The last game.
    pub game: &'a Finished,
    /// The names of its A and B.
    pub names: [&'a str; 2],
    /// How their pairing stands.
    pub standing: &'a Standing,
    /// Games finished, in this run and before.
    pub n_over: u64,
    /// Games that may still have to be played.
    pub n_left: u64,
    /// How long these will take, from those of this run.
    pub time_left: Duration,
}

impl<'a> ExperimentSchedule<'a> {
    /// The plan for what the store does not have.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn new(
        experiment: &'a Experiment,
        store: &'a mut Store,
        watch: &'a mut (dyn FnMut(&RunNews<'_>) + Send),
    ) -> Result<Self> {
        let standings = store.standings(experiment)?;
        Ok(Self {
            experiment,
            store,
            watch,
            open: vec![1; standings.len()],
            standings,
            began: HashMap::new(),
            start: Instant::now(),
            n_played: 0,
        })
    }

    /// Games that may still have to be played.
    pub fn n_left(&self) -> u64 {
        self.standings.iter().map(Standing::n_left).sum()
    }

    /// The next game of a pairing that is neither over nor in progress.
    fn next_of(&mut self, pairing: usize) -> Option<u64> {
        let (standing, open) = (&self.standings[pairing], &mut self.open[pairing]);
        while standing.is_over(*open) {
            *open += 1;
        }
        (*open <= standing.last() && !standing.is_done()).then_some(*open)
    }
}

impl Schedule for ExperimentSchedule<'_> {
    fn next(&mut self) -> Option<GameJob> {
        let mut best: Option<GameJob> = None;
        for pairing in 0..self.standings.len() {
            if let Some(number) = self.next_of(pairing)
                && best.is_none_or(|best| (number - 1) / TURN < (best.number - 1) / TURN)
            {
                best = Some(GameJob { pairing, number });
            }
        }
        let job = best?;
        self.open[job.pairing] += 1;
        self.began.insert(job, store::now());
        Some(job)
    }

    fn finished(&mut self, game: &Finished) -> Result<()> {
        let GameJob { pairing, number } = game.job;
        let names = self.experiment.names(&self.experiment.meetings[pairing]);
        let began = self.began.remove(&game.job).unwrap_or_else(store::now);
        let [a, b] = names;
        self.store.save(game, began).at(format!("game {number}, {a} against {b}"))?;
        self.standings[pairing].add(&game.line);
        self.n_played += 1;
        let n_left = self.n_left();
        let per_game = self.start.elapsed().as_secs_f64() / self.n_played as f64;
        (self.watch)(&RunNews::Game(RunProgress {
            game,
            names,
            standing: &self.standings[pairing],
            n_over: self.standings.iter().map(Standing::n_over).sum(),
            n_left,
            time_left: Duration::try_from_secs_f64(per_game * n_left as f64).unwrap_or(Duration::MAX),
        }));
        Ok(())
    }
}
