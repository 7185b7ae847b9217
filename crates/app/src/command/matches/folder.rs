//! The folder of a match: the store of its games, which is that of an experiment, and beside it the experiment's file, a
//! record of every game and the openings that were made.
//!
//! A game counts when the store has it. Records follow from the store: one that is missing is written again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lab::experiment::{Experiment, MATCH};
use lab::run::openings_key;
use lab::store::{self, PairingRow, Store};
use player::whole_file;

use crate::files::cannot_write;

/// The openings, where they were made for the match.
const OPENINGS: &str = "openings.sgf";
/// What matches of earlier programs have in their folders.
const EARLIER: [&str; 2] = ["match.json", "results.jsonl"];

/// An open match. One that ends before its first game leaves nothing behind.
pub(super) struct MatchFolder {
    /// None only while it is being closed.
    store: Option<Store>,
    /// None for a match that is not kept.
    dir: Option<PathBuf>,
    /// Folders that were made for this match, the innermost first.
    made: Vec<PathBuf>,
    /// Whether the store was made for this match, and has no game.
    is_new: bool,
}

/// The name of a match: that of its folder.
pub(super) fn name(dir: &Path) -> String {
    let whole = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    whole.file_name().map_or("match".into(), |name| name.to_string_lossy()).into_owned()
}

/// The experiment's file. It has the folder's name, by which `tengen lab` finds the folder again below results/.
pub(super) fn file(dir: &Path) -> PathBuf {
    dir.join(format!("{}.toml", name(dir)))
}

/// The names that the players of the match in this folder have; none if there is no match with games yet.
///
/// # Errors
/// A folder that holds something else.
pub(super) fn names(dir: &Path) -> Result<Option<[String; 2]>> {
    refuse_foreign(dir)?;
    if !has_store(dir) {
        return Ok(None);
    }
    let store = Store::open_read(dir)?;
    let pairings = store.pairings()?;
    match &pairings[..] {
        [] => Ok(None),
        [PairingRow { group, names, id, .. }] if group == MATCH => {
            Ok((!store.lines(*id)?.is_empty()).then(|| names.clone()))
        }
        _ => bail!("{} is the folder of an experiment; use another --out", dir.display()),
    }
}

/// Whether a store with anything in it is there: a match that was killed in its first moment leaves an empty file.
fn has_store(dir: &Path) -> bool {
    fs::metadata(dir.join(store::FILE)).is_ok_and(|data| data.len() > 0)
}

impl MatchFolder {
    /// A match that is not kept.
    pub(super) fn in_memory(experiment: &Experiment) -> Result<Self> {
        let store = Some(Store::in_memory(experiment)?);
        Ok(Self { store, dir: None, made: Vec::new(), is_new: false })
    }

    /// Opens or makes the folder of a match.
    pub(super) fn open(dir: &Path, experiment: &Experiment) -> Result<Self> {
        let made = dir.ancestors().take_while(|dir| !dir.as_os_str().is_empty() && !dir.exists());
        let made = made.map(Path::to_path_buf).collect();
        let is_new = !has_store(dir);
        let store = Some(Store::open(dir, experiment)?);
        let folder = Self { store, dir: Some(dir.to_path_buf()), made, is_new };
        if !is_new {
            folder.write_missing()?;
        }
        Ok(folder)
    }

    pub(super) fn store(&mut self) -> Result<&mut Store> {
        self.store.as_mut().context("the match is closed")
    }

    /// Writes the records of games that the store has and the folder does not: the program was killed between the two.
    fn write_missing(&self) -> Result<()> {
        let Some(store) = &self.store else { return Ok(()) };
        for pairing in store.pairings()? {
            store.each_game(pairing.id, |game| {
                let number = game.line.game;
                match &self.dir {
                    Some(dir) if !dir.join(sgf_name(number)).exists() => {
                        write(dir, &sgf_name(number), &game.sgf).map_err(lab::Error::other)
                    }
                    _ => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// Writes what stands beside the store, now that the match has a game or goes on.
    pub(super) fn write_beside(&self, experiment: &Experiment) -> Result<()> {
        let (Some(dir), Some(store)) = (&self.dir, &self.store) else { return Ok(()) };
        if self.is_new && store.runs()?.iter().all(|run| run.games == 0) {
            return Ok(());
        }
        let path = file(dir);
        if fs::read_to_string(&path).ok().as_deref() != Some(&experiment.page.text) {
            whole_file::write(&path, &experiment.page.text).with_context(|| cannot_write(&path))?;
        }
        let made = store.openings(&openings_key(&experiment.meetings[0]))?;
        if !made.is_empty() && !dir.join(OPENINGS).exists() {
            write(dir, OPENINGS, &made)?;
        }
        Ok(())
    }
}

/// Writes the record of a game.
pub(super) fn write_record(dir: &Path, game: u64, sgf: &str) -> Result<()> {
    write(dir, &sgf_name(game), sgf)
}

fn write(dir: &Path, name: &str, text: &str) -> Result<()> {
    let path = dir.join(name);
    whole_file::write(&path, text).with_context(|| cannot_write(&path))
}

impl Drop for MatchFolder {
    /// Takes away what was made for a match of which no game was finished.
    fn drop(&mut self) {
        let (Some(store), Some(dir)) = (self.store.take(), &self.dir) else { return };
        let has_games = store.runs().map_or(true, |runs| runs.iter().any(|run| run.games > 0));
        drop(store);
        if self.is_new && !has_games {
            // Whatever cannot be removed is in nobody's way.
            store::remove(dir);
            for dir in &self.made {
                let _ = fs::remove_dir(dir);
            }
        }
    }
}

/// Refuses a folder with files that a match would write over or add to, if no match made it.
fn refuse_foreign(dir: &Path) -> Result<()> {
    let shown = dir.display();
    for name in EARLIER {
        // An empty file is what an earlier program left that was killed in its first moment.
        if fs::metadata(dir.join(name)).is_ok_and(|data| data.len() > 0) {
            bail!(
                "{shown} holds a match of an earlier version of tengen: it has a file {name}. This version keeps games in \
                 another form and leaves these as they are; use another --out"
            );
        }
    }
    if dir.join("games.jsonl").exists() {
        bail!("{shown} is the folder of a tuning run: it has a file games.jsonl; use another --out");
    }
    if dir.join(store::FILE).exists() || !dir.exists() {
        return Ok(());
    }
    let cannot_read = || format!("cannot read the folder {shown}");
    let file = file(dir);
    for entry in fs::read_dir(dir).with_context(cannot_read)? {
        let path = entry.with_context(cannot_read)?.path();
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let is_game = name.starts_with("game-") && name.ends_with(".sgf");
        if is_game
            || name == OPENINGS
            || Some(name.as_str()) == file.file_name().and_then(|name| name.to_str())
        {
            bail!(
                "{shown} has a file {name} but no {}, so it is not the folder of a match, and its files could be \
                 overwritten; use another --out",
                store::FILE
            );
        }
    }
    Ok(())
}

/// The file of a game, by its number.
fn sgf_name(game: u64) -> String {
    format!("game-{game:04}.sgf")
}
