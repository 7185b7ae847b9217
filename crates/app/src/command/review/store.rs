//! What is found already: a [`Log`] with a line for each position.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use player::log::{self, Log, LogKind};
use serde::{Deserialize, Serialize};

const KIND: LogKind = LogKind { name: "review", entry: "reviewed position", free: &[] };

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

/// The log of a review that is under way. Nobody else can write to it meanwhile.
pub(super) struct Store {
    log: Log,
    found: Vec<Option<Found>>,
}

impl Store {
    /// Opens or makes the file. What is there already must belong to the same review; and where there is no such file, the
    /// others must not be there either, since they are not ours.
    pub(super) fn open(path: &Path, others: &[&PathBuf], terms: &Terms) -> Result<Self> {
        if !log::is_begun(path)
            && let Some(foreign) = others.iter().find(|other| other.exists())
        {
            bail!("{}: the file was not written by a review; expected another --out", foreign.display());
        }
        let (log, entries) = Log::open::<Found>(path, &KIND, terms)?;
        let mut found = vec![None; terms.positions];
        for one in entries {
            if let Some(place) = found.get_mut(one.ply) {
                *place = Some(one);
            }
        }
        Ok(Self { log, found })
    }

    /// The positions that are still to be searched, as numbers of moves before them.
    pub(super) fn missing(&self) -> Vec<usize> {
        (0..self.found.len()).filter(|&ply| self.found[ply].is_none()).collect()
    }

    /// Keeps what was found, on the disk before it counts.
    pub(super) fn add(&mut self, found: Found) -> Result<()> {
        self.log.append(&found)?;
        let ply = found.ply;
        self.found[ply] = Some(found);
        Ok(())
    }

    /// What is found of all positions that are searched.
    pub(super) fn all(&self) -> Vec<Found> {
        self.found.iter().flatten().cloned().collect()
    }
}
