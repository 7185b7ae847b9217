//! Rows on disk: files that grow at their end, notice every damage, and are read in a random order with bounded memory.
//!
//! A file begins with a [`header`]: lines of text that tell the game and where the rows come from. Chunks follow, one
//! directly behind the other, until the file ends. A [chunk] has a head of 32 bytes and up to [`CHUNK_ROWS`] [packed](pack) rows, deflated.
//! Head and rows have a checksum each. A chunk that the file ends in the middle of is a *torn tail*, such as an interrupted
//! writer leaves: readers tell of it and stop before it, and who appends cuts it off. Anything else that is wrong is refused
//! with file, chunk and reason.
//!
//! In reading order: this file (errors) · [`header`] · [`pack`] a row as bytes · [`chunk`] · [`write`](mod@write) · [`file`](mod@file) a file's chunks,
//! read by number · [`stream`] rows of several files in a random order that can be taken up anywhere.

pub mod chunk;
pub mod file;
pub mod header;
pub mod pack;
pub mod stream;
#[cfg(test)]
mod tests;
pub mod write;

use std::io;
use std::path::{Path, PathBuf};

pub use file::RowsFile;
pub use header::RowsOrigin;
pub use stream::RowStream;
pub use write::RowsWriter;

/// The most rows of a chunk.
pub const CHUNK_ROWS: usize = 1024;

/// An error in a file of rows.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// The system refuses.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file holds something else.
    #[error("{}: this is not a file of rows; it begins with `{found}`, expected `tengen-rows`", .path.display())]
    NotRows {
        /// The file.
        path: PathBuf,
        /// How it begins.
        found: String,
    },
    /// The header is damaged, or of another format.
    #[error("{}: the header: {why}", .path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is there, and what was expected.
        why: String,
    },
    /// A chunk is damaged.
    #[error("{}: chunk {number} (at byte {offset}): {why}", .path.display())]
    Chunk {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        number: usize,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        why: String,
    },
    /// Rows that do not belong together.
    #[error("{0}")]
    Unfit(String),
}

impl RowsError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> RowsError {
        let path = path.to_path_buf();
        |error| RowsError::Io { path, error }
    }
}
