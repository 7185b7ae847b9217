//! `tengen train`: learning from recorded games and from self-play.
//!
//! Reading order: this file (options), `ranking` (models that rank moves, by several trainers), `gammas` (the built-in prior),
//! `rows` and `net` (networks), `reinforce` and `value_rows` (AlphaGo's policies at play), `rollout` and `balance` (the weights of playouts),
//! `shapes` (those of local shapes), `zero` (networks that learn a game from its rules).

mod balance;
mod gammas;
mod net;
mod ranking;
mod reinforce;
mod rollout;
mod rows;
mod shapes;
mod value_rows;
mod zero;

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
    Bt(ranking::BtOptions),
    Tm(ranking::TmOptions),
    FullRanking(ranking::FullRankingOptions),
    Latent(ranking::LatentOptions),
    Gammas(gammas::Options),
    Rows(rows::Options),
    Net(net::Options),
    Policy(net::PolicyOptions),
    Reinforce(reinforce::Options),
    ValueRows(value_rows::Options),
    Value(net::ValueOptions),
    Rollout(rollout::Options),
    Balance(balance::Options),
    Shapes(shapes::Options),
    Zero(zero::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            What::Bt(options) => options.run(),
            What::Tm(options) => options.run(),
            What::FullRanking(options) => options.run(),
            What::Latent(options) => options.run(),
            What::Gammas(options) => options.run(),
            What::Rows(options) => options.run(),
            What::Net(options) => options.run(),
            What::Policy(options) => options.run(),
            What::Reinforce(options) => options.run(),
            What::ValueRows(options) => options.run(),
            What::Value(options) => options.run(),
            What::Rollout(options) => options.run(),
            What::Balance(options) => options.run(),
            What::Shapes(options) => options.run(),
            What::Zero(options) => options.run(),
        }
    }
}
