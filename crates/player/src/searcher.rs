//! Our search as a player: builds the engine of a recipe for the board at hand, keeps its tree from move to
//! move, watches the clock, and decides when to pass and when to resign.

use std::sync::Arc;
use std::time::{Duration, Instant};

use goban::{Board, Color, Full, Position, Rules, Scoring, Size, SizeClass, Vertex, with_board};
use mcts::{Action, GoGame, Limits, Report, Search, Settings};
use recipe::Recipe;

use crate::dead;
use crate::player::{Budget, Decision, Player, PlayerError};

/// Simulations for a move when nobody says how many.
const DEFAULT_PLAYOUTS: u64 = 1000;
/// A game is given up when the best move wins less often than this.
const RESIGN_BELOW: f32 = 0.05;
/// What may be lost between us and whoever holds the clock.
const LAG: Duration = Duration::from_millis(60);

/// A player that thinks by Monte-Carlo tree search.
pub struct SearchPlayer {
    name: String,
    recipe: Recipe,
    settings: Settings,
    thinker: Option<Box<dyn Thinker>>,
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
        Self { name: name.into(), recipe, settings, thinker: None, last: None }
    }

    /// The recipe it plays.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What it thought about its last move.
    pub fn last(&self) -> Option<&Thought> {
        self.last.as_ref()
    }

    fn thinker(&mut self, position: &Position) -> Result<&mut Box<dyn Thinker>, PlayerError> {
        let fits = self.thinker.as_ref().is_some_and(|thinker| thinker.size() == position.size());
        if !fits {
            self.thinker = None;
        }
        match &mut self.thinker {
            Some(thinker) => Ok(thinker),
            empty => {
                let built = with_board!(position.board(), |board| build(board, &self.recipe, &self.settings))
                    .map_err(|error| PlayerError::Unable {
                        name: self.name.clone(),
                        why: error.to_string(),
                    })?;
                Ok(empty.insert(built))
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
        let question = Question { position, color, bars_pass: rule == PassRule::Never };
        let mut thought = self.thinker(position)?.think(&question, &limits).ok_or_else(|| {
            PlayerError::Unable { name: self.name.clone(), why: format!("the board is {}", position.size()) }
        })?;
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
        let size = self.thinker.as_ref()?.size();
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
        self.last.as_ref().map(|thought| thought.report.simulations)
    }

    fn forget(&mut self) {
        self.thinker = None;
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

/// One question to the search.
struct Question<'a> {
    position: &'a Position,
    color: Color,
    bars_pass: bool,
}

/// A search for one size class, behind one virtual call per move.
trait Thinker: Send {
    fn size(&self) -> Size;
    /// None if the board is of another size class.
    fn think(&mut self, question: &Question<'_>, limits: &Limits) -> Option<Thought>;
}

fn build<C: SizeClass>(
    board: &Board<C, Full>,
    recipe: &Recipe,
    settings: &Settings,
) -> Result<Box<dyn Thinker>, recipe::Error> {
    let game = GoGame::<C>::new(board.size(), 0.0);
    let search = Search::new(recipe, game, settings)?;
    Ok(Box::new(ClassThinker { search, seen: None }))
}

struct ClassThinker<C: SizeClass> {
    search: Search<GoGame<C>>,
    /// The position at the root of the tree.
    seen: Option<Seen>,
}

/// What must be the same for the tree to be of use.
struct Seen {
    position: Position,
    color: Color,
}

impl<C: SizeClass> ClassThinker<C> {
    /// Brings the tree's root to the question's position, keeping what is known of it.
    fn catch_up(&mut self, question: &Question<'_>) -> Option<()> {
        if !self.advance_to(question) {
            self.search.set_root(game_of(question)?);
        }
        self.seen = Some(Seen { position: question.position.clone(), color: question.color });
        Some(())
    }

    /// Plays the moves made since the last question in the tree; false if the game did not simply go on.
    fn advance_to(&mut self, question: &Question<'_>) -> bool {
        let Some(seen) = &self.seen else { return false };
        let (old, new) = (&seen.position, question.position);
        let same_game =
            old.komi() == new.komi() && old.rules() == new.rules() && old.handicap() == new.handicap();
        let n_old = old.plays().len();
        // The hashes tell of setups that the plays do not show.
        let goes_on =
            same_game && new.plays().starts_with(old.plays()) && new.hashes().starts_with(old.hashes());
        if !goes_on {
            return false;
        }
        let mut color = seen.color;
        for play in &new.plays()[n_old..] {
            if play.color != color {
                return false;
            }
            let mv = self.search.position().board.to_move(play.vertex);
            self.search.advance(GoGame::<C>::action(mv));
            color = !color;
        }
        color == question.color && self.is_at(question)
    }

    /// Whether the root is the question's position after all: a suicide, say, is nothing the search plays.
    fn is_at(&self, question: &Question<'_>) -> bool {
        let root = self.search.position();
        let same_komi = root.komi == komi_of(question.position);
        root.to_play == question.color && same_komi && root.board.hash() == question.position.board().hash()
    }

    fn vertex(&self, action: Action) -> Vertex {
        self.search.position().board.vertex(GoGame::<C>::to_move(action))
    }
}

impl<C: SizeClass> Thinker for ClassThinker<C> {
    fn size(&self) -> Size {
        self.search.position().board.size()
    }

    fn think(&mut self, question: &Question<'_>, limits: &Limits) -> Option<Thought> {
        self.catch_up(question)?;
        let Question { position, color, bars_pass } = *question;
        let board = self.search.position().board;
        let is_allowed = |action: Action| {
            let vertex = board.vertex(GoGame::<C>::to_move(action));
            if vertex.is_pass() { !bars_pass } else { position.is_legal(color, vertex) }
        };
        self.search.restrict_root(is_allowed);
        let report = self.search.run(limits);
        let picked = self.search.pick(&report);
        let chosen = picked.and_then(|action| report.arms.iter().position(|arm| arm.action == action));
        let line =
            |arm: &mcts::search::report::Arm| arm.line.iter().map(|&action| self.vertex(action)).collect();
        let lines = report.arms.iter().map(line).collect();
        Some(Thought { report, lines, chosen, time: Duration::ZERO })
    }
}

/// Komi with the compensation for handicap stones.
fn komi_of(position: &Position) -> f32 {
    let Rules { handicap_bonus, .. } = position.rules();
    position.komi() + handicap_bonus.points(position.handicap()) as f32
}

/// The position as the search's game. One pass before counts, so that a second one ends the game.
fn game_of<C: SizeClass>(question: &Question<'_>) -> Option<GoGame<C>> {
    let position = question.position;
    let mut game = GoGame::new(position.size(), komi_of(position));
    game.board = *position.board().of_class()?;
    game.to_play = question.color;
    game.n_passes = position.n_passes().min(1) as u8;
    game.n_moves = position.plays().len() as u32;
    Some(game)
}
