//! `tengen lab export`: an experiment for other programs.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use lab::store::Store;

use super::folder_of;

/// Write an experiment as CSV tables or SGF records
#[derive(Args)]
pub(super) struct Options {
    /// The experiment's folder, its file if it was played into results/NAME, or the file in the folder of a match
    #[arg(value_name = "DIR|FILE.toml")]
    experiment: PathBuf,
    #[command(flatten)]
    what: ExportForm,
    /// The folder to write into [default: csv and sgf in the experiment's folder]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

#[derive(Args)]
#[group(required = true, multiple = true)]
struct ExportForm {
    /// Tables: players.csv, table.csv, games.csv, moves.csv, and traces.csv if searches were watched
    #[arg(long)]
    csv: bool,
    /// A record of every game, in a folder for each pairing
    #[arg(long)]
    sgf: bool,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let dir = folder_of(&self.experiment)?;
        let store = Store::open_read(&dir)?;
        let mut out = io::stdout().lock();
        if self.what.csv {
            for file in store.export_csv(&self.to.clone().unwrap_or_else(|| dir.join("csv")))? {
                writeln!(out, "{}", file.display())?;
            }
        }
        if self.what.sgf {
            let to = self.to.clone().unwrap_or_else(|| dir.join("sgf"));
            let n = store.export_sgf(&to)?;
            writeln!(out, "{}: {n} games", to.display())?;
        }
        for line in store.left_out()?.words() {
            writeln!(out, "{line}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
