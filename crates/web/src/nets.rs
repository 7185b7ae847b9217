//! The networks that visitors may choose: the one that the server was started with, the one inside the program, and those of one folder.
//!
//! A visitor's name is compared with the names that the folder has now; it never becomes a path. A network is read once for
//! all sessions, and the number of those in memory is bounded.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use player::nets::{self, NetEntry, NetFile, NetFolder, NetLoadError, NetSummary};

use crate::pool::lock;
use crate::protocol::tell::NetView;
use crate::protocol::{Answer, Kind, Refusal};

/// A state of a file: another size or time is another network.
#[derive(Clone, Debug, PartialEq)]
struct Stamp {
    path: PathBuf,
    n_bytes: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let data = std::fs::metadata(path)?;
        Ok(Self { path: path.to_path_buf(), n_bytes: data.len(), changed: data.modified().ok() })
    }
}

/// A file and the network in it.
struct Seen {
    stamp: Stamp,
    found: Result<String, String>,
}

/// The networks of a server.
pub(crate) struct NetShelf {
    folder: NetFolder,
    /// The one that the server was started with, which is offered first and stays in memory.
    given: Option<NetFile>,
    seen: Mutex<Vec<Seen>>,
    /// Networks in memory, the one that was asked for last at the end.
    loaded: Mutex<Vec<(Stamp, NetFile)>>,
    max: usize,
}

impl NetShelf {
    /// The networks of a folder, of which at most `max` are in memory, and one that is always there.
    pub(crate) fn new(folder: Option<PathBuf>, given: Option<NetFile>, max: usize) -> Self {
        let (seen, loaded) = (Mutex::default(), Mutex::default());
        Self { folder: NetFolder::new(folder), given, seen, loaded, max: max.max(1) }
    }

    /// The name of the one that the server was started with.
    pub(crate) fn given(&self) -> Option<String> {
        self.given.as_ref().map(NetFile::name)
    }

    /// All of them. Files that nobody has looked into so far are read, which takes a while; of those that hold no network
    /// the reason is told.
    pub(crate) fn list(&self) -> Vec<NetView> {
        let always = self.always().map(|file| NetView {
            name: file.name(),
            about: about(&NetSummary::new(file.net.graph())),
            error: None,
        });
        let mut seen = lock(&self.seen);
        let entries = self.others();
        seen.retain(|seen| entries.iter().any(|entry| entry.path == seen.stamp.path));
        let others: Vec<NetView> = entries.into_iter().filter_map(|entry| look(&mut seen, entry)).collect();
        always.chain(others).collect()
    }

    /// The network of a name; loaded if nobody has asked for it lately.
    pub(crate) fn find(&self, name: &str) -> Answer<NetFile> {
        if let Some(file) = self.always().find(|file| file.name() == name) {
            return Ok(file);
        }
        let gone = || {
            let message =
                format!("the network {name:.80} is not in the folder of networks; choose another, or none");
            Refusal::new(Kind::Unknown, message)
        };
        let entry = self.others().into_iter().find(|entry| entry.name == name).ok_or_else(gone)?;
        let stamp = Stamp::of(&entry.path).map_err(|_| gone())?;
        let mut loaded = lock(&self.loaded);
        if let Some(idx) = loaded.iter().position(|(known, _)| *known == stamp) {
            let known = loaded.remove(idx);
            loaded.push(known.clone());
            return Ok(known.1);
        }
        self.make_room(&mut loaded)?;
        let file =
            nets::load(&entry.path).and_then(|file| file.for_game("go")).map_err(|error| match error {
                NetLoadError::Unreadable { error, .. } if error.kind() == io::ErrorKind::NotFound => gone(),
                error => {
                    Refusal::invalid(format!("the network {name:.80} cannot be used: {}", reason(&error)))
                }
            })?;
        loaded.push((stamp, file.clone()));
        Ok(file)
    }

    /// Forgets the network that was not asked for for the longest time, if there are too many; one that is in use stays.
    fn make_room(&self, loaded: &mut Vec<(Stamp, NetFile)>) -> Answer<()> {
        while loaded.len() >= self.max {
            let idle = loaded.iter().position(|(_, file)| Arc::strong_count(&file.net) == 1);
            let Some(idle) = idle else {
                let names: Vec<String> = loaded.iter().map(|(_, file)| file.name()).collect();
                let message = format!(
                    "{} networks are in use, which is all there is room for: {}; choose one of them, or try later",
                    loaded.len(),
                    names.join(", ")
                );
                return Err(Refusal::new(Kind::Busy, message));
            };
            loaded.remove(idle);
        }
        Ok(())
    }

    /// The networks that are in memory however long nobody asks for them: the given one, and the one inside the program.
    fn always(&self) -> impl Iterator<Item = NetFile> {
        let built_in = nets::built_in();
        let is_hidden = self.given().is_some_and(|given| given == built_in.name());
        self.given.clone().into_iter().chain((!is_hidden).then_some(built_in))
    }

    /// The networks of the folder, without those that have the name of one that is always there.
    fn others(&self) -> Vec<NetEntry> {
        // A folder that cannot be read has none; `tengen net list` says why.
        let mut entries = self.folder.entries().unwrap_or_default();
        entries.retain(|entry| self.always().all(|file| file.name() != entry.name));
        entries
    }
}

/// What a file of the folder is; none if it is gone by now.
fn look(seen: &mut Vec<Seen>, entry: NetEntry) -> Option<NetView> {
    let stamp = Stamp::of(&entry.path).ok()?;
    let idx = match seen.iter().position(|seen| seen.stamp == stamp) {
        Some(idx) => idx,
        None => {
            let found = nets::load(&entry.path).and_then(|file| file.for_game("go"));
            let found = found.map(|file| about(&NetSummary::new(file.net.graph())));
            seen.retain(|seen| seen.stamp.path != stamp.path);
            seen.push(Seen { stamp, found: found.map_err(|error| reason(&error)) });
            seen.len() - 1
        }
    };
    let (about, error) = match &seen[idx].found {
        Ok(about) => (about.clone(), None),
        Err(why) => (String::new(), Some(why.clone())),
    };
    Some(NetView { name: entry.name, about, error })
}

/// A network in a few words.
fn about(summary: &NetSummary) -> String {
    format!("{} blocks, {} channels", summary.n_blocks(), summary.n_channels)
}

/// Why a network cannot be loaded. Where files are on this machine is nobody's business.
fn reason(error: &NetLoadError) -> String {
    match error {
        NetLoadError::Refused { error, .. } => error.to_string(),
        NetLoadError::Unreadable { error, .. } => error.to_string(),
        NetLoadError::Unknown { .. } => "there is no such network".to_string(),
        NetLoadError::OtherHash { .. } => "the file has changed".to_string(),
        NetLoadError::OtherGame { found, .. } => format!("it plays {found}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::net::sample::{self, Form};

    /// A folder with the networks a to d and a file that is none.
    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (seed, name) in (1..).zip(["a", "b", "c", "d"]) {
            let bytes = sample::write(&sample::conv_graph(8, 4, seed), Form::Binary);
            std::fs::write(dir.path().join(format!("{name}.bin")), bytes).unwrap();
        }
        std::fs::write(dir.path().join("broken.bin.gz"), "no network at all").unwrap();
        dir
    }

    #[test]
    fn what_is_broken_is_listed_with_its_reason() {
        let dir = folder();
        let nets = NetShelf::new(Some(dir.path().to_path_buf()), None, 2);
        let list = nets.list();
        let names: Vec<&str> = list.iter().map(|net| net.name.as_str()).collect();
        assert_eq!(names, ["tengen", "a", "b", "broken", "c", "d"]);
        assert_eq!((list[1].about.as_str(), &list[1].error), ("3 blocks, 4 channels", &None));
        let why = list[3].error.clone().unwrap();
        assert!(!why.is_empty() && !why.contains(&dir.path().display().to_string()), "{why}");
        let error = nets.find("broken").unwrap_err();
        assert!(error.message.contains(&why) && error.kind == Kind::Invalid, "{error}");
        // A file that is mended or gone is seen as it is now.
        std::fs::copy(dir.path().join("a.bin"), dir.path().join("broken.bin.gz")).unwrap();
        std::fs::remove_file(dir.path().join("b.bin")).unwrap();
        let list = nets.list();
        assert_eq!(list.iter().map(|net| net.error.is_some()).collect::<Vec<_>>(), [false; 5]);
        let gone = nets.find("b").unwrap_err();
        assert!(gone.kind == Kind::Unknown && gone.message.contains("the network b is not"), "{gone}");
    }

    #[test]
    fn names_are_no_paths() {
        let dir = folder();
        let inner = dir.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        let nets = NetShelf::new(Some(inner), None, 2);
        let path = dir.path().join("a.bin").display().to_string();
        for name in ["a", "../a", "../a.bin", path.as_str(), "", ".", "inner/../a.bin"] {
            assert_eq!(nets.find(name).unwrap_err().kind, Kind::Unknown, "{name}");
        }
        assert_eq!(NetShelf::new(None, None, 2).list().len(), 1);
    }

    #[test]
    fn networks_are_shared_and_few() {
        let dir = folder();
        let given = nets::load(&dir.path().join("d.bin")).unwrap();
        let nets = NetShelf::new(Some(dir.path().to_path_buf()), Some(given), 2);
        assert_eq!((nets.given().as_deref(), nets.list()[0].name.as_str()), (Some("d"), "d"));
        let [a, again] = [nets.find("a").unwrap(), nets.find("a").unwrap()];
        assert!(Arc::ptr_eq(&a.net, &again.net));
        // b is not in use and goes; a is, and stays.
        drop(nets.find("b").unwrap());
        let c = nets.find("c").unwrap();
        assert_eq!(lock(&nets.loaded).len(), 2);
        let full = nets.find("b").unwrap_err();
        assert!(full.kind == Kind::Busy && full.message.contains(": a, c;"), "{full}");
        assert!(nets.find("d").is_ok() && Arc::ptr_eq(&nets.find("a").unwrap().net, &a.net));
        drop(c);
        assert!(nets.find("b").is_ok());
    }
}
