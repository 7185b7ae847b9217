//! Games on disk, several of a session. A session's name is made here, and only names that were made or found here become
//! files: what a browser sends is looked up, never opened. A session's games are numbered; the file of number 0 bears the
//! session's name alone, that of another its number as well.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use player::whole_file;

use super::eviction::{Kept, victim};
use crate::network::Network;
use crate::pool::lock;
use crate::protocol::{Answer, Kind, Refusal};
use crate::{files, token};

/// Letters of a session's name: 128 bits.
const LETTERS: usize = 32;

/// The folder of kept games.
pub(crate) struct Keeper {
    folder: PathBuf,
    /// Names that are known, with their games; none for those without a game so far.
    known: Mutex<HashMap<String, Option<Kept>>>,
    max: usize,
}

/// The file of a session's game, without its ending.
pub(super) fn game_name(session: &str, number: u32) -> String {
    if number == 0 { session.to_string() } else { format!("{session}-{number}") }
}

/// The session and the number of a game's file; none for a name that is not ours.
fn split_name(text: &str) -> Option<(&str, u32)> {
    let (session, number) = match text.split_once('-') {
        None => (text, 0),
        Some((session, number)) => {
            let number: u32 = number.parse().ok()?;
            (session, number)
        }
    };
    let is_letter = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
    let is_ours = session.len() == LETTERS && session.bytes().all(is_letter);
    (is_ours && game_name(session, number) == text).then_some((session, number))
}

fn is_name(text: &str) -> bool {
    split_name(text).is_some()
}

impl Keeper {
    /// Opens the folder, which is made if need be.
    ///
    /// # Errors
    /// A folder that cannot be made or read.
    pub(crate) fn open(folder: &Path, max: usize) -> io::Result<Self> {
        files::make_folder(folder)?;
        let mut known = HashMap::new();
        for entry in std::fs::read_dir(folder)?.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".sgf")) else { continue };
            if is_name(name) {
                let time =
                    entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                files::make_private(&entry.path());
                let n_moves = std::fs::read(entry.path()).map_or(0, |text| n_moves(&text));
                let kept = Kept { born: time, used: time, n_moves, creator: None };
                known.insert(name.to_string(), Some(kept));
            }
        }
        Ok(Self { folder: folder.to_path_buf(), known: Mutex::new(known), max })
    }

    /// A name that nobody can guess.
    pub(super) fn new_name(&self) -> Answer<String> {
        let name = token::random_name().map_err(|error| Refusal::new(Kind::Internal, error.to_string()))?;
        lock(&self.known).insert(name.clone(), None);
        Ok(name)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.sgf"))
    }

    /// The game of this name, if there is one.
    pub(super) fn find(&self, name: &str) -> Option<Vec<u8>> {
        let is_known = lock(&self.known).get(name).is_some_and(Option::is_some);
        if is_known { std::fs::read(self.path(name)).ok() } else { None }
    }

    /// The numbers of a session's games, and when each was kept last.
    pub(super) fn games_of(&self, session: &str) -> Vec<(u32, SystemTime)> {
        let known = lock(&self.known);
        let games = known.iter().filter_map(|(name, kept)| {
            let (of, number) = split_name(name)?;
            (of == session).then_some((number, kept.as_ref()?.used))
        });
        games.collect()
    }

    /// Deletes a game.
    pub(super) fn delete(&self, name: &str) -> Answer<()> {
        let mut known = lock(&self.known);
        if known.get(name).is_some_and(Option::is_some) {
            std::fs::remove_file(self.path(name)).map_err(|error| {
                Refusal::new(Kind::Internal, format!("the game cannot be deleted: {error}"))
            })?;
            known.remove(name);
        }
        Ok(())
    }

    /// When the first of a session's games began, if there is one.
    pub(super) fn born(&self, session: &str) -> Option<SystemTime> {
        let known = lock(&self.known);
        let is_of = |name: &str| split_name(name).is_some_and(|(of, _)| of == session);
        let games = known.iter().filter(|(name, _)| is_of(name));
        games.filter_map(|(_, kept)| Some(kept.as_ref()?.born)).min()
    }

    /// Keeps a game that `creator` began: it is on disk when this returns, and the file is whole at any time. If there are
    /// too many games, another one makes room.
    pub(super) fn keep(&self, name: &str, text: &str, creator: Network) -> Answer<()> {
        let write = || {
            whole_file::write_private(&self.path(name), text).map_err(|error| {
                log::error!("a game cannot be kept in {}: {error}", self.folder.display());
                Refusal::new(Kind::Internal, format!("the game cannot be kept: {error}"))
            })
        };
        write()?;
        let now = SystemTime::now();
        let n_moves = n_moves(text.as_bytes());
        let mut known = lock(&self.known);
        // Until now another game that was kept may have taken its place.
        if !self.path(name).exists() {
            write()?;
        }
        let entry = known.entry(name.to_string()).or_default();
        let new = Kept { born: now, used: now, n_moves, creator: Some(creator) };
        let old = entry.take();
        *entry = Some(old.map_or(new, |old| Kept { used: now, n_moves, ..old }));
        let games = |known: &HashMap<String, Option<Kept>>| {
            let games = known.iter().filter_map(|(name, kept)| Some((name.as_str(), kept.as_ref()?)));
            victim(games, self.max, name, now)
        };
        while let Some(victim) = games(&known) {
            log::info!("too many games are kept: one with few moves, or an old one, makes room");
            let _ = std::fs::remove_file(self.path(&victim));
            known.remove(&victim);
        }
        Ok(())
    }

    /// A session without a game is gone.
    pub(super) fn forget_empty(&self, name: &str) {
        let mut known = lock(&self.known);
        if known.get(name).is_some_and(Option::is_none) {
            known.remove(name);
        }
    }
}

/// Moves of a record, as far as it matters here.
fn n_moves(text: &[u8]) -> usize {
    text.windows(3).filter(|letters| matches!(*letters, b";B[" | b";W[")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_kept_found_and_make_room() {
        let dir = tempfile::tempdir().unwrap();
        let keeper = Keeper::open(dir.path(), 2).unwrap();
        let names: Vec<String> = (0..3).map(|_| keeper.new_name().unwrap()).collect();
        assert!(names.iter().all(|name| is_name(name)) && keeper.find(&names[0]).is_none());
        let here = Network::of([127, 0, 0, 1].into());
        for name in &names {
            keeper.keep(name, &format!("(;SZ[9];B[aa];W[bb]C[{name}])"), here).unwrap();
        }
        assert_eq!(keeper.find(&names[1]), None, "of two that began just now the younger made room");
        let again = Keeper::open(dir.path(), 2).unwrap();
        assert!(again.find(&names[2]).is_some() && again.find(&names[0]).is_some());
        assert!(again.born(&names[0]).is_some() && again.born(&names[1]).is_none());
        let mut known = lock(&again.known).clone();
        assert_eq!(known.remove(&names[0]).flatten().unwrap().n_moves, 2);
    }

    #[test]
    fn a_session_has_many_games() {
        let dir = tempfile::tempdir().unwrap();
        let keeper = Keeper::open(dir.path(), 9).unwrap();
        let [ours, theirs] = [keeper.new_name().unwrap(), keeper.new_name().unwrap()];
        for (session, number) in [(&ours, 0), (&ours, 7), (&theirs, 1)] {
            keeper.keep(&game_name(session, number), "text", Network::of([127, 0, 0, 1].into())).unwrap();
        }
        let numbers = |keeper: &Keeper| {
            let mut numbers: Vec<u32> = keeper.games_of(&ours).iter().map(|(number, _)| *number).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!(numbers(&keeper), [0, 7]);
        keeper.delete(&game_name(&ours, 0)).unwrap();
        assert_eq!(numbers(&keeper), [7]);
        let again = Keeper::open(dir.path(), 9).unwrap();
        assert_eq!(numbers(&again), [7]);
        for name in ["-1", "7-", &format!("{ours}-07"), &format!("{ours}--7"), &format!("{ours}-4294967296")]
        {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn only_known_names_are_files() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("secret.sgf"), "secret").unwrap();
        let keeper = Keeper::open(dir.path(), 2).unwrap();
        // A file that came later is not known either.
        let late = "0".repeat(LETTERS);
        std::fs::write(dir.path().join(format!("{late}.sgf")), "late").unwrap();
        for name in ["secret", "../secret", "", &late, "/etc/passwd"] {
            assert_eq!(keeper.find(name), None, "{name}");
        }
    }
}
