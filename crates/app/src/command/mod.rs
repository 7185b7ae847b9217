//! The sub-commands, one file each: its options, its doc comment for `--help`, and `run`.

mod accuracy;
mod analysis;
mod bench;
mod cgos;
mod check;
mod conform;
mod explain;
mod gtp;
mod lab;
mod list;
mod manual;
mod matches;
mod net;
mod play;
mod predict;
mod review;
mod serve;
mod suite;
mod train;
mod tune;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{ArgAction, Parser, Subcommand};

use crate::logging;

/// Tengen: computer Go and a laboratory of Monte-Carlo tree search.
///
/// Without a command it shows the board in the browser, as `tengen serve` does; `tengen play` plays in the terminal.
#[derive(Parser)]
#[command(name = "tengen", version, propagate_version = true)]
struct Cli {
    /// More messages on standard error: -v tells what happens, -vv every detail. Warnings and errors are always shown
    #[arg(short = 'v', action = ArgAction::Count, global = true)]
    verbosity: u8,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Options),
    Play(play::Options),
    Gtp(gtp::Options),
    Cgos(Box<cgos::Options>),
    Analysis(analysis::Options),
    Match(Box<matches::Options>),
    Suite(Box<suite::Options>),
    Lab(lab::Options),
    Tune(tune::Options),
    Explain(explain::Options),
    Review(review::Options),
    Check(check::Options),
    Conform(conform::Options),
    Predict(predict::Options),
    Accuracy(accuracy::Options),
    Train(train::Options),
    Bench(bench::Options),
    Net(net::Options),
    List(list::Options),
    Manual(manual::Options),
}

/// Reads the command line and does what it says.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    logging::start(cli.verbosity);
    let result = match cli.command {
        None => serve::Options::alone().run(),
        Some(Command::Serve(options)) => options.run(),
        Some(Command::Play(options)) => options.run(),
        Some(Command::Gtp(options)) => options.run(),
        Some(Command::Cgos(options)) => options.run(),
        Some(Command::Analysis(options)) => options.run(),
        Some(Command::Match(options)) => options.run(),
        Some(Command::Suite(options)) => options.run(),
        Some(Command::Lab(options)) => options.run(),
        Some(Command::Tune(options)) => options.run(),
        Some(Command::Explain(options)) => options.run(),
        Some(Command::Review(options)) => options.run(),
        Some(Command::Check(options)) => options.run(),
        Some(Command::Conform(options)) => options.run(),
        Some(Command::Predict(options)) => options.run(),
        Some(Command::Accuracy(options)) => options.run(),
        Some(Command::Train(options)) => options.run(),
        Some(Command::Bench(options)) => options.run(),
        Some(Command::Net(options)) => options.run(),
        Some(Command::List(options)) => options.run(),
        Some(Command::Manual(options)) => options.run(),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Says what went wrong, if anybody listens: a closed standard error is no reason to panic.
fn complain(what: &str) {
    let _ = writeln!(io::stderr(), "tengen: {what}");
}

/// Whether the trouble is only that whoever reads our output has seen enough: `tengen list | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| cause.downcast_ref().map(io::Error::kind);
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
