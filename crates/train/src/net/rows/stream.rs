//! Rows of several files in a random order, without end, that can be taken up at any place.
//!
//! An epoch goes through all rows once. Its chunks are put in a random order and cut into *windows* of about as many rows as may be in memory;
//! the rows of a window are shuffled and drawn until none is left. All of this follows from the seed, the epoch
//! and the window, so that a place in the stream is one number: how many rows were drawn.

use std::path::PathBuf;

use goban::{Rng, Size};
use model::net::file::checksum::Fnv1a;

use super::{RowsError, RowsFile};
use crate::net::Row;

/// Rows in memory if nobody says: about 50 MB of 9×9.
pub const WINDOW_ROWS: usize = 1 << 16;

/// A stream of rows.
#[derive(Debug)]
pub struct RowStream {
    files: Vec<RowsFile>,
    seed: u64,
    window_rows: usize,
    n_rows: u64,
    epoch: u64,
    /// The windows of the epoch: chunks as (file, chunk).
    windows: Vec<Vec<(usize, usize)>>,
    /// The window that is read next.
    next_window: usize,
    /// Rows of the window that were not drawn yet; the last is drawn next.
    waiting: Vec<Row>,
    n_drawn: u64,
}

impl RowStream {
    /// Opens files of rows of one game, and begins with the first row of the first epoch. `window_rows` may be in memory, and as many more as
    /// a chunk has.
    ///
    /// # Errors
    /// When a file cannot be read, the files are of several games, or there is no row.
    pub fn open(paths: &[PathBuf], seed: u64, window_rows: usize) -> Result<RowStream, RowsError> {
        let files = paths.iter().map(|path| RowsFile::open(path)).collect::<Result<Vec<_>, _>>()?;
        if let [first, others @ ..] = &files[..]
            && let Some(other) = others.iter().find(|file| file.origin().game != first.origin().game)
        {
            return Err(RowsError::Unfit(format!(
                "{}: the rows are of {}, those of {} of {}; expected one game",
                other.path().display(),
                other.origin().game,
                first.path().display(),
                first.origin().game
            )));
        }
        let n_rows = files.iter().map(RowsFile::n_rows).sum();
        if n_rows == 0 {
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            return Err(RowsError::Unfit(format!("{}: there is no row", names.join(", "))));
        }
        let mut stream = RowStream {
            files,
            seed,
            window_rows: window_rows.max(1),
            n_rows,
            epoch: 0,
            windows: Vec::new(),
            next_window: 0,
            waiting: Vec::new(),
            n_drawn: 0,
        };
        stream.begin_epoch(0);
        Ok(stream)
    }

    /// The files.
    pub fn files(&self) -> &[RowsFile] {
        &self.files
    }

    /// Rows of an epoch.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Rows drawn since the beginning: the place in the stream.
    pub fn n_drawn(&self) -> u64 {
        self.n_drawn
    }

    /// What tells these rows, in this order of files, from others.
    pub fn fingerprint(&self) -> u64 {
        let mut sum = Fnv1a::default();
        self.files.iter().for_each(|file| sum.add(&file.fingerprint().to_le_bytes()));
        sum.value()
    }

    /// The boards of the first rows of each file, the smallest first.
    ///
    /// # Errors
    /// When a chunk cannot be read, or is damaged.
    pub fn boards(&mut self) -> Result<Vec<Size>, RowsError> {
        let mut boards = Vec::new();
        for file in &mut self.files {
            for row in file.first_rows(super::CHUNK_ROWS)? {
                boards.extend(Size::new(row.width.into(), row.height.into()).ok());
            }
        }
        boards.sort_by_key(|size| (size.area(), size.width()));
        boards.dedup();
        Ok(boards)
    }

    /// A generator that follows from the seed and two numbers.
    fn rng(&self, epoch: u64, window: u64) -> Rng {
        let mut sum = Fnv1a::default();
        [self.seed, epoch, window].iter().for_each(|number| sum.add(&number.to_le_bytes()));
        Rng::new(sum.value())
    }

    fn begin_epoch(&mut self, epoch: u64) {
        let mut chunks: Vec<(usize, usize)> = (0..self.files.len())
            .flat_map(|file| (0..self.files[file].n_chunks()).map(move |chunk| (file, chunk)))
            .collect();
        shuffle(&mut chunks, &mut self.rng(epoch, 0));
        self.windows.clear();
        let (mut window, mut n_rows) = (Vec::new(), 0);
        for (file, chunk) in chunks {
            n_rows += self.files[file].chunk_rows(chunk);
            window.push((file, chunk));
            if n_rows >= self.window_rows {
                self.windows.push(std::mem::take(&mut window));
                n_rows = 0;
            }
        }
        if !window.is_empty() {
            self.windows.push(window);
        }
        (self.epoch, self.next_window) = (epoch, 0);
        self.waiting.clear();
    }

    /// Reads the next window.
    fn read_window(&mut self) -> Result<(), RowsError> {
        if self.next_window == self.windows.len() {
            self.begin_epoch(self.epoch + 1);
        }
        for &(file, chunk) in &self.windows[self.next_window] {
            self.files[file].read_chunk(chunk, &mut self.waiting)?;
        }
        self.next_window += 1;
        let mut rng = self.rng(self.epoch, self.next_window as u64);
        shuffle(&mut self.waiting, &mut rng);
        Ok(())
    }

    /// Draws the next rows.
    ///
    /// # Errors
    /// When a chunk cannot be read, or is damaged.
    pub fn draw(&mut self, n: usize, out: &mut Vec<Row>) -> Result<(), RowsError> {
        out.clear();
        while out.len() < n {
            match self.waiting.pop() {
                Some(row) => out.push(row),
                None => self.read_window()?,
            }
        }
        self.n_drawn += n as u64;
        Ok(())
    }

    /// Goes to a place in the stream, forwards or back: `n_drawn` rows behind the beginning.
    ///
    /// # Errors
    /// When a chunk cannot be read, or is damaged.
    pub fn seek(&mut self, n_drawn: u64) -> Result<(), RowsError> {
        self.begin_epoch(n_drawn / self.n_rows);
        let mut n_left = n_drawn % self.n_rows;
        let n_of = |window: &[(usize, usize)], files: &[RowsFile]| -> u64 {
            window.iter().map(|&(file, chunk)| files[file].chunk_rows(chunk) as u64).sum()
        };
        while let Some(n) = self.windows.get(self.next_window).map(|window| n_of(window, &self.files))
            && n <= n_left
        {
            n_left -= n;
            self.next_window += 1;
        }
        if n_left > 0 {
            self.read_window()?;
            let n_kept = self.waiting.len() - n_left as usize;
            self.waiting.truncate(n_kept);
        }
        self.n_drawn = n_drawn;
        Ok(())
    }
}

/// Puts things in a random order. [Fisher & Yates 1938, Durstenfeld 1964]
fn shuffle<T>(things: &mut [T], rng: &mut Rng) {
    for end in (1..things.len()).rev() {
        let other = rng.below(end as u32 + 1) as usize;
        things.swap(end, other);
    }
}
