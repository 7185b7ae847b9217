//! `tengen lab list`: the experiments there are, and what has been played of them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use comfy_table::{Table, presets};
use lab::experiment::{self, Experiment, Standing};
use lab::store::Store;

use super::RESULTS;

/// List the experiments of a folder and what has been played of them
#[derive(Args)]
pub(super) struct Options {
    /// The folder with experiment files
    #[arg(default_value = "experiments", value_name = "DIR")]
    folder: PathBuf,
    /// The folder with a folder of games for each
    #[arg(long, default_value = RESULTS, value_name = "DIR")]
    results: PathBuf,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        table.set_header(["experiment", "title", "players", "pairings", "played"]);
        let mut broken = Vec::new();
        for (path, experiment) in experiment::in_folder(&self.folder)? {
            match experiment {
                Ok(experiment) => {
                    let played = played(&self.results.join(&experiment.name), &experiment);
                    table.add_row([
                        experiment.name.clone(),
                        experiment.title.clone(),
                        experiment.players.len().to_string(),
                        experiment.meetings.len().to_string(),
                        played,
                    ]);
                }
                Err(error) => broken.push(format!("{}: {error}", path.display())),
            }
        }
        writeln!(io::stdout().lock(), "{table}")?;
        for error in &broken {
            eprintln!("tengen: {error}");
        }
        Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// `120 of 400 games`, `complete`.
fn played(dir: &Path, experiment: &Experiment) -> String {
    if !dir.is_dir() {
        return "–".to_string();
    }
    let standings = || -> lab::Result<Vec<Standing>> {
        let store = Store::open_read(dir)?;
        store.pairings()?.iter().map(|pairing| Ok(store.counted(pairing)?.1)).collect()
    };
    match standings() {
        Err(error) => error.to_string(),
        Ok(standings) => {
            let over: u64 = standings.iter().map(Standing::n_over).sum();
            let left: u64 = standings.iter().map(Standing::n_left).sum();
            let now = if Store::is_playing(dir) { ", playing" } else { "" };
            // The file may have more pairings by now than were ever begun.
            if left == 0 && standings.len() >= experiment.meetings.len() {
                format!("complete, {over} games{now}")
            } else {
                format!("{over} of {} games{now}", experiment.max_games().max(over + left))
            }
        }
    }
}
