//! `tengen train`: learning from recorded games and from self-play.

mod gammas;
mod shapes;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Learn from recorded games, or from games that a learner plays against itself
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Gammas(gammas::Options),
    Shapes(shapes::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            What::Gammas(options) => options.run(),
            What::Shapes(options) => options.run(),
        }
    }
}
