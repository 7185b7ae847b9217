//! What is found already, in a file of one line for each finding after a first line that says what it belongs to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use player::review::{Budget, Finding, Ledger};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All that what is found depends on. The names are those of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Terms {
    /// The form of the file.
    #[serde(rename = "tengen-review")]
    pub(super) version: u32,
    /// The record's fingerprint.
    pub(super) record: String,
    pub(super) recipe: String,
    /// Name and hash of the network that the recipe asks, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) net: Option<String>,
    /// Simulations for each position; where a time was given, as many as it allowed when the review began.
    pub(super) playouts: u64,
    /// Seconds for the game, if they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<f64>,
    pub(super) seed: u64,
    pub(super) rules: String,
    pub(super) komi: f32,
    /// How many positions there are.
    pub(super) positions: usize,
}

/// The file.
pub(super) struct Store {
    file: File,
    path: PathBuf,
    pub(super) ledger: Ledger,
}

/// The simulations that a review which was begun with the same time may spend on each position; none if there is none.
pub(super) fn begun_with(path: &Path, time: f64) -> Option<u64> {
    let file = File::open(path).ok()?;
    let mut header = String::new();
    BufReader::new(file).read_line(&mut header).ok()?;
    let terms: Terms = serde_json::from_str(&header).ok()?;
    (terms.time == Some(time)).then_some(terms.playouts)
}

impl Store {
    /// Opens or makes the file. What is there already must belong to the same review; and where there is no such file, the
    /// others must not be there either, since they are not ours.
    pub(super) fn open(path: &Path, others: &[&PathBuf], terms: &Terms) -> Result<Self> {
        let mut ledger = Ledger::new(Budget { playouts: terms.playouts }, terms.positions);
        let header = format!("{}\n", serde_json::to_string(terms)?);
        let foreign = others.iter().find(|other| other.exists());
        let refuse = |foreign: &PathBuf| {
            anyhow!("{}: the file was not written by a review; expected another --out", foreign.display())
        };
        if let (false, Some(foreign)) = (path.exists(), foreign) {
            return Err(refuse(foreign));
        }
        let open = OpenOptions::new().append(true).create(true).open(path);
        let mut file = open.with_context(|| cannot("write", path))?;
        lock(&file, path)?;
        let text = std::fs::read_to_string(path).with_context(|| cannot("read", path))?;
        // A review that was cut off at once may have left half of its first line, or none of it.
        if !text.ends_with('\n') && header.starts_with(&text) {
            if let Some(foreign) = foreign {
                return Err(refuse(foreign));
            }
            let rest = &header.as_bytes()[text.len()..];
            file.write_all(rest).with_context(|| cannot("write", path))?;
            return Ok(Self { file, path: path.to_owned(), ledger });
        }
        let mut lines = text.split_inclusive('\n');
        check(path, lines.next().unwrap_or_default(), terms)?;
        let mut whole = text.split_inclusive('\n').next().map_or(0, str::len);
        for (idx, line) in lines.enumerate() {
            // A review that was cut off may have left half a line.
            let Some(words) = line.strip_suffix('\n') else { break };
            let is_ours = serde_json::from_str::<Finding>(words).is_ok_and(|one| ledger.add(one));
            if !is_ours {
                bail!(
                    "{}, line {}: {words:?} is not what a review found in a position. Remove this line and the same command \
                     searches that position again",
                    path.display(),
                    idx + 2
                );
            }
            whole += line.len();
        }
        file.set_len(whole as u64).with_context(|| cannot("write", path))?;
        Ok(Self { file, path: path.to_owned(), ledger })
    }

    /// Keeps what was found, on the disk before it counts.
    pub(super) fn add(&mut self, mut found: Vec<Finding>) -> Result<()> {
        // Of a stretch of which a part was lost, the rest is known.
        found.retain(|finding| !self.ledger.knows(finding));
        let mut text = String::new();
        for finding in &found {
            text += &serde_json::to_string(finding)?;
            text.push('\n');
        }
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .with_context(|| cannot("write", &self.path))?;
        for finding in found {
            self.ledger.add(finding);
        }
        Ok(())
    }
}

/// Takes the file for this process alone: two reviews at once would write everything twice.
fn lock(file: &File, path: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            bail!(
                "{}: another review is writing it; wait for that one, or give another --out",
                path.display()
            )
        }
        // Not every file system can lock, which is no reason not to review.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn cannot(what: &str, path: &Path) -> String {
    format!("cannot {what} {}", path.display())
}

/// Refuses a file that belongs to something else, and says to what.
fn check(path: &Path, line: &str, terms: &Terms) -> Result<()> {
    let Ok(theirs) = serde_json::from_str::<Terms>(line) else {
        bail!("{}: the file was not written by a review; expected another --out", path.display());
    };
    if theirs == *terms {
        return Ok(());
    }
    let [theirs, ours] = [serde_json::to_value(&theirs)?, serde_json::to_value(terms)?];
    let differences: Vec<String> = ours
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, value)| theirs.get(key) != Some(value))
        .map(|(key, value)| {
            format!("{key} {} there, {} here", theirs.get(key).unwrap_or(&Value::Null), value)
        })
        .collect();
    bail!(
        "{}: it holds another review ({}); expected the same settings, another --out, or the file gone",
        path.display(),
        differences.join(", ")
    )
}
