//! Our search as a player: builds the engine of a recipe for the board at hand, keeps its tree from move to
//! move, watches the clock, and decides when to pass and when to resign.

use std::sync::Arc;
use std::time::{Duration, Instant};

use goban::{Color, Position, Scoring, Vertex};
use mcts::go::any::{self, GoSearch, Situation};
use mcts::search::report::Arm;
use mcts::{Limits, Report, Settings};
use recipe::Recipe;

use crate::dead;
use crate::player::{Budget, Decision, Player, PlayerError};

/// Simulations for a move when nobody says how many.
const DEFAULT_PLAYOUTS: u64 = 10_000;
/// A game is given up when the best move wins less often than this.
const RESIGN_BELOW: f32 = 0.05;
/// What may be lost between us and whoever holds the clock.
const LAG: Duration = Duration::from_millis(60);

/// A player that thinks by Monte-Carlo tree search.
pub struct SearchPlayer {
    name: String,
    recipe: Recipe,
    settings: Settings,
    mind: Option<Mind>,
    last: Option<Thought>,
}

/// What came of thinking about one move.
#[derive(Clone, Debug)]
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
        Self { name: name.into(), recipe, settings, mind: None, last: None }
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
        Some(thought.report.arms.get(thought.chosen?)?.value)
    }

    /// The search with `position` at its root.
    fn mind(&mut self, position: &Position, color: Color) -> Result<&mut Mind, PlayerError> {
        if self.mind.as_mut().is_some_and(|mind| !mind.catch_up(position, color)) {
            self.mind = None;
        }
        match &mut self.mind {
            Some(mind) => Ok(mind),
            empty => {
                let mind = Mind::new(position, color, &self.recipe, &self.settings).map_err(|error| {
                    PlayerError::Unable { name: self.name.clone(), why: error.to_string() }
                })?;
                Ok(empty.insert(mind))
            }
        }
    }

    /// Whether a pass settles the game in our favour, needs no thought, or may be considered at all.
    fn pass_rule(position: &Position, color: Color, cleanup: bool) -> PassRule {
        let ours = |margin: f32| if color == Color::Black { margin } else { -margin };
        let answers_pass = position.n_passes() > 0;
        if cleanup {
            let has_dead_enemy = dead::dead_stones(position)
                .iter()
                .any(|&vertex| position.board().stone(vertex) == Some(!color));
            return if has_dead_enemy { PassRule::Never } else { PassRule::AtOnce };
        }
        match position.rules().scoring {
            // The board may be counted as it stands, so only that count makes a pass safe.
            Scoring::Area => match ours(position.score().margin()) {
                margin if margin > 0.0 && answers_pass => PassRule::AtOnce,
                margin if margin > 0.0 => PassRule::Allowed,
                _ => PassRule::Never,
            },
            // Every stone costs a point, and the players agree on what is dead.
            Scoring::Territory => match ours(dead::judged_score(position).margin()) {
                margin if margin > 0.0 && answers_pass => PassRule::AtOnce,
                _ => PassRule::Allowed,
            },
        }
    }
}

/// What is known about passing before the search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PassRule {
    AtOnce,
    Allowed,
    /// Only when nothing else is left.
    Never,
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
        let start = Instant::now();
        let rule = Self::pass_rule(position, color, budget.cleanup);
        if rule == PassRule::AtOnce {
            self.last = None;
            return Ok(Decision::Play(Vertex::PASS));
        }
        let limits = limits(position, color, budget, start);
        let mut thought = self.mind(position, color)?.think(&limits, rule == PassRule::Never);
        thought.time = start.elapsed();
        let choice = thought
            .chosen
            .and_then(|arm| Some((*thought.lines.get(arm)?.first()?, thought.report.arms[arm].value)));
        self.last = Some(thought);
        let Some((vertex, value)) = choice else { return Ok(Decision::Play(Vertex::PASS)) };
        if budget.may_resign && value < RESIGN_BELOW {
            return Ok(Decision::Resign);
        }
        Ok(Decision::Play(vertex))
    }

    fn explain(&self) -> Option<String> {
        let thought = self.last.as_ref()?;
        let arm = thought.report.arms.get(thought.chosen?)?;
        let size = self.mind.as_ref()?.position.size();
        let line: Vec<String> =
            thought.lines[thought.chosen?].iter().take(8).map(|v| size.show(*v)).collect();
        Some(format!(
            "{:.1} % after {} visits of {} simulations, {:.2} s; expected: {}",
            100.0 * arm.value,
            arm.visits,
            thought.report.simulations,
            thought.time.as_secs_f64(),
            line.join(" ")
        ))
    }

    fn simulations(&self) -> Option<u64> {
        let thought = self.last.as_ref()?;
        thought.chosen.map(|_| thought.report.simulations)
    }

    fn forget(&mut self) {
        self.mind = None;
        self.last = None;
    }
}

/// When to stop thinking about this move.
fn limits(position: &Position, color: Color, budget: &Budget, start: Instant) -> Limits {
    let clock_time = budget.clocks.as_ref().and_then(|clocks| {
        let clock = &clocks[color.idx()];
        clock.think_time(moves_to_come(position), LAG)
    });
    let time = match (budget.time, clock_time) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let simulations = match (budget.playouts, time) {
        (Some(n), _) => n,
        (None, Some(_)) => u64::MAX,
        (None, None) => DEFAULT_PLAYOUTS,
    };
    let deadline = time.and_then(|time| start.checked_add(time));
    Limits { simulations, deadline, stop: Some(Arc::clone(&budget.stop)) }
}

/// About how many moves one player still has to make: games last for about 0.8 moves a point, and the end comes
/// later than one thinks.
fn moves_to_come(position: &Position) -> u32 {
    let area = position.size().area();
    let expected = area * 4 / 5;
    let left = expected.saturating_sub(position.plays().len()) / 2;
    left.max(area / 10).max(8) as u32
}

/// A search and the position at the root of its tree.
struct Mind {
    search: Box<dyn GoSearch>,
    position: Position,
    color: Color,
}

impl Mind {
    fn new(
        position: &Position,
        color: Color,
        recipe: &Recipe,
        settings: &Settings,
    ) -> Result<Self, recipe::Error> {
        let search = any::search(recipe, &situation(position, color), settings)?;
        Ok(Self { search, position: position.clone(), color })
    }

    /// Brings the tree's root to `position`, keeping what is known of it; false if that takes another search.
    fn catch_up(&mut self, position: &Position, color: Color) -> bool {
        if position.size() != self.position.size() {
            return false;
        }
        let went_on = self.advance_to(position, color);
        if went_on || self.search.set_situation(&situation(position, color)) {
            self.position.clone_from(position);
            self.color = color;
            return true;
        }
        false
    }

    /// Plays the moves made since the last question in the tree; false if the game did not simply go on.
    fn advance_to(&mut self, position: &Position, color: Color) -> bool {
        let old = &self.position;
        let is_same_game = old.komi() == position.komi()
            && old.rules() == position.rules()
            && old.handicap() == position.handicap()
            && position.plays().starts_with(old.plays())
            // The hashes tell of setups that the plays do not show.
            && position.hashes().starts_with(old.hashes());
        if !is_same_game {
            return false;
        }
        let n_old = old.plays().len();
        let new = &position.plays()[n_old..];
        let mut mover = self.color;
        for (n, play) in new.iter().enumerate() {
            // Nobody moves twice in the tree, and nobody kills his own stones there.
            let is_suicide = position.rules().suicide
                && !play.vertex.is_pass()
                && position.board_after(n_old + n + 1).is_empty(play.vertex);
            if play.color != mover || is_suicide {
                return false;
            }
            mover = !mover;
        }
        if mover != color {
            return false;
        }
        for play in new {
            self.search.advance(play.vertex);
        }
        // A game that is played on after two passes starts a new search.
        position.n_passes() < 2
    }

    /// What to play; nothing if the pass is barred and no other move is legal.
    fn think(&mut self, limits: &Limits, bars_pass: bool) -> Thought {
        let (position, color) = (&self.position, self.color);
        let mut has_choice = false;
        self.search.restrict_root(&mut |vertex| {
            let is_allowed = if vertex.is_pass() { !bars_pass } else { position.is_legal(color, vertex) };
            has_choice |= is_allowed;
            is_allowed
        });
        if !has_choice {
            let report = Report::default();
            return Thought { report, lines: Vec::new(), chosen: None, time: Duration::ZERO };
        }
        let report = self.search.run(limits);
        let picked = self.search.pick(&report);
        let line = |arm: &Arm| arm.line.iter().map(|&action| self.search.vertex(action)).collect();
        let lines: Vec<Vec<Vertex>> = report.arms.iter().map(line).collect();
        let chosen = picked.and_then(|vertex| lines.iter().position(|line| line.first() == Some(&vertex)));
        Thought { report, lines, chosen, time: Duration::ZERO }
    }
}

/// The position as the search sees it: komi with the compensation for handicap stones, and a pass just made
/// counts, so that a second one ends the game. After two passes the game is played on.
fn situation(position: &Position, color: Color) -> Situation<'_> {
    let bonus = position.rules().handicap_bonus.points(position.handicap());
    let plays = position.plays();
    Situation {
        board: position.board(),
        to_play: color,
        komi: position.komi() + bonus as f32,
        n_passes: if position.n_passes() == 1 { 1 } else { 0 },
        recent: [1, 2].map(|back| Some(plays.get(plays.len().checked_sub(back)?)?.vertex)),
    }
}
