//! Games on disk. A session's name is made here, and only names that were made or found here become files: what a
//! browser sends is looked up, never opened.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use crate::pool::lock;
use crate::protocol::{Answer, Kind, Refusal};

/// Letters of a session's name: 128 bits.
const LETTERS: usize = 32;

/// The folder of kept games.
pub(crate) struct Keeper {
    folder: PathBuf,
    /// Names that are known, and when their games were kept last; none for those without a game so far.
    known: Mutex<HashMap<String, Option<SystemTime>>>,
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
        std::fs::create_dir_all(folder)?;
        let mut known = HashMap::new();
        for entry in std::fs::read_dir(folder)?.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".sgf")) else { continue };
            if is_name(name) {
                let time =
                    entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                known.insert(name.to_string(), Some(time));
            }
        }
        Ok(Self { folder: folder.to_path_buf(), known: Mutex::new(known), max })
    }

    /// A name that nobody can guess.
    pub(super) fn new_name(&self) -> Answer<String> {
        let mut bytes = [0; LETTERS / 2];
        getrandom::fill(&mut bytes).map_err(|error| Refusal::new(Kind::Internal, error.to_string()))?;
        let name: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
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

    /// Keeps a game; the file is whole at any time. The oldest games make room.
    pub(super) fn keep(&self, name: &str, text: &str) -> Answer<()> {
        let refuse =
            |error: io::Error| Refusal::new(Kind::Internal, format!("the game cannot be kept: {error}"));
        let path = self.path(name);
        let new = path.with_extension("new");
        std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path)).map_err(refuse)?;
        let mut known = lock(&self.known);
        known.insert(name.to_string(), Some(SystemTime::now()));
        while known.values().flatten().count() > self.max {
            let kept = known.iter().filter_map(|(name, time)| Some((*time.as_ref()?, name.clone())));
            let Some((_, oldest)) = kept.min() else { break };
            let _ = std::fs::remove_file(self.path(&oldest));
            known.remove(&oldest);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_kept_found_and_make_room() {
        let dir = tempfile::tempdir().unwrap();
        let keeper = Keeper::open(dir.path(), 2).unwrap();
        let names: Vec<String> = (0..3).map(|_| keeper.new_name().unwrap()).collect();
        assert!(names.iter().all(|name| is_name(name)) && keeper.find(&names[0]).is_none());
        for name in &names {
            keeper.keep(name, name).unwrap();
        }
        assert_eq!(keeper.find(&names[0]), None, "the oldest made room");
        let again = Keeper::open(dir.path(), 2).unwrap();
        assert_eq!(again.find(&names[2]).unwrap(), names[2].as_bytes());
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
