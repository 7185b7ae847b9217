//! `tengen lab`: experiments as files, played, looked at and exported.
//!
//! Reading order: this file (options), `new` (a file to begin with), `run`, `progress` (its bar), `status` and `table` (how an
//! experiment stands), `list`, `export`, `report`.

mod export;
mod list;
mod new;
mod progress;
mod report;
mod run;
mod status;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use lab::store;
pub(crate) use run::run_info;

/// Play and look at experiments: tournaments and sweeps described by a file
///
/// An experiment file names players, who meets whom, under which terms and how often; the folder experiments/ has examples,
/// and `tengen lab new` writes one to begin with.
/// Every finished game is kept at once in the experiment's folder (results/NAME unless --out says otherwise), so that the
/// same command goes on after any interruption.
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: LabCommand,
}

#[derive(Subcommand)]
enum LabCommand {
    New(new::Options),
    Run(run::Options),
    Status(status::Options),
    List(list::Options),
    Export(export::Options),
    Report(report::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            LabCommand::New(options) => options.run(),
            LabCommand::Run(options) => options.run(),
            LabCommand::Status(options) => options.run(),
            LabCommand::List(options) => options.run(),
            LabCommand::Export(options) => options.run(),
            LabCommand::Report(options) => options.run(),
        }
    }
}

/// Where experiments are kept that are not told a folder.
const RESULTS: &str = "results";

/// The folder of an experiment of this name.
fn usual_folder(name: &str) -> PathBuf {
    Path::new(RESULTS).join(name)
}

/// The folder of an experiment that is named by its folder or its file. The file of a match stands in the match's folder.
fn folder_of(path: &Path) -> Result<PathBuf> {
    if path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let beside = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match path.file_stem() {
        Some(stem) if path.extension().is_some_and(|ending| ending == "toml") => {
            if path.is_file() && beside.join(store::FILE).is_file() {
                return Ok(beside.to_path_buf());
            }
            let folder = usual_folder(&stem.to_string_lossy());
            if !folder.is_dir() {
                bail!(
                    "{}: nothing has been played yet; there is no folder {}",
                    path.display(),
                    folder.display()
                );
            }
            Ok(folder)
        }
        _ => bail!("{}: expected an experiment's folder or its file NAME.toml", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_are_found_by_folder_or_file() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(folder_of(dir.path()).unwrap(), dir.path());
        // The folder of a match holds the match's file.
        let file = dir.path().join("match.toml");
        std::fs::write(&file, "").unwrap();
        assert!(folder_of(&file).is_err());
        std::fs::write(dir.path().join(store::FILE), "").unwrap();
        assert_eq!(folder_of(&file).unwrap(), dir.path());
        let error = folder_of(Path::new("experiments/no-such-thing.toml")).unwrap_err().to_string();
        assert!(error.contains("nothing has been played yet") && error.contains("results"), "{error}");
        let error = folder_of(Path::new("no-such-thing")).unwrap_err().to_string();
        assert!(error.contains("expected an experiment's folder"), "{error}");
    }
}
