//! `tengen accuracy`: how well playouts judge positions.
//!
//! Reading order: this file, `label` (positions and their values by deep search), `run` (playouts against them), `text`
//! (for people).

mod label;
mod run;
mod text;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Measure how well playouts judge positions
///
/// As figure 3 of Gelly & Silver 2007: the mean squared error between the share of 1000 playouts that Black wins and the
/// value of the position. `label` draws positions from recorded games and finds their values by deep search, `run` plays
/// from them.
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: AccuracyCommand,
}

#[derive(Subcommand)]
enum AccuracyCommand {
    Label(label::Options),
    Run(run::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            AccuracyCommand::Label(options) => options.run(),
            AccuracyCommand::Run(options) => options.run(),
        }
    }
}
