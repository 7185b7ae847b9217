//! Runs of training that may be ended in any way: a folder with the settings, a checkpoint, a curve and the latest network. What a run
//! learns from is its own business: rows on disk ([`supervised`](super::supervised)), or games that the network plays meanwhile.
//!
//! In reading order: [`folder`] · [`curve`] · this file, a trainer that is kept there and taken up again.

pub mod curve;
pub mod folder;

use model::net::file::own::{self, NetworkOrigin, NumberForm};
use model::net::graph::Graph;

use super::{TrainSettings, Trainer};
use folder::{FolderError, TrainingFolder};

/// The file of the trainer's state.
pub const CHECKPOINT: &str = "checkpoint";
/// The file of the network.
pub const LATEST: &str = "latest.net";

/// Why a trainer cannot be kept or taken up.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The network cannot be trained or kept.
    #[error("{0}")]
    Net(String),
}

/// The trainer of a run as it was last kept, or at the beginning with `new`.
///
/// # Errors
/// When the checkpoint is damaged, or the network cannot be trained.
pub fn take_up(
    folder: &TrainingFolder,
    new: impl FnOnce() -> Graph,
    settings: TrainSettings,
) -> Result<Trainer, KeepError> {
    match folder.read(CHECKPOINT)? {
        None => Trainer::new(new(), settings).map_err(|error| KeepError::Net(error.to_string())),
        Some(bytes) => Trainer::read_checkpoint(&bytes[..], settings)
            .map_err(|error| folder.damaged(CHECKPOINT, error.to_string()).into()),
    }
}

/// Keeps network and trainer. The checkpoint comes last: without it the steps are done again.
///
/// # Errors
/// When the folder cannot be written, or the weights are no numbers.
pub fn keep(
    folder: &TrainingFolder,
    trainer: &Trainer,
    origin: &NetworkOrigin,
    numbers: NumberForm,
) -> Result<(), KeepError> {
    let refused = |error: &dyn std::fmt::Display| KeepError::Net(error.to_string());
    let origin = NetworkOrigin { n_steps: trainer.n_steps(), ..origin.clone() };
    let bytes = own::to_bytes(&trainer.graph(), &origin, numbers).map_err(|error| refused(&error))?;
    folder.replace(LATEST, &bytes)?;
    let mut checkpoint = Vec::new();
    trainer.write_checkpoint(&mut checkpoint).map_err(|error| refused(&error))?;
    Ok(folder.replace(CHECKPOINT, &checkpoint)?)
}
