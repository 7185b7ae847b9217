//! `tengen net`: the networks that searches may ask, looked at, checked and timed.
//!
//! Reading order: this file (options), `list`, `info`, `check`, `bench`.

mod bench;
mod check;
mod info;
mod list;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use player::nets::NetFile;

use crate::folders;

/// Inspect networks: list them, describe them, check them and measure their speed
///
/// A network is tengen, the one inside the program, or a file, or the name of a file in the folder of networks without its suffix (.bin.gz, .txt.gz, .bin, .txt, .net):
/// ~/.local/share/tengen/nets, or tengen/nets in the folder that XDG_DATA_HOME names. KataGo's networks are at
/// katagotraining.org.
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: NetCommand,
}

#[derive(Subcommand)]
enum NetCommand {
    List(list::Options),
    Info(info::Options),
    Check(check::Options),
    Bench(bench::Options),
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.what {
            NetCommand::List(options) => options.run(),
            NetCommand::Info(options) => options.run(),
            NetCommand::Check(options) => options.run(),
            NetCommand::Bench(options) => options.run(),
        }
    }
}

/// Which network is meant.
#[derive(Args)]
struct Which {
    /// A network file, or a name from `tengen net list`
    #[arg(value_name = "FILE|NAME")]
    net: String,
}

impl Which {
    fn load(&self) -> Result<NetFile> {
        Ok(folders::nets().load(&self.net)?)
    }
}

/// Bytes for people.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
