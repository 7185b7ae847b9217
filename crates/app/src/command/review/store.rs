//! What is found already, in a file of one line for each position after a first line that says what it belongs to.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
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
    pub(super) playouts: u64,
    pub(super) seed: u64,
    pub(super) rules: String,
    pub(super) komi: f32,
    /// How many positions there are.
    pub(super) positions: usize,
}

/// What the search found in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    /// Moves before it.
    pub(super) ply: usize,
    /// How often the player to move wins, 0..=1.
    pub(super) win: f32,
    /// The expected score in points, Black's.
    pub(super) score: f32,
    /// How often he wins after the move that the search would play, 0..=1; nothing where that one was played.
    pub(super) after_best: Option<f32>,
    /// The best moves, the one that would be played first.
    pub(super) candidates: Vec<Candidate>,
}

/// A move that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Candidate {
    /// How often its player wins, 0..=1.
    pub(super) win: f32,
    /// Simulations that began with it.
    pub(super) visits: u32,
    /// The expected moves, this one first.
    pub(super) line: Vec<String>,
}

/// The file.
pub(super) struct Store {
    file: File,
    path: PathBuf,
    found: Vec<Option<Found>>,
}

impl Store {
    /// Opens or makes the file. What is there already must belong to the same review; and where there is no such file, the
    /// others must not be there either, since they are not ours.
    pub(super) fn open(path: &Path, others: &[&PathBuf], terms: &Terms) -> Result<Self> {
        let mut found = vec![None; terms.positions];
        let header = format!("{}\n", serde_json::to_string(terms)?);
        let text = match path.exists() {
            true => std::fs::read_to_string(path).with_context(|| cannot("read", path))?,
            false => String::new(),
        };
        // A review that was cut off at once may have left half of its first line, or none of it.
        if !text.ends_with('\n') && header.starts_with(&text) {
            if let Some(foreign) = others.iter().find(|other| other.exists()) {
                bail!("{}: the file was not written by a review; expected another --out", foreign.display());
            }
            let mut file = OpenOptions::new()
                .append(true)
                .create(true)
                .open(path)
                .with_context(|| cannot("write", path))?;
            let rest = &header.as_bytes()[text.len()..];
            file.write_all(rest).with_context(|| cannot("write", path))?;
            return Ok(Self { file, path: path.to_owned(), found });
        }
        let mut lines = text.split_inclusive('\n');
        check(path, lines.next().unwrap_or_default(), terms)?;
        let mut whole = text.split_inclusive('\n').next().map_or(0, str::len);
        for (idx, line) in lines.enumerate() {
            // A review that was cut off may have left half a line.
            let Some(words) = line.strip_suffix('\n') else { break };
            let Ok(one) = serde_json::from_str::<Found>(words) else {
                bail!(
                    "{}, line {}: {words:?} is not what a review found in a position. Remove this line and the same command \
                     searches that position again",
                    path.display(),
                    idx + 2
                );
            };
            whole += line.len();
            if let Some(place) = found.get_mut(one.ply) {
                *place = Some(one);
            }
        }
        let file = OpenOptions::new().append(true).open(path).with_context(|| cannot("write", path))?;
        file.set_len(whole as u64).with_context(|| cannot("write", path))?;
        Ok(Self { file, path: path.to_owned(), found })
    }

    /// The positions that are still to be searched, as numbers of moves before them.
    pub(super) fn missing(&self) -> Vec<usize> {
        (0..self.found.len()).filter(|&ply| self.found[ply].is_none()).collect()
    }

    /// Keeps what was found, on the disk before it counts.
    pub(super) fn add(&mut self, found: Found) -> Result<()> {
        let line = format!("{}\n", serde_json::to_string(&found)?);
        self.file.write_all(line.as_bytes()).with_context(|| cannot("write", &self.path))?;
        let ply = found.ply;
        self.found[ply] = Some(found);
        Ok(())
    }

    /// What is found of all positions that are searched.
    pub(super) fn all(&self) -> Vec<Found> {
        self.found.iter().flatten().cloned().collect()
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
