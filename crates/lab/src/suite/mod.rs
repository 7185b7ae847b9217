//! Suites: positions with known answers, and what a player makes of them.
//!
//! Three kinds of files are read: drawn boards (`.txt`, as in `boards/solve`), regression tests in the manner of GNU Go
//! (`.tst`: GTP commands, and `#? [answer]` after the numbered ones), and problems as records (`.sgf`). Whatever the
//! file, a [`SuiteCase`] is a position, who is to move, and a [`RightAnswer`]. What cannot be asked of a mere player is listed as
//! not applicable, what cannot be read is an error with its place, and the rest is tried: each case from nothing, with
//! a seed of its own, so that neither the order nor the number of tables matters.
//!
//! Reading order: `answer`, `case`, then the readers `drawn`, `record` (a position of a game), `tst` and `problem`; [`run`] (a
//! player at work), [`tally`] (counts), [`json`] and [`page`] (what is left of it).

mod answer;
mod case;
mod drawn;
pub mod json;
pub mod page;
mod problem;
mod record;
pub mod run;
pub mod tally;
mod tst;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use goban::{Rules, Size};

use crate::error::{Error, Result};
pub use answer::{Marks, RightAnswer};
pub use case::{Remark, SuiteCase, SuiteItem};
pub use record::{Until, position};
pub use run::{AttemptResult, SuiteAttempt, SuiteTask};
pub use tally::SuiteTally;

/// Rules and komi where a file does not name them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Defaults {
    /// The rules.
    pub rules: Rules,
    /// White's points; without a number as GNU Go takes them: 5.5, or 0.5 in a game with handicap.
    pub komi: Option<f32>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { rules: Rules::CHINESE, komi: None }
    }
}

impl Defaults {
    /// White's points in a game with handicap stones.
    fn komi(&self, handicap: u32) -> f32 {
        self.komi.unwrap_or(if handicap == 0 { 5.5 } else { 0.5 })
    }
}

/// How a suite is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// Boards drawn with `X` and `O`.
    Drawn,
    /// GTP commands with answers.
    Regression,
    /// Game trees with a right first move.
    Problems,
}

impl fmt::Display for QuestionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Drawn => "drawn boards",
            Self::Regression => "regression tests",
            Self::Problems => "problems",
        })
    }
}

/// A file of cases.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file.
    pub path: PathBuf,
    /// How it is written.
    pub kind: QuestionKind,
    /// All that is asked in it, in the order of the file.
    pub items: Vec<SuiteItem>,
    /// Commands that were passed over because they say nothing about the position, and how often.
    pub ignored: BTreeMap<String, usize>,
    /// What was odd about the file without keeping anybody from reading it.
    pub remarks: Vec<Remark>,
    /// Cases left out because their board has another size.
    pub n_other_size: usize,
}

impl Suite {
    fn new(path: &Path, kind: QuestionKind) -> Self {
        let (items, ignored, remarks) = Default::default();
        Self { path: path.to_path_buf(), kind, items, ignored, remarks, n_other_size: 0 }
    }

    /// Reads a file, as its name says what it is.
    ///
    /// # Errors
    /// When it cannot be read or a line of it is nonsense. A record that a test needs and that is missing is no error of
    /// the file: the test is listed with it.
    pub fn read(path: &Path, defaults: &Defaults) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let read = match ending.as_deref() {
            Some("txt") => drawn::read,
            Some("tst") => tst::read,
            Some("sgf") => problem::read,
            _ => {
                let expected = "expected a name that ends in .txt (drawn boards), .tst (tests of GNU Go's kind) or .sgf \
                                (problems)";
                return Err(Error::input(format!("{}: {expected}", path.display())));
            }
        };
        read(path, defaults)
    }

    /// Keeps only the cases on boards of this size; what has no board, such as errors, stays.
    pub fn keep_size(&mut self, size: Size) {
        let n_items = self.items.len();
        self.items.retain(|item| item.case().is_none_or(|case| case.position.size() == size));
        self.n_other_size += n_items - self.items.len();
    }

    /// The cases that can be tried.
    pub fn cases(&self) -> impl Iterator<Item = &SuiteCase> {
        self.items.iter().filter_map(SuiteItem::case)
    }

    /// Whether the file holds nothing that could be set up, and at least one thing that could not.
    pub fn is_unreadable(&self) -> bool {
        !self.items.is_empty() && self.items.iter().all(|item| matches!(item, SuiteItem::Error(_)))
    }

    /// The name of the file without its folder.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }
}
