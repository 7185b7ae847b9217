//! `tengen suite`: positions with known answers, and which of them a player finds.
//!
//! Reading order: this file (options, the run), `output` (what is printed and written).

mod output;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use clap::Args;
use goban::{Rules, Size};
use lab::clock::seconds_per_move;
use lab::entrant::Entrant;
use lab::game::terms::patience;
use lab::suite::{Defaults, Suite, SuiteAttempt, SuiteTask, run};
use player::{Allowance, TimeSystem};

use crate::files::make_out;
use crate::options::{
    parse_count, parse_parallel, parse_points, parse_rules, parse_seconds, parse_seed, parse_size,
    refuse_zeros,
};
use crate::{bars, folders, interrupt};

/// Count the positions whose right move a player finds
///
/// Files are drawn boards (.txt, see boards/README.md), tests in the manner of GNU Go (.tst) or problems as records (.sgf).
///
/// In a .tst file the numbered reg_genmove and genmove commands that an answer follows are tried: `#? [D4|E5]` is a regular
/// expression that the whole answer fits, `#? [!C3]` one that it does not fit, and a * behind it marks a failure that the
/// author knows of; solving that one is an unexpected pass. All other tests are counted as not applicable. Records are
/// looked for beside the file and in the folder above it.
///
/// In an .sgf file each game tree is a problem: the position before its first move. Right are the moves marked by TE or by
/// RIGHT or CORRECT in a comment of their line; if there are none, the first one, unless BM, WRONG or INCORRECT marks it.
///
/// Each position is a game of its own with a seed of its own, so that neither the order nor --parallel changes anything.
/// Resigning counts as no answer.
#[derive(Args)]
pub(crate) struct Options {
    /// Files of positions: .txt, .tst or .sgf
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Who answers: a recipe, `random`, or `gtp:COMMAND`, with a budget of its own if wanted: default@playouts=300
    #[arg(long, default_value = "default", value_name = "PLAYER")]
    player: Entrant,
    /// New simulations for each position; outside engines have settings of their own
    #[arg(long, value_parser = parse_count, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Seconds for each position. Without this and --playouts: 10000 playouts
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// Seed of everything random; each position has a seed of its own that follows from it
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Positions at the same time
    #[arg(long, default_value_t = 1, value_parser = parse_parallel, allow_negative_numbers = true)]
    parallel: u64,
    /// Only positions on boards of this size: 9, 13, 19 or WIDTHxHEIGHT
    #[arg(long, value_parser = parse_size)]
    size: Option<Size>,
    /// Rules where a record names none
    #[arg(long, default_value = "chinese", value_parser = parse_rules)]
    rules: Rules,
    /// Points for White where a record names none [default: as GNU Go, 5.5, or 0.5 with handicap]
    #[arg(long, value_parser = parse_points, allow_negative_numbers = true)]
    komi: Option<f32>,
    /// Seconds after which a silent outside engine has given no answer
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    patience: f64,
    /// Print a line for each position too
    #[arg(long)]
    cases: bool,
    /// A folder for cases.json and for pages with all boards; index.html is the first
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one line of JSON instead of the table
    #[arg(long)]
    json: bool,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let task = self.task()?;
        // Nothing is tried if a file is no good, or if there is no place for the results.
        let suites = self.read()?;
        make_out(self.out.as_deref())?;
        // Searches and waits end at once, so that nobody needs a second Ctrl-C.
        let stop = interrupt::flag()?;
        let n_cases: usize = suites.iter().map(|suite| suite.cases().count()).sum();
        let bar = bars::timed(n_cases as u64, "");
        let mut n_passed = 0;
        let attempts = run::run(&suites, &task, &stop, |attempt: &SuiteAttempt| {
            n_passed += usize::from(attempt.verdict.is_pass());
            bar.inc(1);
            bar.set_message(format!("{n_passed} passed"));
        })?;
        bar.finish_and_clear();
        output::print(&suites, &attempts, &task, self.cases, self.json)?;
        if let Some(folder) = &self.out {
            output::write(folder, &suites, &attempts, &task)?;
        }
        if stop.load(Ordering::Relaxed) {
            let how_far = format!("after {} of {n_cases} positions", attempts.len());
            return Ok(interrupt::stopped(&how_far, false));
        }
        // Whatever the others came to, a file of which nothing could be tried is a failure, as one that is not there.
        let is_failed = suites.iter().any(Suite::is_unreadable);
        Ok(if is_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn task(&self) -> Result<SuiteTask> {
        refuse_zeros(&[("--playouts", self.playouts.unwrap_or(1))])?;
        let time = self.time.map(seconds_per_move).transpose().context("--time")?;
        let think = seconds_per_move(self.patience).context("--patience")?;
        let mut entrant = self.player.clone();
        entrant.load_net(&folders::nets(), "go").context("--player")?;
        Ok(SuiteTask {
            entrant,
            allowance: Allowance { playouts: self.playouts, time, clock: TimeSystem::default() },
            patience: patience(think),
            seed: self.seed,
            parallel: self.parallel as usize,
        })
    }

    fn read(&self) -> Result<Vec<Suite>> {
        let defaults = Defaults { rules: self.rules, komi: self.komi };
        let mut suites = Vec::new();
        for path in &self.files {
            let mut suite = Suite::read(path, &defaults)?;
            if let Some(size) = self.size {
                suite.keep_size(size);
            }
            suites.push(suite);
        }
        Ok(suites)
    }
}
