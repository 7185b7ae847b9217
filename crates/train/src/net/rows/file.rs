//! A file of rows, read chunk by chunk.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use model::net::file::checksum::Fnv1a;

use super::RowsError;
use super::chunk::{self, ChunkHead, HEAD_BYTES};
use super::header::{self, BadHeader, RowsOrigin};
use crate::net::Row;

/// A file of rows, open for reading; where its chunks are is known.
#[derive(Debug)]
pub struct RowsFile {
    path: PathBuf,
    file: File,
    origin: RowsOrigin,
    chunks: Vec<PlacedChunk>,
    /// Where the last whole chunk ends.
    end: u64,
    /// Bytes behind it.
    n_torn: u64,
}

/// A chunk and where its head begins.
#[derive(Debug, Clone, Copy)]
struct PlacedChunk {
    head: ChunkHead,
    offset: u64,
}

impl RowsFile {
    /// Opens a file and finds its chunks; rows are not read yet.
    ///
    /// # Errors
    /// When it cannot be read, is not a file of rows, or header or heads are damaged.
    pub fn open(path: &Path) -> Result<RowsFile, RowsError> {
        let io = || RowsError::io(path);
        let mut file = File::open(path).map_err(io())?;
        let length = file.metadata().map_err(io())?.len();
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(header::LONGEST as u64).read_to_end(&mut start).map_err(io())?;
        let (origin, begin) = header::parse(&start).map_err(|bad| match bad {
            BadHeader::NotRows => {
                let found = start[..start.len().min(16)].escape_ascii().to_string();
                RowsError::NotRows { path: path.to_path_buf(), found }
            }
            BadHeader::Damaged(why) => RowsError::Header { path: path.to_path_buf(), why },
        })?;
        let mut rows = RowsFile {
            path: path.to_path_buf(),
            file,
            origin,
            chunks: Vec::new(),
            end: begin as u64,
            n_torn: 0,
        };
        rows.find_chunks(length)?;
        Ok(rows)
    }

    /// Walks from head to head up to the end of the file or a torn tail.
    fn find_chunks(&mut self, length: u64) -> Result<(), RowsError> {
        while self.end + HEAD_BYTES as u64 <= length {
            let mut bytes = [0; HEAD_BYTES];
            self.file.seek(SeekFrom::Start(self.end)).map_err(RowsError::io(&self.path))?;
            self.file.read_exact(&mut bytes).map_err(RowsError::io(&self.path))?;
            let head =
                ChunkHead::parse(&bytes).map_err(|why| self.damage(self.chunks.len(), self.end, why))?;
            let end = self.end + (HEAD_BYTES + head.n_deflated) as u64;
            if end > length {
                break;
            }
            self.chunks.push(PlacedChunk { head, offset: self.end });
            self.end = end;
        }
        self.n_torn = length - self.end;
        Ok(())
    }

    fn damage(&self, idx: usize, offset: u64, why: String) -> RowsError {
        RowsError::Chunk { path: self.path.clone(), number: idx + 1, offset, why }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the rows come from.
    pub fn origin(&self) -> &RowsOrigin {
        &self.origin
    }

    /// The number of whole chunks.
    pub fn n_chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The number of rows in a chunk, by index.
    pub fn chunk_rows(&self, idx: usize) -> usize {
        self.chunks[idx].head.n_rows
    }

    /// The number of rows in whole chunks.
    pub fn n_rows(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.head.n_rows as u64).sum()
    }

    /// Where the last whole chunk ends, in bytes.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Bytes of a torn tail behind the last whole chunk; 0 of a sound file.
    pub fn torn_bytes(&self) -> u64 {
        self.n_torn
    }

    /// What tells these rows from others: a checksum of the checksums of all chunks.
    pub fn fingerprint(&self) -> u64 {
        let mut sum = Fnv1a::default();
        self.chunks.iter().for_each(|chunk| sum.add(&chunk.head.sum.to_le_bytes()));
        sum.value()
    }

    /// Appends the rows of a chunk.
    ///
    /// # Errors
    /// When it cannot be read, or is damaged.
    pub fn read_chunk(&mut self, idx: usize, out: &mut Vec<Row>) -> Result<(), RowsError> {
        let PlacedChunk { head, offset } = self.chunks[idx];
        let mut deflated = vec![0; head.n_deflated];
        self.file.seek(SeekFrom::Start(offset + HEAD_BYTES as u64)).map_err(RowsError::io(&self.path))?;
        self.file.read_exact(&mut deflated).map_err(RowsError::io(&self.path))?;
        chunk::rows(&head, &deflated, out).map_err(|why| self.damage(idx, offset, why))
    }

    /// The first rows of the file in their order, at most `most`.
    ///
    /// # Errors
    /// When they cannot be read, or are damaged.
    pub fn first_rows(&mut self, most: usize) -> Result<Vec<Row>, RowsError> {
        let mut rows = Vec::new();
        for idx in 0..self.n_chunks() {
            if rows.len() >= most {
                break;
            }
            self.read_chunk(idx, &mut rows)?;
        }
        rows.truncate(most);
        Ok(rows)
    }
}
