//! A game between two players: the rules, the clocks and the verdict are in our hand, whatever the players are.
//!
//! In reading order: this file (what is played, and playing it), [`outcome`] (how it ended), [`log`] (what is kept).

pub mod log;
pub mod outcome;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goban::{Color, HandicapError, KomiError, PlayedMove, Position, Rules, Size};
use thiserror::Error;

use crate::clock::{Clock, TimeSystem};
use crate::judge::Judge;
use crate::player::{Budget, Decision, Player, PlayerError};
pub use log::{GameLog, GameRecord, LoggedMove, TimedMove};
pub use outcome::{GameOutcome, Reason, ReasonKind};

/// Handicap stones beside an opening, in words.
pub const NEEDS_EMPTY_BOARD: &str = "handicap stones need an empty board";

/// The budget of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Allowance {
    /// New simulations for each move, for players to whom that means something.
    pub playouts: Option<u64>,
    /// Time for each move; a wish, not a clock.
    pub time: Option<Duration>,
    /// The clock: who oversteps it loses.
    pub clock: TimeSystem,
}

/// Which game is played.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The board.
    pub size: Size,
    /// Points for White.
    pub komi: f32,
    /// The rules; moves are legal or not by these.
    pub rules: Rules,
    /// Handicap stones on the fixed points; below 2 an even game.
    pub handicap: usize,
    /// Where the players take over, if not on the empty board. Its stones and plays count; komi and rules are those above.
    pub opening: Option<Position>,
    /// The budgets of Black and White.
    pub allowance: [Allowance; 2],
    /// Whether the players may give up.
    pub may_resign: bool,
    /// Moves after which the game is counted as it stands.
    pub max_moves: usize,
}

/// Why there is no game to speak of; nobody has lost.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The handicap does not fit the board.
    #[error(transparent)]
    Handicap(#[from] HandicapError),
    /// The komi is no number.
    #[error(transparent)]
    Komi(#[from] KomiError),
    /// The opening does not fit.
    #[error("the opening: {0}")]
    Opening(String),
    /// A player cannot play this game at all.
    #[error(transparent)]
    Unable(PlayerError),
    /// The stop flag was set.
    #[error("the game was stopped")]
    Stopped,
}

impl GameSetup {
    /// An even game without clocks that is counted after three moves a point.
    pub fn new(size: Size, komi: f32, rules: Rules) -> Self {
        Self {
            size,
            komi,
            rules,
            handicap: 0,
            opening: None,
            allowance: [Allowance::default(); 2],
            may_resign: true,
            max_moves: 3 * size.area(),
        }
    }

    /// The position in which the players take over.
    ///
    /// # Errors
    /// When handicap, komi or opening do not fit.
    pub fn position(&self) -> Result<Position, PlayError> {
        let mut position = match &self.opening {
            None => Position::new(self.size, self.rules),
            Some(opening) => self.begin_with(opening)?,
        };
        position.set_komi(self.komi)?;
        if self.handicap > 1 {
            position.fixed_handicap(self.handicap)?;
        }
        Ok(position)
    }

    fn begin_with(&self, opening: &Position) -> Result<Position, PlayError> {
        let refuse = |why: String| Err(PlayError::Opening(why));
        if opening.size() != self.size {
            return refuse(format!("its board is {}; expected {}", opening.size(), self.size));
        }
        if self.handicap > 1 {
            return refuse(format!("{}: {NEEDS_EMPTY_BOARD}", self.handicap));
        }
        if opening.is_over() {
            return refuse("its game is over already".to_string());
        }
        let mut position = opening.clone();
        position.set_rules(self.rules);
        Ok(position)
    }
}

/// Plays a game to its end. The players are told nothing of earlier games if they forgot them. A player who fails has
/// lost, and the reason is kept; only what makes the game impossible is an error.
///
/// # Errors
/// See [`PlayError`].
pub fn play_game(
    black: &mut dyn Player,
    white: &mut dyn Player,
    setup: &GameSetup,
    judge: &mut Judge,
    stop: &Arc<AtomicBool>,
) -> Result<GameRecord, PlayError> {
    let position = setup.position()?;
    let clocks = setup.allowance.map(|allowance| Clock::new(allowance.clock));
    let mut table = GameInProgress { setup, position, clocks, moves: Vec::new(), stop };
    let outcome = loop {
        if table.position.is_over() {
            break GameOutcome::counted(judge.count(&table.position), false);
        }
        if table.moves.len() >= setup.max_moves {
            break GameOutcome::counted(judge.count(&table.position), true);
        }
        let end = match table.position.to_play() {
            Color::Black => table.turn(black)?,
            Color::White => table.turn(white)?,
        };
        if let Some(outcome) = end {
            break outcome;
        }
    };
    // A referee who was not waited for has counted nothing.
    if stop.load(Ordering::Relaxed) {
        return Err(PlayError::Stopped);
    }
    let names = [black.name(), white.name()];
    let GameInProgress { position, clocks, moves, .. } = table;
    Ok(GameRecord { names, setup: setup.clone(), moves, position, clocks, outcome })
}

/// A game while it is played.
struct GameInProgress<'a> {
    setup: &'a GameSetup,
    position: Position,
    clocks: [Clock; 2],
    moves: Vec<TimedMove>,
    stop: &'a Arc<AtomicBool>,
}

impl GameInProgress<'_> {
    /// Lets a player move; returns how the game ended if it did.
    fn turn(&mut self, player: &mut dyn Player) -> Result<Option<GameOutcome>, PlayError> {
        let color = self.position.to_play();
        let budget = self.budget(color);
        let start = Instant::now();
        let answer = player.choose(&self.position, color, &budget);
        let time = start.elapsed();
        if self.stop.load(Ordering::Relaxed) {
            return Err(PlayError::Stopped);
        }
        let is_in_time = self.clocks[color.idx()].spend(time);
        let loss = |reason, note| Ok(Some(GameOutcome::lost(color, reason, note)));
        let decision = match answer {
            Ok(decision) => decision,
            Err(error @ PlayerError::Unable { .. }) => return Err(PlayError::Unable(error)),
            Err(error) => return loss(Reason::of_error(&error), player.explain()),
        };
        let vertex = match decision {
            Decision::Resign => return loss(Reason::Resign, player.explain()),
            Decision::Play(vertex) => vertex,
        };
        let legality = self.position.legality(color, vertex);
        // An engine that played an illegal move has been ended, and that took time that it did not use.
        if legality.is_ok() && !is_in_time {
            let why = format!("{} took {:.2} s", self.position.size().show(vertex), time.as_secs_f64());
            return loss(Reason::Time, Some(why));
        }
        if let Err(illegal) = legality.and_then(|()| self.position.play(color, vertex)) {
            return loss(Reason::Illegal { why: illegal.to_string() }, player.explain());
        }
        self.moves.push(TimedMove {
            play: PlayedMove { color, vertex },
            time,
            simulations: player.simulations(),
            value: player.value(),
            comment: player.explain(),
        });
        Ok(None)
    }

    fn budget(&self, color: Color) -> Budget {
        let Allowance { playouts, time, .. } = self.setup.allowance[color.idx()];
        let has_clock = self.clocks.iter().any(|clock| clock.system() != TimeSystem::Unlimited);
        Budget {
            playouts,
            time,
            clocks: has_clock.then_some(self.clocks),
            stop: Arc::clone(self.stop),
            may_resign: self.setup.may_resign,
            cleanup: false,
        }
    }
}
