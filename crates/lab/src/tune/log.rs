//! The folder of a run: `games.jsonl` has a line of settings and then a line for every finished game, written before the
//! game counts. Nothing but the games is needed to continue: what was proposed follows from them.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::session::GameId;
use crate::game::Line;
use crate::stats::Outcome;
use crate::{Error, Result};

/// The file of finished games.
const GAMES: &str = "games.jsonl";

/// The first line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// The program that began the run; for information only.
    program: String,
    tune: Map<String, Value>,
}

/// A finished game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The step, from 0.
    pub step: u64,
    /// The bout of the step, from 0.
    pub bout: usize,
    /// 0 or 1: the game of the colour pair.
    pub half: usize,
    /// Who played, as text: A, whose values are tuned, and B.
    pub players: [String; 2],
    /// How it ended, A's view.
    pub outcome: Outcome,
    /// More about it.
    pub game: Line,
    /// Its record.
    pub sgf: String,
}

impl Entry {
    /// Which game it is.
    pub fn id(&self) -> GameId {
        GameId { step: self.step, bout: self.bout, half: self.half }
    }
}

/// An open run. Nobody else can open it at the same time.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens or makes a folder for a run with these settings; returns the finished games in the order in which they ended.
    ///
    /// # Errors
    /// A folder that cannot be written, is in use, has other settings, or something else in the place of the games.
    pub fn open(dir: &Path, settings: &Map<String, Value>) -> Result<(Self, Vec<Entry>)> {
        fs::create_dir_all(dir).map_err(Error::file("make the folder", dir))?;
        let path = dir.join(GAMES);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let file = file.map_err(Error::file("open", &path))?;
        if file.try_lock().is_err() {
            let why = format!(
                "{}: another run is under way in this folder; wait for it or use another",
                dir.display()
            );
            return Err(Error::input(why));
        }
        let mut log = Self { path, file };
        let (text, is_cut) = log.read()?;
        let mut lines = text.lines();
        let entries = match lines.next() {
            Some(header) => {
                log.agree(header, settings)?;
                lines.enumerate().map(|(i, line)| log.parse(i + 2, line)).collect::<Result<_>>()?
            }
            None => Vec::new(),
        };
        // Only now is it sure that the file is ours to mend.
        if is_cut {
            log.file.set_len(text.len() as u64).map_err(Error::file("mend", &log.path))?;
        }
        if text.is_empty() {
            let program = format!("tengen {}", env!("CARGO_PKG_VERSION"));
            log.append(&Header { program, tune: settings.clone() })?;
        }
        Ok((log, entries))
    }

    /// The finished lines, and whether anything follows them: a line that was being written when the program was killed
    /// was no result yet.
    fn read(&mut self) -> Result<(String, bool)> {
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(Error::file("read", &self.path))?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let is_cut = end < bytes.len();
        // A first line without an end may be anything; if it is not the beginning of ours, the file is not ours.
        if end == 0
            && is_cut
            && !bytes.starts_with(b"{\"program\"")
            && !b"{\"program\"".starts_with(&bytes[..])
        {
            return Err(self.wrong(1, "this is no file of a tuning run"));
        }
        bytes.truncate(end);
        let text = String::from_utf8(bytes)
            .map_err(|_| self.wrong(1, "this is no text, so no file of a tuning run"))?;
        Ok((text, is_cut))
    }

    fn wrong(&self, line: usize, why: &str) -> Error {
        Error::input(format!("{}, line {line}: {why}", self.path.display()))
    }

    /// Checks that the settings on file are these.
    fn agree(&self, header: &str, settings: &Map<String, Value>) -> Result<()> {
        let header: Header = serde_json::from_str(header)
            .map_err(|_| self.wrong(1, "expected the settings of a tuning run; this is another file"))?;
        // Ours are written and read as theirs were: a number may differ by a hair from its text.
        let written = serde_json::to_string(settings).map_err(Error::other)?;
        let settings: Map<String, Value> = serde_json::from_str(&written).map_err(Error::other)?;
        let none = Value::Null;
        for key in settings.keys().chain(header.tune.keys()) {
            let [ours, theirs] = [&settings, &header.tune].map(|map| map.get(key).unwrap_or(&none));
            if ours != theirs {
                let why = format!(
                    "holds a run with another {key}: {theirs}, not {ours}. Continue it as it was begun, or use another \
                     folder"
                );
                return Err(Error::input(format!("{} {why}", self.path.display())));
            }
        }
        Ok(())
    }

    fn parse(&self, number: usize, line: &str) -> Result<Entry> {
        serde_json::from_str(line)
            .map_err(|why| self.wrong(number, &format!("expected a finished game: {why}")))
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, entry: &Entry) -> Result<()> {
        self.append(entry)
    }

    /// Writes a line at once, so that it is there whatever becomes of this program.
    fn append(&mut self, line: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string(line).map_err(Error::other)?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(Error::file("write", &self.path))
    }
}
