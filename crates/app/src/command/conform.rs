//! `tengen conform`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use conform::{CheckLevel, CheckTask, report};
use indicatif::ProgressBar;

use crate::options::parse_seconds;
use crate::{bars, interrupt};

/// Check whether a GTP engine, any engine, works in the clients that people use
///
/// Starts the engine and tries what GoGui, Sabaki, Lizzie, LizzieYzy, q5Go, gomill and the clients of CGOS, OGS and KGS rely
/// on. MUST: some client breaks without it. WANT: a feature is lost. MAY: good manners. What fails is shown with what was
/// sent, what came, what was expected, and which clients are affected.
///
/// An engine that hangs, floods or dies fails that check and is started again; no process of it is left running. The exit status
/// is 0 if every MUST holds, 1 if one fails, 2 if the engine cannot be started.
///
/// Example: tengen conform gnugo --mode gtp
#[derive(Args)]
pub(crate) struct Options {
    /// The engine: a program and its arguments; options of our own come before it
    #[arg(
        value_name = "ENGINE",
        required_unless_present = "list",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    engine: Vec<String>,
    /// The side of the board that is played on, 9 to 25
    #[arg(long, default_value_t = 9, value_parser = parse_side, allow_negative_numbers = true)]
    size: usize,
    /// Seconds that an answer may take, a move included
    #[arg(long, default_value_t = 20.0, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    patience: f64,
    /// Seconds that the first answer may take
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    start: f64,
    /// Only checks with this text in their title or subject
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Show what was said in checks that hold, too
    #[arg(long)]
    verbose: bool,
    /// Print one object of JSON instead
    #[arg(long)]
    json: bool,
    /// Print all checks and start nothing
    #[arg(long, conflicts_with_all = ["json", "verbose", "only"])]
    list: bool,
}

fn parse_side(text: &str) -> Result<usize> {
    match text.parse() {
        Ok(side) if (9..=25).contains(&side) => Ok(side),
        _ => bail!("expected a side from 9 to 25"),
    }
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut out = io::stdout().lock();
        if self.list {
            for (group, checks) in conform::groups() {
                for check in checks {
                    writeln!(out, "{:4} {group}: {}", check.level.word(), check.title())?;
                }
            }
            return Ok(ExitCode::SUCCESS);
        }
        let task = CheckTask {
            command: self.engine,
            size: self.size,
            start: Duration::from_secs_f64(self.start),
            answer: Duration::from_secs_f64(self.patience),
            only: self.only,
        };
        // The engine must not outlive us, so the run ends in order.
        let stop = interrupt::flag()?;
        let bar = progress();
        let checked = conform::run(&task, &stop, |n, title| {
            bar.set_position(n as u64);
            bar.set_message(title.to_owned());
        });
        bar.finish_and_clear();
        let found = match checked {
            Ok(found) => found,
            Err(error) => {
                let _ = writeln!(io::stderr(), "tengen: {error}");
                return Ok(ExitCode::from(2));
            }
        };
        if found.entries.is_empty() {
            bail!(
                "--only {:?}: no check has this text; tengen conform --list shows all",
                task.only.unwrap_or_default()
            );
        }
        if self.json {
            writeln!(out, "{}", report::json(&found))?;
        } else {
            write!(out, "{}", report::text(&found, self.verbose))?;
        }
        Ok(match (found.is_stopped, found.n_failed(CheckLevel::Must)) {
            (true, _) => ExitCode::from(130),
            (false, 0) => ExitCode::SUCCESS,
            (false, _) => ExitCode::FAILURE,
        })
    }
}

/// A bar for terminals only.
fn progress() -> ProgressBar {
    let bar = ProgressBar::new(conform::n_checks() as u64);
    bars::styled(bar, "{bar:24} {pos}/{len} {elapsed_precise} {wide_msg}")
}
