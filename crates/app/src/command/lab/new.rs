//! `tengen lab new`: an experiment file to begin with.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

/// A small sweep in which every line is explained. It is played in about a minute.
const TEMPLATE: &str = include_str!("template.toml");

/// Write an experiment file to begin with
///
/// The file is complete: a small sweep that is played in about a minute on two cores. Every line is explained.
#[derive(Args)]
pub(super) struct Options {
    /// Where to write it; there must be no such file yet
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let path = self.file.display();
        if self.file.extension().is_none_or(|ending| ending != "toml") {
            bail!("{path}: expected a name that ends in .toml");
        }
        let file = OpenOptions::new().write(true).create_new(true).open(&self.file);
        let mut file = match file {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("{path}: there is such a file already; expected a new name")
            }
            other => other.with_context(|| format!("{path}: cannot be written"))?,
        };
        file.write_all(TEMPLATE.as_bytes()).with_context(|| format!("{path}: cannot be written"))?;
        let mut out = io::stdout().lock();
        writeln!(out, "{path}: written. Change it as you like; then:\n  tengen lab run {path}")?;
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use lab::experiment::Experiment;

    use super::*;

    #[test]
    fn what_is_written_is_an_experiment_and_nothing_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mine.toml");
        let new = |name: &str| Options { file: dir.path().join(name) }.run();
        new("mine.toml").unwrap();
        let experiment = Experiment::load(&file).unwrap();
        assert_eq!((experiment.name.as_str(), experiment.meetings.len()), ("mine", 5));
        std::fs::write(&file, "mine").unwrap();
        let error = new("mine.toml").unwrap_err().to_string();
        assert!(error.ends_with("there is such a file already; expected a new name"), "{error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
        let error = new("mine").unwrap_err().to_string();
        assert!(error.ends_with("expected a name that ends in .toml"), "{error}");
    }

    #[test]
    fn what_is_commented_out_in_it_is_right_too() {
        let text = TEMPLATE.replace("# gnugo = ", "gnugo = ").replace("# openings = ", "openings = ");
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mine.toml");
        std::fs::write(&file, text).unwrap();
        let experiment = Experiment::load(&file).unwrap();
        assert_eq!(experiment.players.len(), 7);
        assert_eq!(experiment.meetings[0].openings.to_string(), "balanced:20");
    }
}
