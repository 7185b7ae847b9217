//! The writer of files of rows.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{CHUNK_ROWS, RowsError, RowsFile, RowsOrigin, chunk, header, pack};
use crate::net::Row;

/// A file of rows that grows at its end, chunk by chunk.
#[derive(Debug)]
pub struct RowsWriter {
    path: PathBuf,
    file: File,
    /// The rows of the next chunk, packed.
    packed: Vec<u8>,
    n_waiting: usize,
    n_rows: u64,
}

impl RowsWriter {
    /// Begins a new file.
    ///
    /// # Errors
    /// When there is a file already, or none can be made.
    pub fn create(path: &Path, origin: &RowsOrigin) -> Result<RowsWriter, RowsError> {
        let mut file = File::create_new(path).map_err(RowsError::io(path))?;
        file.write_all(header::to_text(origin).as_bytes()).map_err(RowsError::io(path))?;
        Ok(RowsWriter::with(path, file, 0))
    }

    /// Goes on at the end of a file of rows of the same game; a torn tail is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged, or holds rows of another game.
    pub fn append(path: &Path, game: &str) -> Result<RowsWriter, RowsError> {
        let known = RowsFile::open(path)?;
        if known.origin().game != game {
            let why = format!("{}: the rows are of {}, not of {game}", path.display(), known.origin().game);
            return Err(RowsError::Unfit(why));
        }
        let file = OpenOptions::new().append(true).open(path).map_err(RowsError::io(path))?;
        if known.torn_bytes() > 0 {
            file.set_len(known.end()).map_err(RowsError::io(path))?;
        }
        Ok(RowsWriter::with(path, file, known.n_rows()))
    }

    fn with(path: &Path, file: File, n_rows: u64) -> RowsWriter {
        RowsWriter { path: path.to_path_buf(), file, packed: Vec::new(), n_waiting: 0, n_rows }
    }

    /// Rows of the file, those that wait for their chunk to be full included.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Adds a row; a full chunk is written.
    ///
    /// # Errors
    /// When the row is none that can be kept, or the file cannot be written.
    pub fn push(&mut self, row: &Row) -> Result<(), RowsError> {
        if let Err(why) = row.check() {
            return Err(RowsError::Unfit(format!("{}: a row with {why}", self.path.display())));
        }
        if row.advantage.is_some() {
            // It belongs to the network that made the moves, and means nothing to another.
            let why = "a row with an advantage, which is learned from at once";
            return Err(RowsError::Unfit(format!("{}: {why}", self.path.display())));
        }
        pack::pack(row, &mut self.packed);
        self.n_waiting += 1;
        self.n_rows += 1;
        if self.n_waiting == CHUNK_ROWS { self.write_chunk() } else { Ok(()) }
    }

    fn write_chunk(&mut self) -> Result<(), RowsError> {
        if self.n_waiting > 0 {
            let bytes = chunk::to_bytes(self.n_waiting, &self.packed).map_err(RowsError::io(&self.path))?;
            self.file.write_all(&bytes).map_err(RowsError::io(&self.path))?;
            self.packed.clear();
            self.n_waiting = 0;
        }
        Ok(())
    }

    /// Writes the rows that wait, and returns when all are on the disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<(), RowsError> {
        self.write_chunk()?;
        self.file.sync_all().map_err(RowsError::io(&self.path))
    }
}
