//! `tengen train`: learning from recorded games.
//!
//! Reading order: this file, `ranking` (models that rank moves, by several trainers), `gammas` (the built-in prior).

mod gammas;
mod ranking;

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
    Bt(ranking::BtOptions),
    Tm(ranking::TmOptions),
    FullRanking(ranking::FullRankingOptions),
    Latent(ranking::LatentOptions),
    Gammas(gammas::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            What::Bt(options) => options.run(),
            What::Tm(options) => options.run(),
            What::FullRanking(options) => options.run(),
            What::Latent(options) => options.run(),
            What::Gammas(options) => options.run(),
        }
    }
}
