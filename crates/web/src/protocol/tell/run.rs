//! Runs of self-play and their games.

use serde::Serialize;

use super::Num;

/// The runs of self-play there are.
#[derive(Clone, Debug, Serialize)]
pub struct Runs {
    /// Where they were looked for.
    pub folder: String,
    /// The runs, by name.
    pub runs: Vec<RunView>,
}

/// A run of self-play.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunView {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The game with its switches.
    pub game: String,
    /// The size of its network.
    pub net: String,
    /// The number of its newest network.
    pub newest: u32,
    /// Games played.
    pub games: u64,
    /// Hours of processor time.
    pub cpu_hours: Num,
    /// The rating of the network that plays, above random weights.
    pub elo: Num,
    /// Whether it works now.
    pub working: bool,
    /// The reason why it cannot be read.
    pub error: Option<String>,
}

/// A run and its latest games.
#[derive(Clone, Debug, Serialize)]
pub struct RunMessage {
    /// The run.
    pub run: RunView,
    /// Its latest games, the last one first.
    pub games: Vec<RunLine>,
}

/// A game of a run in a line.
#[derive(Clone, Debug, Serialize)]
pub struct RunLine {
    /// Its number.
    pub game: u64,
    /// The network that played it.
    pub net: u32,
    /// Who won, and how.
    pub result: String,
    /// Moves.
    pub moves: usize,
    /// Moves at the beginning that were drawn blindly.
    pub blind: u32,
}

/// A game of a run, position by position.
#[derive(Clone, Debug, Serialize)]
pub struct RunGame {
    /// The run.
    pub run: String,
    /// The game's number.
    pub game: u64,
    /// Who won, and how.
    pub result: String,
    /// Its positions.
    pub frames: Vec<RunFrame>,
}

/// A position of a game of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunFrame {
    /// The board as lines of text: `X` Black, `O` White.
    pub board: String,
    /// The move that led to it; none at the beginning.
    pub last: Option<String>,
    /// The share of wins that Black expected, where a full search looked.
    pub black_win: Option<Num>,
    /// The moves that the search preferred, with their shares.
    pub candidates: Vec<(String, Num)>,
}
