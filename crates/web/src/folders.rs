//! Folders of work that the page lists, experiments and runs of self-play, and what was read of them last. A name in a message is
//! looked up among the folders that were found; it never becomes part of a path.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::pool::lock;
use crate::protocol::{Answer, Kind, Refusal};

/// The folders inside a folder that hold a file of a certain name.
#[derive(Debug)]
pub(crate) struct NamedFolders {
    root: PathBuf,
    /// The file that makes a folder one of them.
    mark: &'static str,
    /// The noun for one of them in messages.
    noun: &'static str,
}

impl NamedFolders {
    /// The folders of `root` that hold a file `mark`; a message calls one of them a `noun`.
    pub(crate) fn new(root: PathBuf, mark: &'static str, noun: &'static str) -> Self {
        Self { root, mark, noun }
    }

    /// The folder that they are in.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Their names and paths, by name.
    pub(crate) fn all(&self) -> Vec<(String, PathBuf)> {
        let entries = std::fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut folders: Vec<_> = entries
            .filter(|entry| entry.path().join(self.mark).is_file())
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
            .collect();
        folders.sort();
        folders
    }

    /// The path of the one with this name.
    pub(crate) fn find(&self, name: &str) -> Answer<PathBuf> {
        let found = self.all().into_iter().find(|(known, _)| known == name);
        found.map(|(_, dir)| dir).ok_or_else(|| {
            let short: String = name.chars().take(80).collect();
            Refusal::new(Kind::Unknown, format!("there is no {} {short:?}", self.noun))
        })
    }
}

/// The answer that was read last. It is given again for a while, since many windows may ask for the same.
#[derive(Debug)]
pub(crate) struct LastRead<T> {
    fresh: Duration,
    last: Mutex<Option<(Instant, String, T)>>,
}

impl<T: Clone> LastRead<T> {
    /// Nothing is read yet; an answer is given again for `fresh`.
    pub(crate) fn new(fresh: Duration) -> Self {
        Self { fresh, last: Mutex::default() }
    }

    /// The answer about `name`: the last one while it is fresh, otherwise what `read` gives.
    pub(crate) fn get<E>(&self, name: &str, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut last = lock(&self.last);
        if let Some((at, of, value)) = last.as_ref()
            && at.elapsed() < self.fresh
            && of == name
        {
            return Ok(value.clone());
        }
        let value = read()?;
        *last = Some((Instant::now(), name.to_string(), value.clone()));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_with_the_mark_are_found_and_only_by_name() {
        let root = tempfile::tempdir().unwrap();
        for name in ["b", "a", "unmarked"] {
            std::fs::create_dir(root.path().join(name)).unwrap();
        }
        for name in ["a", "b"] {
            std::fs::write(root.path().join(name).join("mark"), "").unwrap();
        }
        let folders = NamedFolders::new(root.path().to_path_buf(), "mark", "thing");
        let names: Vec<String> = folders.all().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(folders.find("b").unwrap(), root.path().join("b"));
        for name in ["unmarked", "..", "a/../b", "", "/"] {
            assert_eq!(folders.find(name).unwrap_err().kind, Kind::Unknown, "{name}");
        }
    }

    #[test]
    fn an_answer_is_given_again_only_for_the_same_name_and_while_it_is_fresh() {
        let read = |last: &LastRead<u32>, name, value: u32| last.get(name, || Ok::<_, ()>(value)).unwrap();
        let kept = LastRead::new(Duration::from_secs(3600));
        assert_eq!(
            [read(&kept, "a", 1), read(&kept, "a", 2), read(&kept, "b", 3), read(&kept, "a", 4)],
            [1, 1, 3, 4]
        );
        let stale = LastRead::new(Duration::ZERO);
        assert_eq!([read(&stale, "a", 1), read(&stale, "a", 2)], [1, 2]);
        assert_eq!(kept.get("c", || Err("unreadable")), Err("unreadable"));
    }
}
