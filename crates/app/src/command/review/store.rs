//! The findings so far: a [`Log`] with a line for each finding.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use player::log::{self, Log, LogKind};
use player::review::{Finding, Ledger, ReviewBudget};
use serde::{Deserialize, Serialize};

const KIND: LogKind =
    LogKind { name: "review", entry: "finding of a review", free: &[], elsewhere: "another --out" };

/// All that what is found depends on. The names are those of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ReviewTerms {
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

/// The log of a review that is under way. Nobody else can write to it meanwhile.
pub(super) struct ReviewLog {
    log: Log,
    path: PathBuf,
    pub(super) ledger: Ledger,
}

/// The simulations that a review which was begun with the same time may spend on each position; none if there is none.
pub(super) fn begun_with(path: &Path, time: f64) -> Option<u64> {
    let file = File::open(path).ok()?;
    let mut header = String::new();
    BufReader::new(file).read_line(&mut header).ok()?;
    let terms: ReviewTerms = serde_json::from_str(&header).ok()?;
    (terms.time == Some(time)).then_some(terms.playouts)
}

impl ReviewLog {
    /// Opens or makes the file. What is there already must belong to the same review; and where there is no such file, the
    /// others must not be there either, since they are not ours.
    pub(super) fn open(path: &Path, others: &[&PathBuf], terms: &ReviewTerms) -> Result<Self> {
        if !log::is_begun(path)
            && let Some(foreign) = others.iter().find(|other| other.exists())
        {
            bail!("{}: the file was not written by a review; expected another --out", foreign.display());
        }
        let (log, findings) = Log::open::<Finding>(path, &KIND, terms)?;
        let mut ledger = Ledger::new(ReviewBudget { playouts: terms.playouts }, terms.positions);
        for (idx, finding) in findings.into_iter().enumerate() {
            if !ledger.add(finding) {
                let line = idx + 2;
                bail!(
                    "{}, line {line}: a finding of no position of this game; remove this line",
                    path.display()
                );
            }
        }
        Ok(Self { log, path: path.to_owned(), ledger })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what was found, on the disk before it counts.
    pub(super) fn add(&mut self, found: Vec<Finding>) -> Result<()> {
        for finding in found {
            // Of a stretch of which a part was lost, the rest is known.
            if !self.ledger.knows(&finding) {
                self.log.append(&finding)?;
                self.ledger.add(finding);
            }
        }
        Ok(())
    }
}
