//! Searching what a review needs, in slices, so that the command may be interrupted and the server may do other things
//! between. How it is sliced changes nothing of what is found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use goban::{Position, Vertex};
use mcts::{Limits, LoadedNet, Settings};
use recipe::Recipe;

use super::finding::{Compared, Duel, Finding, Glance, Variation};
use super::line::GameLine;
use super::plan::{ReviewBudget, Task};
use crate::searcher::PositionSearch;
use crate::study::StudyQuestion;
use crate::survey::{self, Survey, Wants};

/// Candidates that are kept, and the moves of a line.
const MAX_CANDIDATES: usize = 5;
const MAX_LINE: usize = 12;

/// The recipe, network, memory and seed that a review searches with.
#[derive(Clone)]
pub struct ReviewMeans {
    /// The recipe.
    pub recipe: Recipe,
    /// The network that the recipe asks, if any.
    pub net: Option<LoadedNet>,
    /// Bytes for a tree.
    pub memory: usize,
    /// What all seeds follow from.
    pub seed: u64,
}

impl ReviewMeans {
    /// A search of a position, with a seed that follows from a number.
    fn search(&self, position: &Position, place: u64) -> Result<PositionSearch, recipe::Error> {
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(place);
        let settings = Settings { seed, memory: self.memory, net: self.net.clone(), ..Settings::default() };
        PositionSearch::new(&self.recipe, &settings, position, position.to_play())
    }
}

/// How long to work before looking up.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The moment to pause, if any.
    pub until: Option<Instant>,
    /// Set by anybody to pause at once.
    pub stop: Arc<AtomicBool>,
}

impl Slice {
    /// Whether it is time to pause.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Runs the simulations that are left; whether all are done.
    fn run(&self, search: &mut PositionSearch, left: &mut u64) -> bool {
        if *left > 0 {
            let limits =
                Limits { simulations: *left, deadline: self.until, stop: Some(Arc::clone(&self.stop)) };
            let report = search.run(&limits);
            *left = left.saturating_sub(report.simulations);
            // Nothing is left to find.
            if report.is_settled || report.simulations == 0 {
                *left = 0;
            }
        }
        *left == 0
    }
}

/// A task at work.
pub struct ReviewWorker {
    task: Task,
    state: WorkState,
    found: Vec<Finding>,
}

enum WorkState {
    /// The next position is to be begun, with the tree of the one before if there is any.
    Between(Option<Box<PositionSearch>>),
    Glancing(Box<Glancing>),
    Duelling(Box<Duelling>),
}

/// A glance at work.
struct Glancing {
    search: PositionSearch,
    played: Option<Vertex>,
    glance: Glance,
    stage: ReviewStage,
    /// Simulations of this stage that are left.
    left: u64,
}

/// All moves, then the played one, then the one that is compared with it.
#[derive(Clone, Copy, PartialEq)]
enum ReviewStage {
    All,
    Played,
    Best,
}

/// A duel at work.
struct Duelling {
    search: PositionSearch,
    left: u64,
    /// What is known of the better move, once it is searched.
    best: Option<Survey>,
}

impl ReviewWorker {
    /// Somebody who does a task.
    pub fn new(task: Task) -> Self {
        Self { task, state: WorkState::Between(None), found: Vec::new() }
    }

    /// Works on; what was found once the task is done.
    ///
    /// # Errors
    /// A recipe that does not fit the board or the network.
    pub fn step(
        &mut self,
        means: &ReviewMeans,
        line: &GameLine,
        budget: ReviewBudget,
        slice: &Slice,
    ) -> Result<Option<Vec<Finding>>, recipe::Error> {
        loop {
            let state = std::mem::replace(&mut self.state, WorkState::Between(None));
            let is_over = match state {
                WorkState::Between(kept) => match self.begin(means, line, budget, kept)? {
                    Some(state) => {
                        self.state = state;
                        false
                    }
                    None => return Ok(Some(std::mem::take(&mut self.found))),
                },
                WorkState::Glancing(glancing) => self.glance(glancing, budget, slice),
                WorkState::Duelling(duelling) => self.duel(duelling, means, line, budget, slice)?,
            };
            if is_over {
                return Ok(None);
            }
        }
    }

    /// Begins the next search of the task; none if all is done.
    fn begin(
        &self,
        means: &ReviewMeans,
        line: &GameLine,
        budget: ReviewBudget,
        kept: Option<Box<PositionSearch>>,
    ) -> Result<Option<WorkState>, recipe::Error> {
        let n_found = self.found.len();
        match &self.task {
            Task::Glances { first, end } => {
                let ply = first + n_found;
                if ply >= *end {
                    return Ok(None);
                }
                let position = line.position(ply);
                let color = position.to_play();
                let kept = kept.map(|search| *search).and_then(|mut search| {
                    (search.catch_up(&position, color) && search.ask(&StudyQuestion::default()))
                        .then_some(search)
                });
                let search = match kept {
                    Some(search) => search,
                    // The seed depends on nothing but the place, so that it does not matter when and beside what a stretch
                    // is searched.
                    None => means.search(&position, (ply as u64) << 32)?,
                };
                let played = line.plays().get(ply).map(|play| play.vertex);
                let played = played.filter(|&vertex| position.is_legal(color, vertex));
                let glance = Glance {
                    ply,
                    to_play: color,
                    win: 0.5,
                    margin: 0.0,
                    simulations: 0,
                    candidates: Vec::new(),
                    compared: None,
                };
                let left = budget.glance();
                Ok(Some(WorkState::Glancing(Box::new(Glancing {
                    search,
                    played,
                    glance,
                    stage: ReviewStage::All,
                    left,
                }))))
            }
            Task::Duel { ply, round, best } => {
                if n_found > 0 {
                    return Ok(None);
                }
                let mut after = line.position(*ply);
                // The glance that chose the move looked at legal ones only, but a file may be damaged.
                if after.play(after.to_play(), *best).is_err() {
                    return Ok(None);
                }
                let search = means.search(&after, duel_place(*ply, *round, 0))?;
                Ok(Some(WorkState::Duelling(Box::new(Duelling { search, left: budget.duel(), best: None }))))
            }
        }
    }

    /// Goes on with a glance; whether the slice is over.
    fn glance(&mut self, mut glancing: Box<Glancing>, budget: ReviewBudget, slice: &Slice) -> bool {
        let before = glancing.left;
        let is_done = slice.run(&mut glancing.search, &mut glancing.left);
        glancing.glance.simulations += before - glancing.left;
        if !is_done {
            self.state = WorkState::Glancing(glancing);
            return true;
        }
        if glancing.next_stage(budget) {
            self.state = WorkState::Glancing(glancing);
        } else {
            let Glancing { search, glance, .. } = *glancing;
            self.found.push(Finding::Glance(glance));
            self.state = WorkState::Between(Some(Box::new(search)));
        }
        false
    }

    /// Goes on with a duel; whether the slice is over.
    fn duel(
        &mut self,
        mut duelling: Box<Duelling>,
        means: &ReviewMeans,
        line: &GameLine,
        budget: ReviewBudget,
        slice: &Slice,
    ) -> Result<bool, recipe::Error> {
        let Task::Duel { ply, round, best } = self.task else { return Ok(false) };
        if !slice.run(&mut duelling.search, &mut duelling.left) {
            self.state = WorkState::Duelling(duelling);
            return Ok(true);
        }
        let seen = look(&mut duelling.search);
        match duelling.best.take() {
            None => {
                let search = means.search(&line.position(ply + 1), duel_place(ply, round, 1))?;
                let next = Duelling { search, left: budget.duel(), best: Some(seen) };
                self.state = WorkState::Duelling(Box::new(next));
            }
            Some(after_best) => {
                // Both are what the opponent thinks who is to move.
                let mover = !after_best.to_play;
                let (ours, theirs) = (after_best.seen_by(mover), seen.seen_by(mover));
                let found = Compared {
                    best_win: ours.win,
                    played_win: theirs.win,
                    best_margin: ours.margin,
                    played_margin: theirs.margin,
                    visits: ours.visits.min(theirs.visits).try_into().unwrap_or(u32::MAX),
                };
                let replies = |survey: &Survey| {
                    survey.candidates.first().map(|one| one.line.clone()).unwrap_or_default()
                };
                let line = std::iter::once(best).chain(replies(&ours)).take(MAX_LINE).collect();
                let answer = replies(&theirs).into_iter().take(MAX_LINE).collect();
                let simulations = 2 * budget.duel();
                self.found.push(Finding::Duel(Duel { ply, round, found, simulations, line, answer }));
            }
        }
        Ok(false)
    }
}

/// A number for the seed of one side of a duel that nothing else has.
fn duel_place(ply: usize, round: usize, side: u64) -> u64 {
    (ply as u64) << 32 | (2 * round as u64 + side + 1)
}

/// The survey of a search as it stands.
fn look(search: &mut PositionSearch) -> Survey {
    let report = search.report();
    let choice = search.pick(&report);
    search.survey(&report, choice, Wants::default())
}

impl Glancing {
    /// Takes down what the stage has found and goes on to the next one; false if there is none.
    fn next_stage(&mut self, budget: ReviewBudget) -> bool {
        match self.stage {
            ReviewStage::All => {
                let survey = look(&mut self.search);
                (self.glance.win, self.glance.margin) = (survey.win, survey.margin);
                let tried = survey.candidates.iter().filter(|one| one.visits > 0);
                self.glance.candidates = tried.take(MAX_CANDIDATES).map(variation).collect();
                let best = self.best();
                match (self.played, best) {
                    (Some(played), Some(best)) if played != best => {
                        self.enter(ReviewStage::Played, played, &survey, budget);
                        true
                    }
                    _ => false,
                }
            }
            ReviewStage::Played => {
                let Some(best) = self.best() else { return false };
                let survey = self.both();
                self.enter(ReviewStage::Best, best, &survey, budget);
                true
            }
            ReviewStage::Best => {
                let survey = self.both();
                let of = |vertex| survey.candidates.iter().find(|one| Some(one.vertex) == vertex);
                if let (Some(best), Some(played)) = (of(self.best()), of(self.played)) {
                    self.glance.compared = Some(Compared {
                        best_win: best.win,
                        played_win: played.win,
                        best_margin: best.margin,
                        played_margin: played.margin,
                        visits: best.visits.min(played.visits),
                    });
                }
                false
            }
        }
    }

    fn best(&self) -> Option<Vertex> {
        self.glance.candidates.first()?.vertex()
    }

    /// What the search thinks of the two moves that are compared.
    fn both(&mut self) -> Survey {
        let allow = Some(self.played.into_iter().chain(self.best()).collect());
        self.search.ask(&StudyQuestion { allow, ..StudyQuestion::default() });
        look(&mut self.search)
    }

    /// Brings one move to the visits that a comparison needs.
    fn enter(&mut self, stage: ReviewStage, vertex: Vertex, survey: &Survey, budget: ReviewBudget) {
        let visits = survey.candidates.iter().find(|one| one.vertex == vertex).map_or(0, |one| one.visits);
        self.stage = stage;
        self.left = budget.arm().saturating_sub(visits.into());
        self.search.ask(&StudyQuestion { allow: Some(vec![vertex]), ..StudyQuestion::default() });
    }
}

fn variation(candidate: &survey::Candidate) -> Variation {
    let line = candidate.line.iter().copied().take(MAX_LINE).collect();
    Variation { win: candidate.win, visits: candidate.visits, line }
}

/// Measures how fast positions of a game are searched, to turn a time into simulations.
pub struct SpeedTest {
    search: PositionSearch,
    left: u64,
    seconds: f64,
}

impl SpeedTest {
    /// Simulations of the test, and those before it that warm up.
    const SIMULATIONS: u64 = 600;

    /// A test in the middle of the game.
    ///
    /// # Errors
    /// A recipe that does not fit the board or the network.
    pub fn new(means: &ReviewMeans, line: &GameLine) -> Result<Self, recipe::Error> {
        let position = line.position(line.plays().len() / 2);
        Ok(Self { search: means.search(&position, u64::MAX)?, left: Self::SIMULATIONS, seconds: 0.0 })
    }

    /// Goes on; simulations a second of one thread once that is known.
    pub fn step(&mut self, slice: &Slice) -> Option<f64> {
        let begin = Instant::now();
        let is_done = slice.run(&mut self.search, &mut self.left);
        self.seconds += begin.elapsed().as_secs_f64();
        is_done.then(|| Self::SIMULATIONS as f64 / self.seconds.max(1e-6))
    }
}
