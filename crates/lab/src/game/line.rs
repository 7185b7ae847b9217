//! A finished game in one line, for files and sums.

use goban::Color;
use player::judge::{DISPUTED, UNCOUNTED};
use player::{GameLog, ReasonKind};
use serde::{Deserialize, Serialize};

use super::PairSide;
use crate::stats::WinDrawLoss;

/// Moves of both players after which most of the main time should be used.
pub(crate) const LONG: u64 = 60;

/// A finished game on file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// Counted from 1.
    pub game: u64,
    /// Who had Black.
    pub black: PairSide,
    /// Who won; none in a draw.
    pub winner: Option<PairSide>,
    /// By how many points A won, negative if A lost; none for a game that was not counted in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The result as records have it, for people to read: `B+3.5`, `W+Resign`, `B+` in games without points.
    pub result: String,
    /// Why the game ended.
    pub reason: ReasonKind,
    /// What is known beyond the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// The referee's remark, an engine's last words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Moves of both players.
    pub moves: u64,
    /// Moves of A and B.
    pub n_moves: [u64; 2],
    /// Seconds that A and B spent.
    pub seconds: [f64; 2],
    /// The shares of their main time that A and B used; none where there is no main time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main_used: Option<[f64; 2]>,
    /// Simulations of A and B.
    pub simulations: [u64; 2],
    /// Seeds of A and B.
    pub seeds: [u64; 2],
    /// The name of the opening; none on the empty board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
}

impl FinishedGame {
    /// What is kept of a game; the seeds are A's and B's.
    pub fn new(game: u64, seeds: [u64; 2], log: &GameLog) -> Self {
        let colors = PairSide::BOTH.map(|side| side.color(game));
        let spent = colors.map(|color| log.spent(color));
        let simulations = colors.map(|color| {
            let mine = log.moves.iter().filter(|mv| mv.color == color);
            mine.filter_map(|mv| mv.simulations).sum()
        });
        let outcome = &log.outcome;
        let main_used = match colors.map(|color| log.main_used(color)) {
            [Some(a), Some(b)] => Some([a, b].map(|share| (share * 1e4).round() / 1e4)),
            _ => None,
        };
        Self {
            game,
            black: PairSide::of(Color::Black, game),
            winner: outcome.winner.map(|color| PairSide::of(color, game)),
            margin: outcome.reason.margin().map(|points| match PairSide::of(Color::Black, game) {
                PairSide::A => f64::from(points),
                // Not the other sign: a draw is 0 for both.
                PairSide::B => 0.0 - f64::from(points),
            }),
            result: outcome.to_string(),
            reason: outcome.reason.kind(),
            details: outcome.reason.details().map(str::to_string),
            note: outcome.note.clone(),
            moves: log.moves.len() as u64,
            n_moves: spent.map(|(_, n)| n as u64),
            seconds: spent.map(|(time, _)| (time.as_secs_f64() * 1e3).round() / 1e3),
            main_used,
            simulations,
            seeds,
            opening: None,
        }
    }

    /// The game's outcome for A.
    pub fn outcome(&self) -> WinDrawLoss {
        match self.winner {
            Some(PairSide::A) => WinDrawLoss::Win,
            Some(PairSide::B) => WinDrawLoss::Loss,
            None => WinDrawLoss::Draw,
        }
    }

    /// Who lost the game by something that no player should do: a crash, silence, nonsense, an illegal move, time.
    pub fn failed(&self) -> Option<PairSide> {
        self.winner.filter(|_| !self.reason.is_usual()).map(PairSide::other)
    }

    /// Whether the referee failed, so that the result is our own judgement.
    pub fn is_uncounted(&self) -> bool {
        self.note.as_deref().is_some_and(|note| note.starts_with(UNCOUNTED))
    }

    /// Whether the referee counted otherwise than we do.
    pub fn is_disputed(&self) -> bool {
        !self.is_uncounted() && self.note.as_deref().is_some_and(|note| note.contains(DISPUTED))
    }

    /// Whether the game lasted long enough to ask how the main time was used.
    pub(crate) fn is_long(&self) -> bool {
        self.moves >= LONG && self.reason != ReasonKind::Resign
    }
}
