//! A player: shown a position, it gives a move within a budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use goban::{Color, Position, Vertex};
use thiserror::Error;

use crate::clock::Clock;
use crate::study::{Onlooker, Study, StudyQuestion};

/// A player's choice on its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A stone or a pass.
    Play(Vertex),
    /// The game is given up.
    Resign,
}

/// The budget for one move. Whatever runs out first ends his thinking; with nothing set a player
/// takes its own default.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// New simulations: exactly this number, unless the time or the clock ends them.
    pub playouts: Option<u64>,
    /// Time for this move, which is spent in full where no clock is given.
    pub time: Option<Duration>,
    /// The clocks of Black and White, as they stand before the move.
    pub clocks: Option<[Clock; 2]>,
    /// Set by anybody to have the best move so far at once.
    pub stop: Arc<AtomicBool>,
    /// Whether the player may give up.
    pub may_resign: bool,
    /// Whether dead enemy stones must be captured before passing.
    pub cleanup: bool,
}

impl Budget {
    /// A number of new simulations.
    pub fn playouts(n: u64) -> Self {
        Self { playouts: Some(n), ..Self::default() }
    }

    /// True once the move is wanted at once.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Why a player gave no move. Each is that player's loss in a match.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The program could not be started or died.
    #[error("{name} crashed: {why}")]
    Crash {
        /// The player.
        name: String,
        /// What happened, with the last lines it wrote.
        why: String,
    },
    /// The program said something that is no answer.
    #[error("{name} answered \"{answer}\"; expected {expected}")]
    Nonsense {
        /// The player.
        name: String,
        /// What it said.
        answer: String,
        /// What a right answer looks like.
        expected: &'static str,
    },
    /// No answer in time.
    #[error("{name} gave no answer in {:.1} seconds", after.as_secs_f64())]
    Hang {
        /// The player.
        name: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The player cannot play this game.
    #[error("{name} cannot play this game: {why}")]
    Unable {
        /// The player.
        name: String,
        /// What does not fit.
        why: String,
    },
}

/// Somebody who plays Go.
///
/// The whole position is shown at every move; a player that keeps a tree or talks to another program compares
/// it with the last one and takes over what still holds.
pub trait Player: Send {
    /// How tables and records call it.
    fn name(&self) -> String;

    /// The next move of `color` in `position`, which has a legal move: the pass.
    ///
    /// # Errors
    /// When the player is not able to answer.
    fn choose(&mut self, position: &Position, color: Color, budget: &Budget)
    -> Result<Decision, PlayerError>;

    /// The next move, as [`Self::choose`] gives it, of those that the onlooker's question allows, while somebody looks on. Who
    /// has nothing to show just chooses.
    ///
    /// # Errors
    /// As [`Self::choose`].
    fn choose_watched(
        &mut self,
        position: &Position,
        color: Color,
        budget: &Budget,
        _onlooker: &mut Onlooker<'_>,
    ) -> Result<Decision, PlayerError> {
        self.choose(position, color, budget)
    }

    /// Looks into a position in which `color` is to move.
    ///
    /// # Errors
    /// When the player does not do such things, or no move is left to look at.
    fn study(
        &mut self,
        _position: &Position,
        _color: Color,
        _question: &StudyQuestion,
    ) -> Result<Box<dyn Study + '_>, PlayerError> {
        Err(PlayerError::Unable { name: self.name(), why: "it only gives moves".to_string() })
    }

    /// Why the last move was chosen, for comments in records; a few lines of text.
    fn explain(&self) -> Option<String> {
        None
    }

    /// Simulations run for the last move, where that means something.
    fn simulations(&self) -> Option<u64> {
        None
    }

    /// How often the player expects to win after its last move, 0..=1 from its own point of view; none where it has no
    /// opinion.
    fn value(&self) -> Option<f32> {
        None
    }

    /// Thinks about `position`, in which `color`, the opponent, is to move, until `stop` is set. A player that does not
    /// think on the opponent's time returns at once.
    fn ponder(&mut self, _position: &Position, _color: Color, _stop: &Arc<AtomicBool>) {}

    /// Forgets everything about the game so far; the next position is a new game.
    fn forget(&mut self) {}
}

/// A move that was searched, for comments in records. `win` is its player's, 0..=1.
pub(crate) struct SearchedMove {
    pub(crate) win: f32,
    pub(crate) visits: u32,
    pub(crate) simulations: u64,
    /// Visits from earlier moves and from pondering.
    pub(crate) kept: u64,
    pub(crate) time: Duration,
    /// The moves that are expected, of which the first few are told.
    pub(crate) line: Vec<String>,
}

impl SearchedMove {
    /// The move in words.
    pub(crate) fn text(&self) -> String {
        let Self { win, visits, simulations, kept, time, line } = self;
        let kept = if *kept == 0 { String::new() } else { format!(" and {kept} kept") };
        format!(
            "{:.1} % after {visits} visits of {simulations} simulations{kept}, {:.2} s; expected: {}",
            100.0 * win,
            time.as_secs_f64(),
            line[..line.len().min(8)].join(" ")
        )
    }
}
