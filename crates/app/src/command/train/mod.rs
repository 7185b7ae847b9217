//! `tengen train`: learning from recorded games.
//!
//! Reading order: this file (options), `gammas`, `rows`, `net`.

mod gammas;
mod net;
mod rows;

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
    Rows(rows::Options),
    Net(net::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            What::Gammas(options) => options.run(),
            What::Rows(options) => options.run(),
            What::Net(options) => options.run(),
        }
    }
}
