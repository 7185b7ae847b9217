//! `tengen lab report`: an experiment as pages for people.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use lab::report::experiment::{ExperimentResults, page};
use lab::store::Store;

use super::folder_of;

/// The folder of records beside the pages.
const RECORDS: &str = "sgf";

/// Write an experiment as a page of HTML and one of Markdown, with tables, plots and how to reproduce it
///
/// NAME.html needs no other file; NAME.md shows its plots from the SVG files beside it. An experiment that is still being
/// played can be reported too.
#[derive(Args)]
pub(super) struct Options {
    /// The experiment's folder, its file if it was played into results/NAME, or the file in the folder of a match
    #[arg(value_name = "DIR|FILE.toml")]
    experiment: PathBuf,
    /// The folder to write into [default: the experiment's folder]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// What the pages are called
    #[arg(long, value_name = "NAME", default_value = "report")]
    name: String,
    /// Write the records of all games beside the pages, too, so that they are linked
    #[arg(long)]
    sgf: bool,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let name = self.name.as_str();
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\']) {
            bail!("--name {name:?}: expected a plain file name without its ending");
        }
        let dir = folder_of(&self.experiment)?;
        let store = Store::open_read(&dir)?;
        let to = self.to.unwrap_or(dir);
        let records = to.join(RECORDS);
        let mut out = io::stdout().lock();
        if self.sgf {
            let n = store.export_sgf(&records)?;
            writeln!(out, "{}: {n} games", records.display())?;
        }
        let study = ExperimentResults::of(&store)?;
        let page = page(&study, records.is_dir().then_some(RECORDS));
        for file in page.save(&to, name)? {
            writeln!(out, "{}", file.display())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
