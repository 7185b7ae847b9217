//! `tengen bench`: speed, and the number that tells whether a change was functional.
//!
//! Reading order: this file (options), `playouts`, `search` (both measure time), `solve` (drawn positions), `number` (never looks at a clock).

mod number;
mod playouts;
mod search;
mod solve;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::Value;

/// Measure speed; alone: print the deterministic bench number
///
/// The bench number is a checksum over small searches and playouts with fixed seeds on several boards. It is the
/// same on any machine, and changes when the engine thinks or plays differently.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: Option<BenchCommand>,
    #[command(flatten)]
    number: number::NumberOptions,
}

#[derive(Subcommand)]
enum BenchCommand {
    Playouts(playouts::Options),
    Search(search::Options),
    Solve(solve::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            Some(BenchCommand::Playouts(options)) => options.run()?,
            Some(BenchCommand::Search(options)) => options.run()?,
            Some(BenchCommand::Solve(options)) => options.run()?,
            None => self.number.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The bench number of this program, for files that say which program made them.
pub(crate) fn number() -> Result<u64> {
    number::of(&player::recipes::parse("default")?)
}

/// Prints a result: one line of JSON, or text for people.
fn print(is_json: bool, json: &Value, text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if is_json { writeln!(out, "{json}") } else { writeln!(out, "{text}") }
}

/// How often something happened in a second.
fn per_second(n: u64, seconds: f64) -> f64 {
    n as f64 / seconds.max(1e-9)
}
