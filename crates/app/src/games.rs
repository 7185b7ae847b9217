//! Recorded games that a command asks for by files and folders.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Error, Result, anyhow, bail};
use goban::Size;
use records::{GameSample, RecordedGame};
use train::gammas::keep_some;

/// Says on standard error why something cannot be read.
pub(crate) fn complain(why: &str) -> io::Result<()> {
    writeln!(io::stderr(), "tengen: {why}")
}

/// Reads games into a sample: those that are `wanted`. Every file, line and game that cannot be read is told on standard error;
/// their number is returned.
pub(crate) fn read(
    sample: &mut GameSample,
    files: &[PathBuf],
    wanted: impl Fn(&RecordedGame) -> bool,
) -> Result<u64> {
    let mut n_unreadable = 0;
    let tell = |why: &str| {
        n_unreadable += 1;
        complain(why)
    };
    sample.read(files, wanted, tell).context("standard error")?;
    Ok(n_unreadable)
}

/// No game was found, on boards of this size if one is wanted.
pub(crate) fn none_found(size: Option<Size>) -> Error {
    let on = size.map_or(String::new(), |size| format!(" on {size}"));
    anyhow!("no game{on} could be read; expected game lists or SGF files")
}

/// The first `n` games on boards of this size.
pub(crate) fn first(files: &[PathBuf], n: usize, size: Size) -> Result<Vec<RecordedGame>> {
    let mut sample = GameSample::first(n);
    read(&mut sample, files, |game| game.size == size)?;
    let games = sample.into_games();
    if games.is_empty() {
        return Err(none_found(Some(size)));
    }
    Ok(games)
}

/// The first `n` games on boards of this size: those to learn from, and those that are kept to judge by.
pub(crate) fn learned_and_kept(
    files: &[PathBuf],
    n: usize,
    size: Size,
) -> Result<(Vec<RecordedGame>, Vec<RecordedGame>)> {
    let (games, kept) = keep_some(first(files, n, size)?);
    if games.is_empty() {
        bail!("one game on {size}; expected at least 2, one of them to judge by");
    }
    Ok((games, kept))
}
