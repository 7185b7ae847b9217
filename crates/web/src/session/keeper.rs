//! Games on disk. A session's name is made here, and only names that were made or found here become files: what a
//! browser sends is looked up, never opened.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use super::eviction::{Kept, victim};
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

fn is_name(text: &str) -> bool {
    text.len() == LETTERS && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c))
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

    /// When the game of this name began, if there is one.
    pub(super) fn born(&self, name: &str) -> Option<SystemTime> {
        lock(&self.known).get(name).and_then(Option::as_ref).map(|kept| kept.born)
    }

    /// Keeps a game that `creator` began: it is on disk when this returns, and the file is whole at any time. If there are
    /// too many games, another one makes room.
    pub(super) fn keep(&self, name: &str, text: &str, creator: IpAddr) -> Answer<()> {
        files::write(&self.path(name), text).map_err(|error| {
            log::error!("a game cannot be kept in {}: {error}", self.folder.display());
            Refusal::new(Kind::Internal, format!("the game cannot be kept: {error}"))
        })?;
        let now = SystemTime::now();
        let n_moves = n_moves(text.as_bytes());
        let mut known = lock(&self.known);
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
        let here = IpAddr::from([127, 0, 0, 1]);
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
