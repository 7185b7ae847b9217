//! `tengen check`: replays records and says what is wrong with them.
//!
//! Reading order: this file (options and the run), `list` (a game per line), `record` (SGF), `score` (the board against
//! the recorded result), `report` (findings and counts). Files and folders are opened by `records`.

mod list;
mod record;
mod report;
mod score;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use goban::{Position, Rules, Size};
use records::{FileKind, Input, expand};

use crate::options::parse_rules;
use report::CheckReport;

/// Replay records and report illegal moves, repetitions and wrong scores
///
/// Reads SGF files (all games of a file, main lines) and game lists (one game per line: size, komi, handicap, result,
/// ranks, source, setup, moves, separated by tabs), both also gzip'ed. A game is followed to its first illegal move.
/// In lists the score is checked for sources that play until everything dead is captured (cgos9, cgos13,
/// patwu-go9x9), by area as these count, in games that end with two passes.
///
/// Exit status: 0 if all games are in order, 1 if a game was refused, a score was wrong or something could not be
/// read, 2 for a wrong command line.
#[derive(Args)]
pub(crate) struct Options {
    /// SGF files, game lists, or folders: all .sgf and .gz files below are taken
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rules by name, with switches of their own if wanted: chinese (simple ko), tromp-taylor,
    /// chinese,ko=positional
    #[arg(long, default_value = "chinese", value_parser = parse_rules)]
    rules: Rules,
    /// Also check the result of SGF games that end with two passes: counts the last board as it stands, by the
    /// rules given
    #[arg(long)]
    score: bool,
    /// List what was odd in SGF files and read all the same, such as a missing `)`; it is counted in any case
    #[arg(long)]
    warnings: bool,
    /// Print the counts as JSON, in one last line
    #[arg(long)]
    json: bool,
}

/// The state while records are replayed. One position serves all games, so that its memory is used again.
struct Checker<'a> {
    rules: Rules,
    scores_records: bool,
    position: Position,
    report: CheckReport<'a>,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut checker = Checker {
            rules: self.rules,
            scores_records: self.score,
            position: Position::new(Size::square(19)?, self.rules),
            report: CheckReport::new(&mut out, self.warnings),
        };
        let is_clean = self.check(&mut checker)?;
        Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Checks all files; true if there was nothing to find. Only trouble with our own output is an error.
    fn check(&self, checker: &mut Checker<'_>) -> io::Result<bool> {
        let start = Instant::now();
        for path in self.files.iter().flat_map(|path| expand(path)) {
            checker.file(path)?;
        }
        let report = &mut checker.report;
        report.finish(start.elapsed());
        if self.json {
            report.write_json(&self.rules)?;
        } else {
            report.write_text(&self.rules)?;
        }
        Ok(report.is_clean())
    }
}

impl Checker<'_> {
    /// Checks one file; trouble with it is reported.
    fn file(&mut self, path: io::Result<PathBuf>) -> io::Result<()> {
        let input = match path.and_then(|path| Input::open(&path)) {
            Ok(input) => input,
            Err(error) => return self.report.unreadable(&error),
        };
        self.report.n_files += 1;
        match input.kind {
            FileKind::Record => self.record(input),
            FileKind::List => self.list(input),
        }
    }
}
