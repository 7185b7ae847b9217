//! The training that is kept beside the file that it will become, and how games are read for it; for all trainers of moves.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use model::ranking::file::{FNV_START, fnv};
use records::RecordedGame;
use train::ranking::{BadCheckpoint, Checkpoint, RoundScore, Score};

use crate::words::counted;

/// The seed of the kept positions differs from that of the others, and is the same for all trainers.
pub(in crate::command::train) const KEPT_SEED: u64 = 1 << 32;

/// Where the training of a file is kept.
pub(in crate::command::train) fn part_of(out: &Path) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(".part");
    PathBuf::from(name)
}

/// The training that was begun there, if there is one.
pub(in crate::command::train) fn begun<S: RoundScore>(
    part: &Path,
    training: &str,
) -> Result<Option<Checkpoint<S>>> {
    let name = part.display();
    let bytes = match fs::read(part) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::from(error).context(name.to_string())),
    };
    Checkpoint::from_bytes(&bytes, training).map(Some).map_err(|error| {
        let advice = match error {
            BadCheckpoint::Other { .. } => "use its options, or remove it to start again",
            _ => "remove it to start again",
        };
        Error::from(error).context(format!("{name} cannot be continued; {advice}"))
    })
}

/// A number that tells these games from others.
pub(in crate::command::train) fn sum_of<'g>(games: impl Iterator<Item = &'g RecordedGame>) -> u64 {
    games.fold(FNV_START, |sum, game| fnv(sum, format!("{:?}", game.steps).as_bytes()))
}

/// A round of a training in words.
pub(in crate::command::train) fn line(idx: usize, score: &Score) -> String {
    let Score { log_loss, top1, top20 } = *score;
    format!(
        "round {:3}: log loss {log_loss:.4} nats, first choice played {:.2} %, among the first twenty {:.2} %",
        idx + 1,
        100.0 * top1,
        100.0 * top20
    )
}

/// The score of a model in words.
pub(in crate::command::train) fn words(score: &Score, n_kept: usize) -> String {
    format!(
        "log loss {:.4} nats, first choice played {:.2} %, in {} kept apart",
        score.log_loss,
        100.0 * score.top1,
        counted(n_kept as u64, "game")
    )
}

/// Writes a file as a whole: who is stopped in the middle leaves the old one.
pub(in crate::command::train) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = OsString::from(path);
    beside.push(".new");
    let write = || {
        let mut file = fs::File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().with_context(|| path.display().to_string())
}
