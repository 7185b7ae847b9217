//! The folder of networks: which are there, and which one a name means.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use recipe::error::Suggestion;

use super::{NetFile, NetLoadError, SUFFIXES, built_in, load, stem};
use model::net::inside;

/// Where networks of KataGo's are published.
pub const SOURCE: &str = "katagotraining.org";

/// A folder of networks, each known by the name of its file without the suffix. A network is read once, however often it is
/// asked for.
#[derive(Debug, Default)]
pub struct NetFolder {
    path: Option<PathBuf>,
    loaded: Mutex<Vec<NetFile>>,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetEntry {
    /// The name by which [`NetFolder::find`] finds it.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

impl NetFolder {
    /// The folder at a path, which need not exist; without a path networks are found by their files alone.
    pub fn new(path: Option<PathBuf>) -> Self {
        Self { path, loaded: Mutex::default() }
    }

    /// Where the folder is.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The network files of the folder by name; none if there is no such folder. Of files that differ in their suffix alone
    /// those that a bare name does not mean are named in full.
    ///
    /// # Errors
    /// When the folder is there but cannot be read.
    pub fn entries(&self) -> io::Result<Vec<NetEntry>> {
        let Some(folder) = &self.path else { return Ok(Vec::new()) };
        let files = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            files => files?,
        };
        let mut found = Vec::new();
        for file in files {
            let path = file?.path();
            let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(stem) = stem(&file_name).filter(|_| path.is_file()) {
                let is_meant =
                    stem != inside::NAME && self.in_folder(stem).is_some_and(|meant| meant == path);
                found.push(NetEntry { name: if is_meant { stem.to_string() } else { file_name }, path });
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// The file that a text means: the path of a file, or the name of a network of the folder, with or without its suffix.
    ///
    /// # Errors
    /// When it is neither: the folder, the networks there and the nearest name.
    pub fn find(&self, text: &str) -> Result<PathBuf, NetLoadError> {
        let path = Path::new(text);
        if text.contains(std::path::is_separator) || stem(text).is_some() && path.is_file() {
            return Ok(path.to_path_buf());
        }
        match self.in_folder(text) {
            Some(path) => Ok(path),
            None if path.is_file() => Ok(path.to_path_buf()),
            None => {
                let known = self.entries().unwrap_or_default().into_iter().map(|entry| entry.name).collect();
                Err(NetLoadError::Unknown { name: text.to_string(), folder: self.path.clone(), known })
            }
        }
    }

    /// The file of a name without separators in the folder.
    fn in_folder(&self, name: &str) -> Option<PathBuf> {
        let folder = self.path.as_ref()?;
        let in_full = stem(name).map(|_| name.to_string());
        let names = in_full.into_iter().chain(SUFFIXES.iter().map(|suffix| format!("{name}{suffix}")));
        names.map(|name| folder.join(name)).find(|path| path.is_file())
    }

    /// Loads the network that a text means, which must play `game`; see [`Self::find`].
    ///
    /// # Errors
    /// When there is no such network, it cannot be read, or it plays another game.
    pub fn load_for(&self, text: &str, game: &str) -> Result<NetFile, NetLoadError> {
        self.load(text)?.for_game(game)
    }

    /// Loads the network that a text means, of whatever game: the one inside the program by its name, or a file; see [`Self::find`].
    ///
    /// # Errors
    /// When there is no such network, or it cannot be read.
    pub fn load(&self, text: &str) -> Result<NetFile, NetLoadError> {
        if text == inside::NAME {
            return Ok(built_in());
        }
        let path = self.find(text)?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.iter().find(|known| known.path == path) {
            return Ok(known.clone());
        }
        let file = load(&path)?;
        loaded.push(file.clone());
        Ok(file)
    }
}

/// The message for a name that means no network.
pub(super) fn describe_unknown(name: &str, folder: Option<&Path>, known: &[String]) -> String {
    let built_in = inside::NAME;
    let Some(folder) = folder else {
        return format!(
            "there is no file \"{name}\", and no folder of networks to look for it; expected the path of a file, or {built_in} for the network inside the program"
        );
    };
    let start = format!("\"{name}\" is neither a file nor a network in {}", folder.display());
    if known.is_empty() {
        return format!(
            "{start}, where no networks are; {built_in} is inside the program, those of KataGo are at {SOURCE}"
        );
    }
    let nearest = Suggestion::new(name, known.iter().map(String::as_str).chain([built_in])).nearest;
    let nearest = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
    format!("{start}; the networks there: {}; {built_in} is inside the program{nearest}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::net::sample::{self, Form};

    /// A folder of files for one test, removed at its end.
    struct FolderFiles(PathBuf);

    impl FolderFiles {
        fn new(name: &str, files: &[&str]) -> Self {
            let path = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            let bytes = sample::write(&sample::conv_graph(8, 4, 1), Form::Binary);
            files.iter().for_each(|file| std::fs::write(path.join(file), &bytes).unwrap());
            FolderFiles(path)
        }
    }

    impl Drop for FolderFiles {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn names_and_paths_mean_files() {
        let files = FolderFiles::new("find", &["small.bin", "small.txt", "large.v2.bin", "notes.md"]);
        let folder = NetFolder::new(Some(files.0.clone()));
        let names: Vec<String> = folder.entries().unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["large.v2", "small", "small.txt"]);
        for (text, file) in [("small", "small.bin"), ("small.txt", "small.txt"), ("large.v2", "large.v2.bin")]
        {
            assert_eq!(folder.find(text).unwrap(), files.0.join(file), "{text}");
        }
        let full = files.0.join("notes.md");
        assert_eq!(folder.find(full.to_str().unwrap()).unwrap(), full);
        let again = [folder.load("small").unwrap(), folder.load("small.bin").unwrap()];
        assert!(std::sync::Arc::ptr_eq(&again[0].net, &again[1].net), "read once");
    }

    #[test]
    fn an_unknown_name_is_told_the_folder_and_the_nearest() {
        let files = FolderFiles::new("unknown", &["g170-b6c96.bin", "kata1-b18.bin"]);
        let why = |folder: &NetFolder, text: &str| folder.find(text).unwrap_err().to_string();
        let folder = NetFolder::new(Some(files.0.clone()));
        let error = why(&folder, "g170-b6c69");
        assert!(error.contains(&files.0.display().to_string()), "{error}");
        assert!(
            error.contains(": g170-b6c96, kata1-b18; ") && error.ends_with("did you mean g170-b6c96?"),
            "{error}"
        );
        assert!(!why(&folder, "zzz").contains("did you mean"));
        assert!(why(&folder, "tengne").ends_with("did you mean tengen?"));
        let empty = NetFolder::new(Some(files.0.join("none")));
        assert!(empty.entries().unwrap().is_empty());
        for (folder, text) in [(&empty, "a.bin"), (&NetFolder::default(), "a")] {
            assert!(why(folder, text).contains("tengen"), "{}", why(folder, text));
        }
        let error = folder.load("no/such.bin").unwrap_err().to_string();
        assert!(error.starts_with("no/such.bin: ") && error.ends_with("NAME.net"), "{error}");
        std::fs::write(files.0.join("bad.bin"), "hello world").unwrap();
        let error = folder.load("bad").unwrap_err().to_string();
        assert!(error.contains("bad.bin: ") && error.contains("header"), "{error}");
    }

    #[test]
    fn the_network_inside_the_program_goes_before_files_of_its_name() {
        let files = FolderFiles::new("inside", &["tengen.bin"]);
        let folder = NetFolder::new(Some(files.0.clone()));
        let net = folder.load("tengen").unwrap();
        assert!(net.is_built_in() && net.game() == "go" && net.name() == "tengen", "{net:?}");
        let names: Vec<String> = folder.entries().unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["tengen.bin"]);
        assert!(!folder.load("tengen.bin").unwrap().is_built_in());
    }
}
