//! Our search as a player: builds the engine of a recipe for the board at hand, keeps its tree from move to
//! move, plans its time, and decides when to pass and when to resign.
//!
//! In reading order: this file (the player), [`manners`] (passing and giving up), `position` (the search of a position and its tree), `study`
//! (looking into a position).
//!
//! A fixed number of playouts is exact: that many new simulations are run for each move, whatever the tree still knows from
//! earlier moves or from pondering, which comes on top, and nothing stops them early but a time that was given as
//! well. With a time for each move that time is spent; with a clock `crate::time` decides.

pub mod manners;
mod position;
mod study;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use goban::{Color, Position, Vertex};
use mcts::{Report, Settings};
use recipe::Recipe;

use crate::player::SearchedMove;
use crate::player::{Budget, Decision, Player, PlayerError};
use crate::study::{Onlooker, Study, StudyQuestion};
use crate::survey::Survey;
use crate::time::{Course, Pace, TimePlan};
pub use manners::Manners;
use manners::PassRule;
use position::SearchEffort;
pub use position::{PositionSearch, situation};
use study::Opened;
pub use study::open as study;

/// Simulations for a move when nobody says how many.
const DEFAULT_PLAYOUTS: u64 = 10_000;

/// A player that thinks by Monte-Carlo tree search.
pub struct SearchPlayer {
    name: String,
    recipe: Recipe,
    settings: Settings,
    manners: Manners,
    search: Option<PositionSearch>,
    last: Option<Thought>,
    pace: Pace,
}

/// The search of one move, and the move it chose.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// The search's report.
    pub report: Report,
    /// The move of each of the report's arms, and the moves of its line.
    pub lines: Vec<Vec<Vertex>>,
    /// Which arm was chosen; none for a move that needed no search.
    pub chosen: Option<usize>,
    /// Time spent.
    pub time: Duration,
}

impl SearchPlayer {
    /// A player of the given recipe.
    pub fn new(name: impl Into<String>, recipe: Recipe, settings: Settings) -> Self {
        let (manners, pace) = (Manners::default(), Pace::default());
        Self { name: name.into(), recipe, settings, manners, search: None, last: None, pace }
    }

    /// The same player with other manners.
    #[must_use]
    pub fn with_manners(self, manners: Manners) -> Self {
        Self { manners, ..self }
    }

    /// When it passes and gives up.
    pub fn manners(&self) -> Manners {
        self.manners
    }

    /// The recipe it plays.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What surrounds the recipe.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What it thought about its last move.
    pub fn last(&self) -> Option<&Thought> {
        self.last.as_ref()
    }

    /// How often it expects to win after its last move, 0..=1; none if that move needed no search.
    pub fn value(&self) -> Option<f32> {
        let thought = self.last.as_ref()?;
        Some(thought.report.arms.get(thought.chosen?)?.win)
    }

    /// Makes the search for `position`, which is how it turns out whether the recipe can play there.
    ///
    /// # Errors
    /// A recipe that does not suit the game.
    pub fn prepare(&mut self, position: &Position) -> Result<(), PlayerError> {
        self.search(position, position.to_play()).map(|_| ())
    }

    /// The search with `position` at its root.
    fn search(&mut self, position: &Position, color: Color) -> Result<&mut PositionSearch, PlayerError> {
        if self.search.as_mut().is_some_and(|search| !search.catch_up(position, color)) {
            self.search = None;
        }
        match &mut self.search {
            Some(search) => Ok(search),
            empty => {
                let made =
                    PositionSearch::new(&self.recipe, &self.settings, position, color).map_err(|error| {
                        PlayerError::Unable { name: self.name.clone(), why: error.to_string() }
                    })?;
                Ok(empty.insert(made))
            }
        }
    }

    /// What to spend on this move: a plan by the clock, or of exactly the time for each move; none without either.
    fn plan(&self, position: &Position, color: Color, budget: &Budget) -> Option<TimePlan> {
        let by_clock = budget.clocks.as_ref().and_then(|clocks| {
            // Stones that were set up stand for moves that nobody recorded.
            let n_stones = Color::BOTH.map(|color| position.board().stones(color).len()).iter().sum();
            let n_plies = position.plays().len().max(n_stones);
            let course = Course { area: position.size().area(), n_plies };
            TimePlan::new(&clocks[color.idx()], &course, self.pace.get())
        });
        match (by_clock, budget.time) {
            (Some(plan), Some(time)) => Some(plan.at_most(time)),
            (plan, time) => plan.or_else(|| time.map(TimePlan::fixed)),
        }
    }

    /// Chooses a move, with somebody looking on or not.
    fn make_up_mind(
        &mut self,
        position: &Position,
        color: Color,
        budget: &Budget,
        onlooker: Option<&mut Onlooker<'_>>,
    ) -> Result<Decision, PlayerError> {
        let start = Instant::now();
        let plays_on = self.manners.plays_on_early && manners::is_early(position);
        let rule = match manners::pass_rule(position, color, budget.cleanup) {
            PassRule::Allowed | PassRule::AtOnce if plays_on => PassRule::Never,
            rule => rule,
        };
        if rule == PassRule::AtOnce {
            self.last = None;
            onlooker.into_iter().for_each(|onlooker| onlooker.tell(&Survey::settled(position, color)));
            return Ok(Decision::Play(Vertex::PASS));
        }
        let plan = self.plan(position, color, budget);
        let effort = SearchEffort { playouts: budget.playouts, plan, start, stop: &budget.stop };
        let question = onlooker.as_ref().map(|onlooker| onlooker.question.clone()).unwrap_or_default();
        let wanted = |vertex| rule.allows(vertex) && question.allows(vertex);
        let mut thought = self.search(position, color)?.think(&effort, &wanted, onlooker);
        thought.time = start.elapsed();
        // Only what was a choice by the clock says how choices are made.
        if let Some(plan) = plan.filter(|_| budget.playouts.is_none() && thought.report.arms.len() > 1) {
            self.pace.note(&plan, thought.time);
        }
        // A few lost simulations are no reason to despair, be it those of one arm while the others were won or all that there
        // was time for; so a win and a loss are added to them. [Laplace]
        let n = thought.report.visits as f32;
        let hope = |arm: usize| {
            let win = thought.report.arms[arm].win.max(thought.report.win);
            (n * win + 1.0) / (n + 2.0)
        };
        let choice = thought.chosen.and_then(|arm| Some((*thought.lines.get(arm)?.first()?, hope(arm))));
        self.last = Some(thought);
        let Some((vertex, value)) = choice else { return Ok(Decision::Play(Vertex::PASS)) };
        Ok(self.decide(vertex, value, budget))
    }

    /// What to do with the move that the search likes best, and how often it is expected to win.
    fn decide(&self, vertex: Vertex, value: f32, budget: &Budget) -> Decision {
        let Manners { resign_below, pass_below, .. } = self.manners;
        if budget.may_resign && resign_below.is_some_and(|limit| value < limit) {
            return Decision::Resign;
        }
        if !budget.cleanup && pass_below.is_some_and(|limit| value < limit) {
            return Decision::Play(Vertex::PASS);
        }
        Decision::Play(vertex)
    }
}

impl Player for SearchPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        position: &Position,
        color: Color,
        budget: &Budget,
    ) -> Result<Decision, PlayerError> {
        self.make_up_mind(position, color, budget, None)
    }

    fn choose_watched(
        &mut self,
        position: &Position,
        color: Color,
        budget: &Budget,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<Decision, PlayerError> {
        self.make_up_mind(position, color, budget, Some(onlooker))
    }

    fn study(
        &mut self,
        position: &Position,
        color: Color,
        question: &StudyQuestion,
    ) -> Result<Box<dyn Study + '_>, PlayerError> {
        let name = self.name.clone();
        let search = self.search(position, color)?;
        Ok(Box::new(Opened::new(search, question, &name)?))
    }

    fn ponder(&mut self, position: &Position, color: Color, stop: &Arc<AtomicBool>) {
        if let Ok(search) = self.search(position, color) {
            search.ponder(stop);
        }
    }

    fn explain(&self) -> Option<String> {
        let thought = self.last.as_ref()?;
        let arm = thought.report.arms.get(thought.chosen?)?;
        let size = self.search.as_ref()?.position().size();
        let explanation = SearchedMove {
            win: arm.win,
            visits: arm.visits,
            simulations: thought.report.simulations,
            kept: thought.report.visits.saturating_sub(thought.report.samples),
            time: thought.time,
            line: thought.lines[thought.chosen?].iter().map(|v| size.show(*v)).collect(),
        };
        Some(explanation.text())
    }

    fn simulations(&self) -> Option<u64> {
        let thought = self.last.as_ref()?;
        thought.chosen.map(|_| thought.report.simulations)
    }

    fn value(&self) -> Option<f32> {
        // The method of the type itself, which callers without the trait use.
        Self::value(self)
    }

    fn forget(&mut self) {
        self.search = None;
        self.last = None;
        self.pace = Pace::default();
    }
}
