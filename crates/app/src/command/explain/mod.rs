//! `tengen explain`: what the search thinks of a position of a record, and how it came to think so.
//!
//! Reading order: this file (options), `load` (the record), `study` (the search, in one run or in slices), `trace` (the
//! CSV file), `order` (which move comes first), `text` and `draw` (for people), `json` (for programs).

mod draw;
mod json;
mod load;
mod order;
mod study;
mod text;
mod trace;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::Rules;

use crate::files::check_free;
use crate::options::{ThinkOptions, parse_count, parse_points, parse_rules};
use study::Study;
use trace::Trace;

/// Simulations when neither a number nor a time is given.
const DEFAULT_PLAYOUTS: u64 = 10_000;

/// Show what the search thinks of a position of a record
///
/// Prints the board with the best moves lettered, the table of the moves (visits, value, what each model says and how
/// much it counts, the expected line), the expected score, who will own what, and the move that would be played, which
/// is the first of the table. All values are those of the player to move: win rates, or points with reward=score.
///
/// --json prints one object for programs. value, win and the means of models are those of the player to move,
/// score_black and ownership_black Black's; shares and rates go from 0 to 1, ownership from -1 (White) to 1 (Black) by
/// rows from the top.
///
/// --trace writes a table as the search goes on, to draw curves from: a line for each move and each --every
/// simulations, with the columns simulation, move, visits, then for every model of the recipe its observations
/// MODEL.n, its estimate MODEL.q and its weight MODEL.beta, then value. With models=mc+rave these are n, Q, 1-β, ñ, Q̃,
/// β and the mixed value.
///
/// Every field and column is explained in docs/methods.md under "Looking on".
#[derive(Args)]
pub(crate) struct Options {
    /// The record, SGF; of several games the first, of variations the main line
    file: PathBuf,
    /// The position before this move, as `loadsgf` counts; without it the last one
    #[arg(long = "move", value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    before_move: Option<u64>,
    #[command(flatten)]
    think: ThinkOptions,
    /// Moves to show in the table and on the board; the one that would be played is always among them
    #[arg(long, default_value_t = 10, value_name = "K", value_parser = parse_count, allow_negative_numbers = true)]
    top: u64,
    /// Points for White instead of the record's; 7.5 if neither says
    #[arg(long, value_parser = parse_points, allow_negative_numbers = true)]
    komi: Option<f32>,
    /// Rules instead of the record's; chinese if neither says
    #[arg(long, value_parser = parse_rules)]
    rules: Option<Rules>,
    /// Print one line of JSON with all moves
    #[arg(long)]
    json: bool,
    /// Write each move's numbers as the search goes on into this file
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Simulations between two looks of --trace [default: a hundredth of --playouts]
    #[arg(long, value_name = "K", requires = "trace", value_parser = parse_count, allow_negative_numbers = true)]
    every: Option<u64>,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.think.check()?;
        let before_move = self.before_move.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let position = load::position(&self.file, before_move, self.rules, self.komi)?;
        let mut study = Study::new(position, &self.think.recipe, self.think.settings()?)
            .with_context(|| format!("--recipe {:?}", self.think.recipe))?;
        let playouts = match (self.think.playouts, self.think.time) {
            (None, None) => DEFAULT_PLAYOUTS,
            (playouts, _) => playouts.unwrap_or(u64::MAX),
        };
        let found = match &self.trace {
            None => study.think(playouts, self.think.time)?,
            Some(path) => {
                let in_file = || format!("--trace {}", path.display());
                if let (Ok(table), Ok(record)) = (path.canonicalize(), self.file.canonicalize())
                    && table == record
                {
                    bail!("--trace {}: that is the game record; expected another file", path.display());
                }
                check_free("--trace", path, "such a table", |bytes| {
                    bytes.starts_with(trace::COLUMNS.as_bytes())
                })?;
                let file = File::create(path).with_context(in_file)?;
                let mut trace = Trace::new(BufWriter::new(file));
                let every =
                    self.every.unwrap_or(self.think.playouts.unwrap_or(DEFAULT_PLAYOUTS).div_ceil(100));
                let found = study.think_in_slices(playouts, self.think.time, every, |study, n, report| {
                    trace.add(study, n, report)
                });
                let found = found.with_context(in_file)?;
                trace.finish().with_context(in_file)?;
                found
            }
        };
        let text = if self.json {
            json::found(&study, &found).to_string()
        } else {
            text::found(&study, &found, usize::try_from(self.top).unwrap_or(usize::MAX))
        };
        writeln!(io::stdout().lock(), "{}", text.trim_end())?;
        Ok(ExitCode::SUCCESS)
    }
}
