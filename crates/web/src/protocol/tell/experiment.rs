//! Experiments and how they stand.

use lab::stats::ScoreText;
use serde::Serialize;

/// The experiments there are.
#[derive(Clone, Debug, Serialize)]
pub struct Experiments {
    /// Where they were looked for.
    pub folder: String,
    /// The experiments, by name.
    pub experiments: Vec<ExperimentView>,
}

/// An experiment.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentView {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Games played.
    pub games: u64,
    /// Games left at most.
    pub left: u64,
    /// Whether it is being played now.
    pub playing: bool,
    /// The reason why it cannot be read.
    pub error: Option<String>,
}

/// How an experiment stands.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// The experiment.
    pub experiment: ExperimentView,
    /// The pairings, in the order of the file.
    pub rows: Vec<StandingRow>,
}

/// How a pairing stands.
#[derive(Clone, Debug, Serialize)]
pub struct StandingRow {
    /// Its number.
    pub pairing: i64,
    /// Its group.
    pub group: String,
    /// A and B.
    pub names: [String; 2],
    /// Games that count.
    pub games: u64,
    /// A's wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// A's losses.
    pub losses: u64,
    /// A's share of the points with its 95 % interval; none before any game.
    pub rate: Option<[f64; 3]>,
    /// A's Elo above B with its 95 % interval; an end that games do not bound is none.
    pub elo: Option<[Option<f64>; 3]>,
    /// The likelihood that A is the better player, 0 to 1; none before the first colour pair.
    pub los: Option<f64>,
    /// The same in words, as the terminal and the report have them.
    pub text: ScoreText,
    /// What is left to play, or the verdict.
    pub state: String,
}

/// Games of a pairing.
#[derive(Clone, Debug, Serialize)]
pub struct Games {
    /// The experiment.
    pub experiment: String,
    /// The pairing.
    pub pairing: i64,
    /// How many were passed over.
    pub skip: usize,
    /// How many there are.
    pub of: usize,
    /// The games.
    pub games: Vec<LabGame>,
}

/// A game in a line.
#[derive(Clone, Debug, Serialize)]
pub struct LabGame {
    /// Its number.
    pub game: u64,
    /// Who had Black.
    pub black: String,
    /// Who had White.
    pub white: String,
    /// `B+3.5`.
    pub result: String,
    /// Moves.
    pub moves: u64,
}
