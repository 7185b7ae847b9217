//! The results of searches.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Num;
use crate::protocol::ask::Side;

/// One root move: point, visits, value, win rate, P(a), the selector's score, then mean, weight and β of each model, and
/// last the margin in points, if it is known.
#[derive(Clone, Debug, Serialize)]
pub struct ArmView(
    pub i32,
    pub u32,
    pub Num,
    pub Num,
    pub Option<Num>,
    pub Option<Num>,
    pub Vec<(Num, Num, Num)>,
    pub Option<Num>,
);

/// The results of a search so far. Values are those of the player to move.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The study's number.
    pub number: u64,
    /// Which of its searches, from 0.
    pub search: usize,
    /// Whether it is over.
    pub done: bool,
    /// Who is to move.
    pub to_play: Side,
    /// The models' names.
    pub models: Vec<String>,
    /// `win` or `score`: what values are.
    pub reward: &'static str,
    /// Simulations so far.
    pub simulations: u64,
    /// Seconds of searching.
    pub seconds: Num,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
    /// Whether memory ran out.
    pub is_full: bool,
    /// How often the player to move is expected to win.
    pub win: Num,
    /// The expected score, as Black sees it.
    pub score: Num,
    /// The move that would be played.
    pub choice: Option<i32>,
    /// The moves, the most visited first.
    pub arms: Vec<ArmView>,
    /// The expected lines of the first of them.
    pub lines: BTreeMap<i32, Vec<i32>>,
    /// Who will own each point, −100 White to 100 Black; empty if it is not known.
    pub ownership: Vec<i8>,
    /// How it came about, since the last report.
    pub trail: Vec<Sample>,
}

/// The arms after a number of simulations.
#[derive(Clone, Debug, Serialize)]
pub struct Sample(pub u64, pub Vec<ArmSample>);

/// An arm at one moment: point, visits, value, then mean and β of each model.
#[derive(Clone, Debug, Serialize)]
pub struct ArmSample(pub i32, pub u32, pub Num, pub Vec<(Num, Num)>);

/// A network's evaluation of a position, before any search.
#[derive(Clone, Debug, Serialize)]
pub struct Raw {
    /// The study's number.
    pub number: u64,
    /// The network's name.
    pub net: String,
    /// How often Black is expected to win.
    pub win: Num,
    /// The expected score, as Black sees it.
    pub score: Num,
    /// The probability of each point, row by row from the top left, then of the pass.
    pub policy: Vec<Num>,
}

/// A node of the tree after some moves.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// The study's number.
    pub number: u64,
    /// Which of its searches.
    pub search: usize,
    /// The moves from the root.
    pub line: Vec<i32>,
    /// Who is to move there; none if the tree does not go so far.
    pub to_play: Option<Side>,
    /// The moves there, the most visited first, as that player sees them.
    pub arms: Vec<ArmView>,
}

/// A review's result for one position, with Black's values.
#[derive(Clone, Debug, Serialize)]
pub struct SurveyPoint {
    /// The review's number.
    pub number: u64,
    /// Moves before the position.
    pub ply: usize,
    /// How many positions there are.
    pub of: usize,
    /// How often Black is expected to win.
    pub win: Num,
    /// The expected score.
    pub score: Num,
    /// The best move.
    pub best: Option<i32>,
}

/// The results of a review so far.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReviewMessage {
    /// The review's number.
    pub number: u64,
    /// Simulations for each position.
    pub playouts: u64,
    /// How much of the work is done, 0..=1.
    pub share: Num,
    /// The mistakes, and the moves that may be mistakes.
    pub moves: Vec<ReviewedMove>,
    /// How often Black is expected to win in each position, smoothed; empty before the end.
    pub win: Vec<Num>,
    /// Black's expected score likewise.
    pub score: Vec<Num>,
    /// Whether this is the last message.
    pub done: bool,
}

/// A move that costs something, or may. Estimates are those of its player: the best guess, then an interval of 95 %.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedMove {
    /// The number of the move, from 1.
    pub ply: usize,
    /// `mistake`, `blunder` or `unsure`.
    pub verdict: &'static str,
    /// Its cost in win rate, 0..=1.
    pub loss: (Num, Num, Num),
    /// Its cost in points.
    pub points: (Num, Num, Num),
    /// The better move, and the moves that may follow it.
    pub line: Vec<i32>,
}
