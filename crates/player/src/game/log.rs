//! The log of a game: [`GameRecord`] of a game of Go, with its record, and [`GameLog`] of any game.

use std::time::Duration;

use goban::{Color, PlayedMove, Position};
use sgf::{EditError, GameTree, Header, NodeId, Overtime};

use super::{GameOutcome, GameSetup};
use crate::clock::{Clock, TimeSystem};
use crate::record;

/// A move and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedMove {
    /// Who played where.
    pub play: PlayedMove,
    /// From the question to the answer.
    pub time: Duration,
    /// New simulations, for players that have any.
    pub simulations: Option<u64>,
    /// How often the player expected to win after it, 0..=1 from his own point of view, for players that tell.
    pub value: Option<f32>,
    /// Why, in the player's own words.
    pub comment: Option<String>,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Who played Black and White.
    pub names: [String; 2],
    /// What was played.
    pub setup: GameSetup,
    /// The players' moves, after handicap and opening.
    pub moves: Vec<TimedMove>,
    /// The end.
    pub position: Position,
    /// The clocks of Black and White at the end.
    pub clocks: [Clock; 2],
    /// How it ended.
    pub outcome: GameOutcome,
}

/// A move of any game and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedMove {
    /// Who played.
    pub color: Color,
    /// What, as people write it.
    pub shown: String,
    /// From the question to the answer.
    pub time: Duration,
    /// New simulations, for players that have any.
    pub simulations: Option<u64>,
    /// How often the player expected to win after it, 0..=1 from his own point of view, for players that tell.
    pub value: Option<f32>,
    /// Why, in the player's own words.
    pub comment: Option<String>,
}

/// A game that was played, whatever its rules: what statistics and stores need of it.
#[derive(Clone, Debug)]
pub struct GameLog {
    /// Who played Black and White.
    pub names: [String; 2],
    /// The players' moves.
    pub moves: Vec<LoggedMove>,
    /// The clocks of Black and White at the end.
    pub clocks: [Clock; 2],
    /// How it ended.
    pub outcome: GameOutcome,
}

impl GameLog {
    /// Time a player spent on all his moves, and their number.
    pub fn spent(&self, color: Color) -> (Duration, usize) {
        let mine = self.moves.iter().filter(|mv| mv.color == color);
        mine.fold((Duration::ZERO, 0), |(time, n), mv| (time + mv.time, n + 1))
    }

    /// The share of his main time that a player used, 0..=1; `None` where there is none.
    pub fn main_used(&self, color: Color) -> Option<f64> {
        self.clocks[color.idx()].main_used(self.spent(color).0)
    }
}

impl GameRecord {
    /// What statistics and stores need of the game.
    pub fn log(&self) -> GameLog {
        let size = self.setup.size;
        let logged = |mv: &TimedMove| LoggedMove {
            color: mv.play.color,
            shown: size.show(mv.play.vertex),
            time: mv.time,
            simulations: mv.simulations,
            value: mv.value,
            comment: mv.comment.clone(),
        };
        let moves = self.moves.iter().map(logged).collect();
        GameLog { names: self.names.clone(), moves, clocks: self.clocks, outcome: self.outcome.clone() }
    }

    /// The facts of the game; a caller may add event, round and date.
    pub fn header(&self) -> Header {
        let [black, white] = &self.names;
        let player = |name: &String| sgf::Player { name: Some(name.clone()), ..sgf::Player::default() };
        // A record has room for one clock.
        let [clock, others] = self.setup.allowance.map(|allowance| allowance.clock);
        let clock = if clock == others { clock } else { TimeSystem::Unlimited };
        Header {
            black: player(black),
            white: player(white),
            result: self.outcome.to_sgf(),
            main_time: main_time(clock),
            overtime: overtime(clock),
            comment: self.remarks(),
            application: Some(format!("Tengen:{}", env!("CARGO_PKG_VERSION"))),
            ..Header::default()
        }
    }

    /// The game as a record with the players' comments.
    ///
    /// # Errors
    /// When the record cannot hold it, which no board of ours brings about.
    pub fn to_sgf(&self, header: Header) -> Result<GameTree, EditError> {
        let mut tree = record::record_of(&self.position, header)?.finish();
        let is_move = |node: &NodeId| ["B", "W"].iter().any(|ident| tree.property(*node, ident).is_some());
        let n_opening = self.position.plays().len() - self.moves.len();
        let nodes: Vec<NodeId> = tree.main_line().filter(is_move).skip(n_opening).collect();
        for (node, mv) in nodes.into_iter().zip(&self.moves) {
            if let Some(comment) = &mv.comment {
                tree.add_text(node, "C", comment)?;
            }
        }
        Ok(tree)
    }

    /// Everything about the end that the result does not say.
    fn remarks(&self) -> Option<String> {
        let reason = &self.outcome.reason;
        let too_long = matches!(reason, super::Reason::TooLong { .. })
            .then(|| format!("counted after {} moves", self.moves.len()));
        let lines: Vec<String> = [too_long, reason.details().map(str::to_string), self.outcome.note.clone()]
            .into_iter()
            .flatten()
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

fn main_time(system: TimeSystem) -> Option<f64> {
    match system {
        TimeSystem::Unlimited => None,
        TimeSystem::Absolute { main }
        | TimeSystem::Canadian { main, .. }
        | TimeSystem::ByoYomi { main, .. }
        | TimeSystem::Fischer { main, .. } => Some(main.as_secs_f64()),
    }
}

fn overtime(system: TimeSystem) -> Option<Overtime> {
    match system {
        TimeSystem::Unlimited | TimeSystem::Absolute { .. } => None,
        TimeSystem::Canadian { period, stones, .. } => {
            Some(Overtime::Canadian { stones, seconds: period.as_secs_f64() })
        }
        TimeSystem::ByoYomi { period, periods, .. } => {
            Some(Overtime::ByoYomi { periods, seconds: period.as_secs_f64() })
        }
        TimeSystem::Fischer { increment, .. } => {
            Some(Overtime::Fischer { increment: increment.as_secs_f64() })
        }
    }
}
