//! The folder of a match. Every finished game is on the disk before it counts: its SGF, then a line in
//! `results.jsonl`. Whatever kills the program, at most the games in progress are lost, and they are played again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::tally::Line;

/// The settings of the match.
const SETTINGS: &str = "match.json";
/// A line for every finished game.
const RESULTS: &str = "results.jsonl";

/// What a match folder's settings file holds. Games under different settings cannot be added up.
#[derive(Serialize, Deserialize)]
struct Settings {
    /// The program that began the match; for information only.
    program: String,
    settings: Map<String, Value>,
}

/// An open match folder. Nobody else can open it at the same time.
pub(super) struct Store {
    dir: PathBuf,
    results: File,
}

impl Store {
    /// Opens or makes a folder for a match with these settings; returns the games that are finished already.
    pub(super) fn open(dir: &Path, settings: &Map<String, Value>) -> Result<(Self, Vec<Line>)> {
        fs::create_dir_all(dir).with_context(|| format!("cannot make the folder {}", dir.display()))?;
        let path = dir.join(RESULTS);
        let mut options = OpenOptions::new();
        let open = options.read(true).append(true).create(true).open(&path);
        let results = open.with_context(|| format!("cannot open {}", path.display()))?;
        if results.try_lock().is_err() {
            bail!("another match is running in {}; use another --out or wait", dir.display());
        }
        let mut store = Self { dir: dir.to_path_buf(), results };
        let lines = store.read_results().with_context(|| format!("cannot continue {}", path.display()))?;
        store.agree(settings, !lines.is_empty())?;
        Ok((store, lines))
    }

    /// Checks that the folder's settings are these, or writes them into a new one.
    fn agree(&self, settings: &Map<String, Value>, has_games: bool) -> Result<()> {
        let path = self.dir.join(SETTINGS);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !has_games => {
                let program = format!("tengen {}", env!("CARGO_PKG_VERSION"));
                let ours = Settings { program, settings: settings.clone() };
                return self.write(SETTINGS, &(serde_json::to_string_pretty(&ours)? + "\n"));
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let theirs: Settings =
            serde_json::from_str(&text).with_context(|| format!("{} is no match file", path.display()))?;
        let differences = differences(&theirs.settings, settings);
        if !differences.is_empty() {
            bail!(
                "{} holds a match with other settings: {}. Use the same settings to continue it, or another --out",
                self.dir.display(),
                differences.join("; ")
            );
        }
        Ok(())
    }

    /// The games on file. A last line that was not finished is cut off: that game was not finished either.
    fn read_results(&mut self) -> Result<Vec<Line>> {
        let mut text = String::new();
        self.results.seek(SeekFrom::Start(0))?;
        self.results.read_to_string(&mut text)?;
        let end = text.rfind('\n').map_or(0, |at| at + 1);
        if end < text.len() {
            self.results.set_len(end as u64)?;
            self.results.sync_all()?;
        }
        let mut lines = BTreeMap::new();
        for (number, text) in text[..end].lines().enumerate() {
            let line: Line =
                serde_json::from_str(text).with_context(|| format!("line {} is no result", number + 1))?;
            lines.entry(line.game).or_insert(line);
        }
        Ok(lines.into_values().collect())
    }

    /// Keeps a finished game.
    pub(super) fn save(&mut self, line: &Line, sgf: &str) -> Result<()> {
        self.write(&sgf_name(line.game), sgf)?;
        let text = serde_json::to_string(line)? + "\n";
        // One write, so that a line is there or not.
        self.results.write_all(text.as_bytes()).and_then(|()| self.results.sync_all()).with_context(|| {
            format!("cannot write the result of game {} to {}", line.game, self.dir.join(RESULTS).display())
        })
    }

    /// Writes a whole file or none.
    fn write(&self, name: &str, text: &str) -> Result<()> {
        let (path, fresh) = (self.dir.join(name), self.dir.join(format!("{name}.new")));
        let write = || {
            let mut file = File::create(&fresh)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&fresh, &path)
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The file of a game, by its number.
pub(super) fn sgf_name(game: u64) -> String {
    format!("game-{game:04}.sgf")
}

fn differences(theirs: &Map<String, Value>, ours: &Map<String, Value>) -> Vec<String> {
    let keys = ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(*key)));
    let show = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "not set".to_string(),
        Some(value) => value.to_string(),
    };
    keys.filter(|key| ours.get(*key) != theirs.get(*key))
        .map(|key| format!("{key} is {} there, {} here", show(theirs.get(key)), show(ours.get(key))))
        .collect()
}
