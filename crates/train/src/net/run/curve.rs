//! The curve of a run: a line of a CSV file for every few steps, and what of it still holds when the run is taken up again.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use super::folder::{FolderError, TrainingFolder};

/// The file.
pub const FILE: &str = "curve.csv";

/// A point of a curve as a line of the file.
pub trait CurveLine: Sized {
    /// The names of the columns, with commas between.
    const COLUMNS: &'static str;

    /// Steps done.
    fn step(&self) -> u64;

    /// The numbers, with commas between.
    fn line(&self) -> String;

    /// Reads a line; `None` if it is none.
    fn parse(line: &str) -> Option<Self>;
}

/// The curve of a run's folder.
#[derive(Debug)]
pub struct Curve<P> {
    path: PathBuf,
    file: File,
    /// All points so far.
    pub points: Vec<P>,
}

impl<P: CurveLine> Curve<P> {
    /// Opens the curve of a run that goes on after `n_steps`: points behind them are dropped.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is no curve.
    pub fn open(folder: &TrainingFolder, n_steps: u64) -> Result<Curve<P>, FolderError> {
        let bytes = folder.read(FILE)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let mut points = Vec::new();
        // The last line may be torn: it is behind the last checkpoint, as are all that follow that step.
        for line in text.lines().skip(1) {
            match P::parse(line) {
                Some(point) if point.step() <= n_steps => points.push(point),
                Some(_) => break,
                None if points.last().is_some_and(|last: &P| last.step() >= n_steps) || n_steps == 0 => {
                    break;
                }
                None => {
                    let n_columns = P::COLUMNS.split(',').count();
                    let why = format!("expected {n_columns} numbers, found `{line:.80}`");
                    return Err(folder.damaged(FILE, why));
                }
            }
        }
        let mut kept = format!("{}\n", P::COLUMNS);
        for line in text.lines().skip(1).take(points.len()) {
            kept += line;
            kept.push('\n');
        }
        folder.replace(FILE, kept.as_bytes())?;
        let path = folder.file(FILE);
        match OpenOptions::new().append(true).open(&path) {
            Ok(file) => Ok(Curve { path, file, points }),
            Err(error) => Err(FolderError::Io { path, error }),
        }
    }

    /// Adds a point.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn push(&mut self, point: P) -> Result<(), FolderError> {
        let line = point.line() + "\n";
        let named = |error| FolderError::Io { path: self.path.clone(), error };
        self.file.write_all(line.as_bytes()).map_err(named)?;
        self.points.push(point);
        Ok(())
    }
}
