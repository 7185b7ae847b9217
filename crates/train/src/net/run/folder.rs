//! The folder of a training run: what it was started with, and what it has come to.
//!
//! | file | content |
//! |---|---|
//! | `settings.toml` | everything that decides the result; a run goes on with the same settings only |
//! | `checkpoint` | the trainer at the last checkpoint; replaced as a whole |
//! | `curve.csv` | losses and measures by step |
//! | `latest.net` | the network of the last checkpoint |

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::net::replace_file;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system refuses.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another process is at work there.
    #[error("{}: another run is at work in this folder; wait for it, or end it", .0.display())]
    Busy(PathBuf),
    /// The folder holds something else than a run.
    #[error("{}: the folder is not empty and holds no run; expected a new folder, or one with settings.toml", .0.display())]
    NoRun(PathBuf),
    /// A file of the run cannot be understood.
    #[error("{}: {why}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The run was started with other settings.
    #[error("{}: {differences}; expected the same settings, or another folder", .path.display())]
    OtherSettings {
        /// The settings of the run.
        path: PathBuf,
        /// Each setting that differs, with both values.
        differences: String,
    },
}

/// The folder of a run, which no other process uses meanwhile.
#[derive(Debug)]
pub struct TrainingFolder {
    path: PathBuf,
    /// Locked as long as the folder is open.
    _settings: File,
}

impl TrainingFolder {
    /// Makes a folder for a new run, or opens that of a run with the same settings. Settings whose names are in `told` are written down but
    /// may be others the next time.
    ///
    /// # Errors
    /// When the folder is another's, or the run was started with other settings: which.
    pub fn open(path: &Path, settings: &Table, told: &[&str]) -> Result<TrainingFolder, FolderError> {
        let io = |error| FolderError::Io { path: path.to_path_buf(), error };
        fs::create_dir_all(path).map_err(io)?;
        let file_path = path.join("settings.toml");
        let in_file = |error| FolderError::Io { path: file_path.clone(), error };
        if !file_path.exists() && fs::read_dir(path).map_err(io)?.next().is_some() {
            return Err(FolderError::NoRun(path.to_path_buf()));
        }
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&file_path)
            .map_err(in_file)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(FolderError::Busy(path.to_path_buf())),
            Err(fs::TryLockError::Error(error)) => return Err(in_file(error)),
        }
        let text = fs::read_to_string(&file_path).map_err(in_file)?;
        if text.is_empty() {
            file.write_all(settings.to_string().as_bytes())
                .and_then(|()| file.sync_all())
                .map_err(in_file)?;
        } else {
            let known: Table = text.parse().map_err(|error: toml::de::Error| FolderError::Damaged {
                path: file_path.clone(),
                why: error.message().to_string(),
            })?;
            let differences = differences(&known, settings, told);
            if !differences.is_empty() {
                return Err(FolderError::OtherSettings {
                    path: file_path,
                    differences: differences.join("; "),
                });
            }
        }
        Ok(TrainingFolder { path: path.to_path_buf(), _settings: file })
    }

    /// A file of the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Puts a file in the place of the one of that name, as a whole: after a crash there is the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.file(name);
        replace_file(&path, |file| file.write_all(bytes)).map_err(|error| FolderError::Io { path, error })
    }

    /// The bytes of a file; `None` if there is none yet.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, FolderError> {
        let path = self.file(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FolderError::Io { path, error }),
        }
    }

    /// An error about a file that cannot be understood.
    pub fn damaged(&self, name: &str, why: impl Into<String>) -> FolderError {
        FolderError::Damaged { path: self.file(name), why: why.into() }
    }
}

/// The settings in which two runs differ, each in words.
fn differences(known: &Table, now: &Table, told: &[&str]) -> Vec<String> {
    let text = |value: Option<&Value>| value.map_or("not set".to_string(), ToString::to_string);
    let mut keys: Vec<&String> =
        known.keys().chain(now.keys().filter(|key| !known.contains_key(*key))).collect();
    keys.retain(|key| !told.contains(&key.as_str()) && known.get(*key) != now.get(*key));
    keys.iter()
        .map(|key| format!("{key} is {} there and {} now", text(known.get(*key)), text(now.get(*key))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    #[test]
    fn a_run_goes_on_with_the_same_settings_only() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let first = table("batch = 64\nrate = 0.001\nnet = \"b6c64\"\nrows = \"a\"");
        let folder = TrainingFolder::open(&path, &first, &["rows"]).unwrap();
        let busy = TrainingFolder::open(&path, &first, &["rows"]).unwrap_err().to_string();
        assert!(busy.contains("another run is at work"), "{busy}");
        drop(folder);
        let moved = table("batch = 64\nrate = 0.001\nnet = \"b6c64\"\nrows = \"b\"");
        drop(TrainingFolder::open(&path, &moved, &["rows"]).unwrap());
        let other = table("batch = 32\nnet = \"b6c96\"\nrows = \"a\"\nclip = 1.0\nrate = 0.001");
        let error = TrainingFolder::open(&path, &other, &["rows"]).unwrap_err().to_string();
        for part in [
            "batch is 64 there and 32 now",
            "net is \"b6c64\" there and \"b6c96\" now",
            "clip is not set there and 1.0 now",
            "settings.toml: ",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
        assert!(!error.contains("rate") && !error.contains("rows"), "{error}");
    }

    #[test]
    fn a_folder_with_other_things_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("thesis.tex"), "precious").unwrap();
        let error = TrainingFolder::open(dir.path(), &table("batch = 64"), &[]).unwrap_err().to_string();
        assert!(error.contains("is not empty and holds no run"), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn files_are_replaced_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let folder = TrainingFolder::open(&dir.path().join("run"), &table("batch = 64"), &[]).unwrap();
        assert!(folder.read("checkpoint").unwrap().is_none());
        for bytes in [&b"one"[..], b"two, longer"] {
            folder.replace("checkpoint", bytes).unwrap();
            assert_eq!(folder.read("checkpoint").unwrap().unwrap(), bytes);
        }
        assert!(!folder.file("checkpoint.new").exists());
    }
}
