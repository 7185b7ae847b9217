//! `tengen lab run`: plays what is missing of an experiment.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;
use lab::experiment::Experiment;
use lab::run::machine;
use lab::store::{RunInfo, Store};

use super::progress::LabBar;
use super::{table, usual_folder};
use crate::command::bench;
use crate::folders;
use crate::interrupt;
use crate::options::parse_parallel;

/// Play an experiment, or go on with it
///
/// What the experiment's folder does not have yet is played. Ctrl-C stops cleanly; whatever happens, finished games are not
/// lost, and the same command plays the rest. An experiment whose file has been changed goes on if there are only more
/// games or more players; other terms or another recipe under the same name are refused.
#[derive(Args)]
pub(super) struct Options {
    /// The experiment
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// The folder for its games [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games at the same time [default: what the file says, else one]
    #[arg(long, value_name = "N", value_parser = parse_parallel, allow_negative_numbers = true)]
    parallel: Option<u64>,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let mut experiment = Experiment::load(&self.file)?;
        experiment.load_nets(&folders::nets())?;
        let dir = self.out.unwrap_or_else(|| usual_folder(&experiment.name));
        let mut store = Store::open(&dir, &experiment)?;
        let parallel = self.parallel.or(experiment.parallel.map(|n| n as u64)).unwrap_or(1);
        // Before the first thing that takes time, so that Ctrl-C is answered from the beginning.
        let stop = Arc::new(AtomicBool::new(false));
        interrupt::stop_games(Arc::clone(&stop))?;
        eprintln!("tengen: a moment for the bench number, by which the games of this program are known …");
        let info = run_info(parallel, Some(bench::number()?));
        warn_of_other_engines(&store, &info)?;
        let mut bar = LabBar::new(&store.standings(&experiment)?);
        let is_complete = lab::run::run(&experiment, &mut store, &info, &mut |news| bar.show(news), &stop);
        bar.end();
        let is_complete = is_complete?;
        let mut out = io::stdout().lock();
        writeln!(out, "{}", table::of(&store)?)?;
        if !is_complete {
            let left: u64 = store.standings(&experiment)?.iter().map(lab::experiment::Standing::n_left).sum();
            return Ok(interrupt::stopped(&format!("with {left} games left"), true));
        }
        writeln!(
            out,
            "all of it is in {0}; for a page with tables and plots: tengen lab report {0}",
            dir.display()
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Which program this is, on which machine; `bench` is its bench number, if that was worked out.
pub(crate) fn run_info(parallel: u64, bench: Option<u64>) -> RunInfo {
    RunInfo {
        program: format!("tengen {}", env!("CARGO_PKG_VERSION")),
        revision: option_env!("TENGEN_REVISION").map(str::to_string).filter(|text| !text.is_empty()),
        bench,
        cpu: machine::cpu(),
        cores: machine::cores(),
        os: machine::os(),
        parallel,
    }
}

/// Says so if earlier games were played by a program that thinks otherwise: their sums would mean nothing.
fn warn_of_other_engines(store: &Store, info: &RunInfo) -> Result<()> {
    let mut others: Vec<u64> = store
        .runs()?
        .iter()
        .filter(|run| run.games > 0 && run.info.bench != info.bench)
        .filter_map(|run| run.info.bench)
        .collect();
    others.sort_unstable();
    others.dedup();
    if let (false, Some(ours)) = (others.is_empty(), info.bench) {
        let others: Vec<String> = others.iter().map(u64::to_string).collect();
        eprintln!(
            "tengen: warning: games in {} were played by a program with the bench number {}; this one's is {ours}, so its \
             recipes may play differently. Use another --out to keep them apart",
            store.path().display(),
            others.join(", ")
        );
    }
    Ok(())
}
