//! `tengen train`: learning from recorded games.

mod gammas;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Learn from recorded games
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Gammas(gammas::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            What::Gammas(options) => options.run(),
        }
    }
}
