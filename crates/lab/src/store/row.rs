//! The rows of a store.

use serde_json::{Map, Value};

use crate::experiment::Stop;
use crate::game::FinishedGame;

/// A number that the store gave.
pub type Id = i64;

/// A player of the experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRow {
    /// Its number in the store.
    pub id: Id,
    /// Its name: `rave`, `bma mixer.prior=10`.
    pub name: String,
    /// The name of its sweep; its own if it is alone.
    pub family: String,
    /// What the sweep varies, and this player's values as they were written.
    pub varied: Vec<(String, String)>,
    /// As it was given.
    pub text: String,
    /// The recipe with all its values, or the command line.
    pub canonical: String,
}

/// Two players of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingRow {
    /// Its number in the store.
    pub id: Id,
    /// The name of the group.
    pub group: String,
    /// The numbers of A and B.
    pub players: [Id; 2],
    /// The names of A and B.
    pub names: [String; 2],
    /// What they agree on.
    pub terms: Map<String, Value>,
    /// The seed of their games: `tengen match --seed` with the same terms plays them again.
    pub seed: u64,
    /// When they have played enough.
    pub stop: Stop,
}

/// A game with all that is kept of it but its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    /// Its number in the store.
    pub id: Id,
    /// In which run it was played.
    pub run: Id,
    /// Its result.
    pub line: FinishedGame,
    /// The name of its opening; empty for the empty board.
    pub opening: String,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// When it was finished, in seconds since 1970.
    pub ended: f64,
    /// Its record.
    pub sgf: String,
}

/// A move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRow {
    /// From 1, after handicap and opening.
    pub ply: u64,
    /// `black` or `white`.
    pub color: String,
    /// `E5`, `pass`.
    pub vertex: String,
    /// New simulations.
    pub playouts: Option<u64>,
    /// Time spent.
    pub seconds: f64,
    /// How often the mover expected to win, 0 to 1.
    pub value: Option<f64>,
}

/// Which program on which machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunInfo {
    /// The program with its version.
    pub program: String,
    /// The commit it was built from, if known. What was changed since shows in the bench number.
    pub revision: Option<String>,
    /// Its bench number, if known.
    pub bench: Option<u64>,
    /// The processor.
    pub cpu: String,
    /// How many cores.
    pub cores: u64,
    /// The operating system.
    pub os: String,
    /// Tables.
    pub parallel: u64,
}

/// One time the experiment was played on.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Its number in the store.
    pub id: Id,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// When its last game was finished.
    pub ended: f64,
    /// Which program on which machine.
    pub info: RunInfo,
    /// Games finished.
    pub games: u64,
    /// Tables times the seconds until the last game was finished.
    pub table_seconds: f64,
    /// Of these, the seconds spent in the players.
    pub player_seconds: f64,
}

impl RunRow {
    /// The share of the time that was not spent in the players, 0..=1; none before any game.
    pub fn overhead(&self) -> Option<f64> {
        (self.games > 0 && self.table_seconds > 0.0)
            .then(|| (1.0 - self.player_seconds / self.table_seconds).max(0.0))
    }
}

/// A search that was watched.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceRow {
    /// What the file calls it.
    pub name: String,
    /// The player who thought.
    pub player: Id,
    /// What was watched: playouts, every, seed, position.
    pub settings: Map<String, Value>,
    /// The table: `simulation,move,visits`, then `MODEL.n,MODEL.q,MODEL.beta` for each model, then `value`.
    pub csv: String,
}
