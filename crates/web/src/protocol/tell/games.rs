//! The visitor's games, and what is taught while one is played.

use serde::Serialize;

use super::{Num, Phase};
use crate::protocol::ask::Side;

/// The visitor's games.
#[derive(Clone, Debug, Serialize)]
pub struct MyGames {
    /// The games, those that were played or opened last first.
    pub games: Vec<GameCard>,
    /// How many may be kept.
    pub max: usize,
}

/// One of the visitor's games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameCard {
    /// Its number.
    pub id: u32,
    /// What the visitor calls it.
    pub name: Option<String>,
    /// Who played it, Black first, if it is the record of others.
    pub players: Option<[String; 2]>,
    /// When it was begun, in seconds since 1970; 0 if that is not known.
    pub created: u64,
    /// When it was changed or opened last.
    pub changed: u64,
    /// The board's side.
    pub size: usize,
    /// The visitor's colour.
    pub color: Side,
    /// The level, from 1; one of those with a network if there is one.
    pub level: usize,
    /// The network that Tengen asks.
    pub net: Option<String>,
    /// Handicap stones.
    pub handicap: usize,
    /// Where it stands.
    pub phase: Phase,
    /// `B+3.5`, `W+R`, `B+T`.
    pub result: Option<String>,
    /// Moves.
    pub moves: usize,
    /// Its stones.
    pub stones: String,
}

/// A move of the visitor's that is a mistake, beside a better one. Win rates are the visitor's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lesson {
    /// Moves before it.
    pub ply: usize,
    /// How often the visitor is expected to win after it, 0..=1.
    pub played: Num,
    /// How often after the better move.
    pub best: Num,
    /// What it cost of the win rate at least, 0..=1: with `high` the interval that holds it with 95 % confidence.
    pub low: Num,
    /// What it cost at most.
    pub high: Num,
    /// Points that the move cost, about.
    pub points: Num,
    /// The move and what is expected after it.
    pub played_line: Vec<i32>,
    /// The better move and what is expected after it.
    pub best_line: Vec<i32>,
}
