//! The folder of a match. Every finished game is on the disk before it counts: its SGF, then a line in
//! `results.jsonl`. Whatever kills the program, at most the games in progress are lost, and they are played again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lab::Line;
use player::log::differences;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The settings of the match.
const SETTINGS: &str = "match.json";
/// A line for every finished game.
const RESULTS: &str = "results.jsonl";
/// The openings, where they were made for the match.
const OPENINGS: &str = "openings.sgf";

/// What a match folder's settings file holds. Games under different settings cannot be added up.
#[derive(Serialize, Deserialize)]
struct Settings {
    /// The program that began the match; for information only.
    program: String,
    settings: Map<String, Value>,
}

/// An open match folder. Nobody else can open it at the same time. A match that ends before its first game leaves nothing
/// behind.
pub(super) struct Store {
    dir: PathBuf,
    results: File,
    /// Folders that were made for this match, the innermost first.
    made: Vec<PathBuf>,
    /// Files that are written with the first game.
    pending: Vec<(&'static str, String)>,
    is_empty: bool,
}

impl Store {
    /// Opens or makes a folder for a match with these settings; returns the games that are finished already.
    pub(super) fn open(dir: &Path, settings: Map<String, Value>) -> Result<(Self, Vec<Line>)> {
        let made = dir.ancestors().take_while(|dir| !dir.as_os_str().is_empty() && !dir.exists());
        let made = made.map(Path::to_path_buf).collect();
        fs::create_dir_all(dir).with_context(|| format!("cannot make the folder {}", dir.display()))?;
        refuse_foreign(dir)?;
        let path = dir.join(RESULTS);
        let mut options = OpenOptions::new();
        let open = options.read(true).append(true).create(true).open(&path);
        let results = open.with_context(|| format!("cannot open {}", path.display()))?;
        if results.try_lock().is_err() {
            bail!("another match is running in {}; use another --out or wait", dir.display());
        }
        let mut store = Self { dir: dir.to_path_buf(), results, made, pending: Vec::new(), is_empty: false };
        let (lines, end) = store.read_results()?;
        store.agree(settings)?;
        store.is_empty = end == 0;
        // Only now is it sure that the file is ours to mend.
        store.cut(end).with_context(|| format!("cannot mend {}", path.display()))?;
        Ok((store, lines))
    }

    /// Checks that the folder's settings are these; in a new one they are written with the first game.
    fn agree(&mut self, settings: Map<String, Value>) -> Result<()> {
        let path = self.dir.join(SETTINGS);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let program = format!("tengen {}", env!("CARGO_PKG_VERSION"));
                let text = serde_json::to_string_pretty(&Settings { program, settings })? + "\n";
                self.pending.push((SETTINGS, text));
                return Ok(());
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let theirs: Settings =
            serde_json::from_str(&text).with_context(|| format!("{} is no match file", path.display()))?;
        let differences = differences::between(&theirs.settings, &settings, &[]);
        if !differences.is_empty() {
            bail!(
                "{} holds a match with other settings: {}. Use the same settings to continue it, or another --out",
                self.dir.display(),
                differences.join("; ")
            );
        }
        Ok(())
    }

    /// The openings that an earlier run made.
    pub(super) fn openings(&self) -> Option<String> {
        fs::read_to_string(self.dir.join(OPENINGS)).ok()
    }

    /// Has openings kept, with the first game.
    pub(super) fn keep_openings(&mut self, sgf: String) {
        if !self.dir.join(OPENINGS).exists() {
            self.pending.push((OPENINGS, sgf));
        }
    }

    /// The games on file, and where they end: a last line that was not finished is no result, nor was its game finished.
    fn read_results(&mut self) -> Result<(Vec<Line>, u64)> {
        let path = self.dir.join(RESULTS);
        let mut bytes = Vec::new();
        let read = self.results.seek(SeekFrom::Start(0)).and_then(|_| self.results.read_to_end(&mut bytes));
        read.with_context(|| format!("cannot read {}", path.display()))?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = BTreeMap::new();
        for (idx, raw) in bytes[..end].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let Ok(line) = serde_json::from_slice::<Line>(raw) else {
                let start: String = String::from_utf8_lossy(raw).trim_end().chars().take(60).collect();
                bail!(
                    "{}, line {}: {start:?} is not the result of a game. Remove this line to play its game again, or use \
                     another --out",
                    path.display(),
                    idx + 1
                );
            };
            lines.entry(line.game).or_insert(line);
        }
        Ok((lines.into_values().collect(), end as u64))
    }

    /// Cuts off what follows the last whole line.
    fn cut(&self, end: u64) -> std::io::Result<()> {
        if self.results.metadata()?.len() > end {
            self.results.set_len(end)?;
            self.results.sync_all()?;
        }
        Ok(())
    }

    /// Keeps a finished game.
    pub(super) fn save(&mut self, line: &Line, sgf: &str) -> Result<()> {
        while let Some((name, text)) = self.pending.last() {
            self.write(name, text)?;
            self.pending.pop();
        }
        self.is_empty = false;
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

impl Drop for Store {
    /// Takes away what was made for a match of which no game was finished.
    fn drop(&mut self) {
        if self.is_empty && !self.dir.join(SETTINGS).exists() {
            // Whatever cannot be removed is empty, and in nobody's way.
            let _ = fs::remove_file(self.dir.join(RESULTS));
            for dir in &self.made {
                let _ = fs::remove_dir(dir);
            }
        }
    }
}

/// Refuses a folder with files that a match would write over or add to, if no match made it.
fn refuse_foreign(dir: &Path) -> Result<()> {
    if dir.join(SETTINGS).exists() {
        return Ok(());
    }
    for other in [lab::store::FILE, "games.jsonl"] {
        if dir.join(other).exists() {
            bail!(
                "{} is the folder of an experiment or a tuning run: it has a file {other}; use another --out",
                dir.display()
            );
        }
    }
    let cannot_read = || format!("cannot read the folder {}", dir.display());
    for entry in fs::read_dir(dir).with_context(cannot_read)? {
        let entry = entry.with_context(cannot_read)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_game = name.starts_with("game-") && name.ends_with(".sgf");
        // An empty file is what a match leaves that was killed in its first moment.
        let is_results = name == RESULTS && entry.metadata().map_or(true, |data| data.len() > 0);
        if is_game || is_results || name == OPENINGS {
            bail!(
                "{} has a file {name} but no {SETTINGS}, so it is not the folder of a match, and its files could be \
                 overwritten; use another --out",
                dir.display()
            );
        }
    }
    Ok(())
}

/// The file of a game, by its number.
pub(super) fn sgf_name(game: u64) -> String {
    format!("game-{game:04}.sgf")
}
