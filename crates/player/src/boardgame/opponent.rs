//! Who plays: a search, or random moves.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use goban::Rng;
use mcts::report::Report;
use mcts::{Action, Limits, Settings};
use recipe::Recipe;

use super::tabletop::Tabletop;
use super::thinker::Thinker;
use crate::player::SearchedMove;
use crate::player::{Budget, PlayerError};
use crate::searcher::Manners;
use crate::time::{Course, Pace, SearchStanding, TimePlan, Watch};

/// A player's choice on its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardDecision {
    /// A move.
    Play(Action),
    /// The game is given up.
    Resign,
}

/// Somebody who plays a board game. The whole game is shown at every move.
pub trait Opponent: Send {
    /// How tables and records call it.
    fn name(&self) -> String;

    /// The next move of a game that is not over.
    ///
    /// # Errors
    /// When the player is not able to answer.
    fn choose(&mut self, board: &dyn Tabletop, budget: &Budget) -> Result<BoardDecision, PlayerError>;

    /// Gets ready for a new game, for which everything random follows from `seed`.
    ///
    /// # Errors
    /// When the player cannot play it.
    fn begin(&mut self, board: &dyn Tabletop, seed: u64) -> Result<(), PlayerError>;

    /// Why the last move was chosen, for comments in records.
    fn explain(&self) -> Option<String> {
        None
    }

    /// Simulations run for the last move, where that means something.
    fn simulations(&self) -> Option<u64> {
        None
    }

    /// How often the player expects to win after its last move, 0..=1 from its own point of view.
    fn value(&self) -> Option<f32> {
        None
    }
}

/// Plays any legal move, each as likely as the other.
#[derive(Clone, Debug)]
pub struct RandomOpponent {
    rng: Rng,
}

impl RandomOpponent {
    /// A player whose games follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed) }
    }
}

impl Opponent for RandomOpponent {
    fn name(&self) -> String {
        "random".to_string()
    }

    fn choose(&mut self, board: &dyn Tabletop, _: &Budget) -> Result<BoardDecision, PlayerError> {
        let moves = board.legal_moves();
        let drawn = moves.get(self.rng.below(moves.len().max(1) as u32) as usize);
        Ok(drawn.map_or(BoardDecision::Resign, |&action| BoardDecision::Play(action)))
    }

    fn begin(&mut self, _: &dyn Tabletop, seed: u64) -> Result<(), PlayerError> {
        *self = Self::new(seed);
        Ok(())
    }
}

/// Simulations for a move when nobody says how many.
const DEFAULT_PLAYOUTS: u64 = 10_000;

/// A player that thinks by Monte-Carlo tree search.
pub struct SearchOpponent {
    name: String,
    recipe: Recipe,
    settings: Settings,
    manners: Manners,
    thinker: Option<Box<dyn Thinker>>,
    last: Option<BoardThought>,
    pace: Pace,
}

/// The search of one move, and the move it chose.
struct BoardThought {
    report: Report,
    chosen: usize,
    explanation: String,
}

impl SearchOpponent {
    /// A player of the given recipe.
    pub fn new(name: impl Into<String>, recipe: Recipe, settings: Settings, manners: Manners) -> Self {
        let name = name.into();
        Self { name, recipe, settings, manners, thinker: None, last: None, pace: Pace::default() }
    }

    /// The recipe it plays.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What to spend on this move: a plan by the clock, or of exactly the time for each move; none without either.
    fn plan(&self, board: &dyn Tabletop, budget: &Budget) -> Option<TimePlan> {
        let by_clock = budget.clocks.as_ref().and_then(|clocks| {
            let course = Course { area: board.area(), n_plies: board.plays().len() };
            TimePlan::new(&clocks[board.to_play().idx()], &course, self.pace.get())
        });
        match (by_clock, budget.time) {
            (Some(plan), Some(time)) => Some(plan.at_most(time)),
            (plan, time) => plan.or_else(|| time.map(TimePlan::fixed)),
        }
    }

    /// The search over this game, made when it is first needed.
    fn thinker(&mut self, board: &dyn Tabletop) -> Result<&mut dyn Thinker, PlayerError> {
        let thinker = match self.thinker.take() {
            Some(thinker) => thinker,
            None => board
                .thinker(&self.recipe, &self.settings)
                .map_err(|error| PlayerError::Unable { name: self.name.clone(), why: error.to_string() })?,
        };
        Ok(self.thinker.insert(thinker).as_mut())
    }
}

/// Runs simulations: a fixed number, or in slices as the watch over the time wants them.
fn think(thinker: &mut dyn Thinker, budget: &Budget, plan: Option<TimePlan>, start: Instant) -> Report {
    let limits = |simulations, time: Option<Duration>| Limits {
        simulations,
        deadline: time.and_then(|time| start.checked_add(time)),
        stop: Some(Arc::clone(&budget.stop)),
    };
    let Some(plan) = plan.filter(|_| budget.playouts.is_none()) else {
        let n = budget.playouts.unwrap_or(DEFAULT_PLAYOUTS);
        return thinker.run(&limits(n, plan.map(|plan| plan.target)));
    };
    let watch = Watch::new(plan, start.elapsed());
    let mut total: Option<Report> = None;
    let mut standing = None;
    while let Some(until) = watch.next(start.elapsed(), standing.as_ref()) {
        let report = thinker.run(&limits(u64::MAX, Some(until)));
        let report = match total.take() {
            Some(before) => report.after(&before),
            None => report,
        };
        standing = Some(SearchStanding::new(&report, report.simulations));
        let is_over = report.is_settled || budget.stop.load(Ordering::Relaxed);
        total = Some(report);
        if is_over {
            break;
        }
    }
    total.unwrap_or_default()
}

impl Opponent for SearchOpponent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, board: &dyn Tabletop, budget: &Budget) -> Result<BoardDecision, PlayerError> {
        let start = Instant::now();
        let plan = self.plan(board, budget);
        let thinker = self.thinker(board)?;
        thinker.catch_up(board.plays());
        let report = think(thinker, budget, plan, start);
        let picked = thinker.pick(&report);
        let time = start.elapsed();
        if let Some(plan) = plan.filter(|_| budget.playouts.is_none() && report.arms.len() > 1) {
            self.pace.note(&plan, time);
        }
        let chosen = picked.and_then(|action| report.arms.iter().position(|arm| arm.action == action));
        let Some(chosen) = chosen else {
            self.last = None;
            return Ok(BoardDecision::Resign);
        };
        let arm = &report.arms[chosen];
        // A win and a loss are added, since a few lost simulations are no reason to despair. [Laplace]
        let n = report.visits as f32;
        let hope = (n * arm.win.max(report.win) + 1.0) / (n + 2.0);
        let explanation = SearchedMove {
            win: arm.win,
            visits: arm.visits,
            simulations: report.simulations,
            kept: 0,
            time,
            line: arm.line.iter().map(|&action| board.show(action)).collect(),
        };
        let explanation = explanation.text();
        let action = arm.action;
        self.last = Some(BoardThought { report, chosen, explanation });
        let gives_up = budget.may_resign && self.manners.resign_below.is_some_and(|limit| hope < limit);
        Ok(if gives_up { BoardDecision::Resign } else { BoardDecision::Play(action) })
    }

    fn begin(&mut self, board: &dyn Tabletop, seed: u64) -> Result<(), PlayerError> {
        self.settings.seed = seed;
        self.thinker = None;
        self.last = None;
        self.pace = Pace::default();
        self.thinker(board).map(|_| ())
    }

    fn explain(&self) -> Option<String> {
        self.last.as_ref().map(|thought| thought.explanation.clone())
    }

    fn simulations(&self) -> Option<u64> {
        self.last.as_ref().map(|thought| thought.report.simulations)
    }

    fn value(&self) -> Option<f32> {
        let thought = self.last.as_ref()?;
        Some(thought.report.arms.get(thought.chosen)?.win)
    }
}
