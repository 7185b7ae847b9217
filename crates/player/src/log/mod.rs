//! An append-only log: a file whose first line is a header with the settings of a run, followed by one line of JSON for each
//! result. `review`, `tune` and `accuracy` keep what they find in such files.
//!
//! - One writer at a time: the file is locked while it is open, and a second writer is refused.
//! - A line is on the disk before [`Log::append`] returns, so a result counts only once it is safe.
//! - A last line without its end was being written when the program was killed. It is no result, and it is cut off.
//! - Any other damage is refused with the number of the line; nothing is thrown away for it.
//! - A header with other settings is refused with the settings that differ, see [`differences`].

pub mod differences;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The words for one kind of log, and which of its settings may change.
#[derive(Clone, Copy, Debug)]
pub struct LogKind {
    /// What one file holds: `review`, `tuning run`.
    pub name: &'static str,
    /// What one line after the header holds: `finished game`.
    pub entry: &'static str,
    /// Settings of the header that are for information only, as [`differences`] names them: a run continues although
    /// they differ.
    pub free: &'static [&'static str],
    /// How the user names another file, as the end of an advice: `another --out`.
    pub elsewhere: &'static str,
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The system refuses.
    #[error("cannot {what} {}: {why}", path.display())]
    File {
        /// `open`, `read`, `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// Another program is writing it.
    #[error("{}: another {kind} is writing this file now; wait until it ends, or use {elsewhere}", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// [`LogKind::name`].
        kind: &'static str,
        /// [`LogKind::elsewhere`].
        elsewhere: &'static str,
    },
    /// A line that no program of ours wrote, or one that was damaged later.
    #[error("{}, line {line}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// From 1; the header is line 1.
        line: usize,
        /// The beginning of the line and what was expected.
        why: String,
    },
    /// The settings are others.
    #[error(
        "{}: the file holds another {kind}: {}; use the same settings to continue it, or {elsewhere} for a new one",
        path.display(),
        differences.join("; ")
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// [`LogKind::name`].
        kind: &'static str,
        /// Each setting that differs, with both values.
        differences: Vec<String>,
        /// [`LogKind::elsewhere`].
        elsewhere: &'static str,
    },
    /// A value that has no JSON, such as a map whose keys are no texts.
    #[error("cannot write a result as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// A log that is open for writing. Nobody else can write to it until it is dropped.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// Bytes up to the end of the last whole line.
    n_bytes: u64,
}

impl Log {
    /// Opens a log to continue it, or begins one with this header; gives the results that it holds, in order.
    /// Until all of them are read and the header agrees, the file is not changed.
    ///
    /// # Errors
    /// A file that cannot be written, is in use, is no such log, has other settings, or is damaged.
    pub fn open<E: DeserializeOwned>(
        path: &Path,
        kind: &LogKind,
        header: &impl Serialize,
    ) -> Result<(Self, Vec<E>), LogError> {
        let failed = |what| move |why| LogError::File { what, path: path.to_owned(), why };
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(failed("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let LogKind { name, elsewhere, .. } = *kind;
                return Err(LogError::InUse { path: path.to_owned(), kind: name, elsewhere });
            }
            Err(TryLockError::Error(why)) => return Err(failed("lock")(why)),
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(failed("read"))?;
        let ours = json_line(header)?;
        let lines = LogBytes { path, kind, bytes: &bytes };
        lines.begins_like(&ours)?;
        let entries = match lines.header::<Map<String, Value>>()? {
            None => Vec::new(),
            Some(theirs) => {
                lines.agree(&theirs, &serde_json::from_str(&ours)?)?;
                lines.entries()?
            }
        };
        let n_bytes = lines.n_whole() as u64;
        if n_bytes < bytes.len() as u64 {
            file.set_len(n_bytes).map_err(failed("write"))?;
        }
        let mut log = Self { path: path.to_owned(), file, n_bytes };
        if n_bytes == 0 {
            log.write(&ours)?;
            sync_folder(path);
        }
        Ok((log, entries))
    }

    /// Adds a result. When this returns it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written. The file then ends with the result before it, as if this one had not been found.
    pub fn append(&mut self, entry: &impl Serialize) -> Result<(), LogError> {
        self.write(&json_line(entry)?)
    }

    fn write(&mut self, line: &str) -> Result<(), LogError> {
        // Half a line of an earlier attempt would make one damaged line of two.
        let write = self
            .file
            .set_len(self.n_bytes)
            .and_then(|()| self.file.seek(SeekFrom::Start(self.n_bytes)))
            .and_then(|_| self.file.write_all(line.as_bytes()))
            .and_then(|()| self.file.sync_data());
        match write {
            Ok(()) => {
                self.n_bytes += line.len() as u64;
                Ok(())
            }
            Err(why) => {
                // What cannot be cut off now is cut off by the next attempt, or by the next run.
                let _ = self.file.set_len(self.n_bytes);
                Err(LogError::File { what: "write", path: self.path.clone(), why })
            }
        }
    }
}

/// Reads a log without locking it: its header and the results that are there at this moment; nothing if it has no whole
/// header.
///
/// # Errors
/// A file that cannot be read, is no such log, or is damaged.
pub fn read<H: DeserializeOwned, E: DeserializeOwned>(
    path: &Path,
    kind: &LogKind,
) -> Result<Option<(H, Vec<E>)>, LogError> {
    let bytes =
        std::fs::read(path).map_err(|why| LogError::File { what: "read", path: path.to_owned(), why })?;
    let lines = LogBytes { path, kind, bytes: &bytes };
    match lines.header()? {
        Some(header) => Ok(Some((header, lines.entries()?))),
        None => Ok(None),
    }
}

/// Whether the file has a whole first line: where it has none, nothing of a log is there yet.
pub fn is_begun(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.contains(&b'\n'))
}

/// The bytes of a log.
struct LogBytes<'a> {
    path: &'a Path,
    kind: &'a LogKind,
    bytes: &'a [u8],
}

impl LogBytes<'_> {
    /// Bytes up to the end of the last whole line.
    fn n_whole(&self) -> usize {
        self.bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
    }

    fn damaged(&self, line: usize, raw: &[u8], why: &str) -> LogError {
        let start: String = String::from_utf8_lossy(raw).trim_end().chars().take(60).collect();
        LogError::Damaged { path: self.path.to_owned(), line, why: format!("{start:?} is {why}") }
    }

    /// Refuses a file without a whole line that does not begin as our header does: it is somebody else's.
    fn begins_like(&self, ours: &str) -> Result<(), LogError> {
        let key = &ours.as_bytes()[..ours.find(':').unwrap_or(ours.len())];
        let n_alike = key.len().min(self.bytes.len());
        match self.n_whole() == 0 && key[..n_alike] != self.bytes[..n_alike] {
            true => Err(self.no_header(self.bytes)),
            false => Ok(()),
        }
    }

    fn no_header(&self, raw: &[u8]) -> LogError {
        self.damaged(
            1,
            raw,
            &format!("not the first line of a {}; the file was written by something else", self.kind.name),
        )
    }

    fn whole(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes[..self.n_whole()].split_inclusive(|&byte| byte == b'\n')
    }

    fn header<H: DeserializeOwned>(&self) -> Result<Option<H>, LogError> {
        self.whole()
            .next()
            .map(|raw| serde_json::from_slice(raw).map_err(|_| self.no_header(raw)))
            .transpose()
    }

    fn entries<E: DeserializeOwned>(&self) -> Result<Vec<E>, LogError> {
        let parse = |(raw, line): (&[u8], usize)| {
            serde_json::from_slice(raw).map_err(|why| {
                let (name, entry) = (self.kind.name, self.kind.entry);
                let advice = format!("remove the line, and the same {name} does its part again");
                self.damaged(line, raw, &format!("not a {entry} ({why}); {advice}"))
            })
        };
        self.whole().zip(1..).skip(1).map(parse).collect()
    }

    fn agree(&self, theirs: &Map<String, Value>, ours: &Map<String, Value>) -> Result<(), LogError> {
        // Another first key is another kind of file, whatever else it says.
        if theirs.keys().next() != ours.keys().next() {
            return Err(self.no_header(self.whole().next().unwrap_or_default()));
        }
        let LogKind { name: kind, elsewhere, free, .. } = *self.kind;
        let differences = differences::between(theirs, ours, free);
        match differences.is_empty() {
            true => Ok(()),
            false => Err(LogError::Other { path: self.path.to_owned(), kind, differences, elsewhere }),
        }
    }
}

/// A value as a line of its own. It is compact JSON, so no line end stands inside it.
fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// Has the file's name on the disk as well. Where folders cannot be opened (Windows) the system sees to it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
