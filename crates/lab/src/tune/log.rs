//! The folder of a run: `games.jsonl` is a [`Log`] with the settings in its first line and then a line for every finished
//! game. Nothing but the games is needed to continue: what was proposed follows from them.

use std::fs;
use std::path::Path;

use player::log::{Log, LogKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::session::TuneGameId;
use crate::game::FinishedGame;
use crate::stats::WinDrawLoss;
use crate::{Error, Result};

/// The file of finished games.
const GAMES: &str = "games.jsonl";

const KIND: LogKind =
    LogKind { name: "tuning run", entry: "finished game", free: &["program"], elsewhere: "another --out" };

/// The first line of the file.
#[derive(Debug, Serialize)]
struct TuneHeader {
    /// The program that began the run; for information only.
    program: String,
    tune: Map<String, Value>,
}

/// A finished game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TunedGame {
    /// The step, from 0.
    pub step: u64,
    /// The bout of the step, from 0.
    pub bout: usize,
    /// 0 or 1: the game of the colour pair.
    pub half: usize,
    /// Who played, as text: A, whose values are tuned, and B.
    pub players: [String; 2],
    /// How it ended, A's view.
    pub outcome: WinDrawLoss,
    /// More about it.
    pub game: FinishedGame,
    /// Its record.
    pub sgf: String,
}

impl TunedGame {
    /// Which game it is.
    pub fn id(&self) -> TuneGameId {
        TuneGameId { step: self.step, bout: self.bout, half: self.half }
    }
}

/// The folder of a run that is under way. Nobody else can open it at the same time.
#[derive(Debug)]
pub struct TuneLog(Log);

impl TuneLog {
    /// Opens or makes a folder for a run with these settings; returns the finished games in the order in which they ended.
    ///
    /// # Errors
    /// A folder that cannot be written, is in use, has other settings, or something else in the place of the games.
    pub fn open(dir: &Path, settings: &Map<String, Value>) -> Result<(Self, Vec<TunedGame>)> {
        fs::create_dir_all(dir).map_err(Error::file("make the folder", dir))?;
        let program = format!("tengen {}", env!("CARGO_PKG_VERSION"));
        let header = TuneHeader { program, tune: settings.clone() };
        let (log, entries) = Log::open(&dir.join(GAMES), &KIND, &header)?;
        Ok((Self(log), entries))
    }

    /// Adds a finished game; when this returns it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, entry: &TunedGame) -> Result<()> {
        Ok(self.0.append(entry)?)
    }
}
