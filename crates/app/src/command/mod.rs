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

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::{ArgAction, Parser, Subcommand};

use playout::bt::{self, BtModel};
use playout::shapes::{self, ShapeModel};

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
    /// Weights of local shapes in place of those built in, for all policies and priors called `shapes`: a file that `tengen
    /// train shapes` wrote
    #[arg(long, global = true, value_name = "FILE")]
    shapes: Option<PathBuf>,
    /// Weights for `leaf.policy=bt leaf.policy.weights=file`: a file that `tengen train rollout` or `tengen train balance` wrote
    #[arg(long, global = true, value_name = "FILE")]
    playout_weights: Option<PathBuf>,
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
    // Players that the command line names are built while it is read: weights have to be there before.
    let prepared = before_all("--shapes")
        .map_or(Ok(()), |path| use_shapes(&path))
        .and_then(|()| before_all("--playout-weights").map_or(Ok(()), |path| use_playout_weights(&path)));
    let cli = match (Cli::try_parse(), &prepared) {
        (Ok(cli), _) => cli,
        (Err(error), Err(why)) if error.use_stderr() => {
            complain(&format!("{why:#}"));
            return ExitCode::FAILURE;
        }
        (Err(error), _) => error.exit(),
    };
    logging::start(cli.verbosity);
    let result = prepared.and_then(|()| match cli.command {
        None => serve::Options::alone().run(),
        Some(command) => command.run(),
    });
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

impl Command {
    /// Does what the command says.
    fn run(self) -> Result<ExitCode> {
        match self {
            Command::Serve(options) => options.run(),
            Command::Play(options) => options.run(),
            Command::Gtp(options) => options.run(),
            Command::Cgos(options) => options.run(),
            Command::Analysis(options) => options.run(),
            Command::Match(options) => options.run(),
            Command::Suite(options) => options.run(),
            Command::Lab(options) => options.run(),
            Command::Tune(options) => options.run(),
            Command::Explain(options) => options.run(),
            Command::Review(options) => options.run(),
            Command::Check(options) => options.run(),
            Command::Conform(options) => options.run(),
            Command::Predict(options) => options.run(),
            Command::Accuracy(options) => options.run(),
            Command::Train(options) => options.run(),
            Command::Bench(options) => options.run(),
            Command::Net(options) => options.run(),
            Command::List(options) => options.run(),
            Command::Manual(options) => options.run(),
        }
    }
}

/// The value of an option of the whole program, looked up before the command line is read.
fn before_all(name: &str) -> Option<PathBuf> {
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        if arg == name {
            return args.next().map(PathBuf::from);
        }
        if let Some(value) = arg.to_str().and_then(|arg| arg.strip_prefix(name)?.strip_prefix('=')) {
            return Some(PathBuf::from(value));
        }
    }
    None
}

/// Takes weights of local shapes from a file.
fn use_shapes(path: &Path) -> Result<()> {
    let name = || format!("--shapes {}", path.display());
    let bytes = fs::read(path).with_context(name)?;
    let model = ShapeModel::parse(&bytes).with_context(name)?;
    // Nothing has asked for weights before.
    shapes::install(model).map_err(|_| anyhow!("{}: there are other weights already", name()))
}

/// Makes weights of playouts from a file known.
fn use_playout_weights(path: &Path) -> Result<()> {
    let name = || format!("--playout-weights {}", path.display());
    let text = fs::read_to_string(path).with_context(name)?;
    let model = BtModel::parse(&text).with_context(name)?;
    bt::install(model).map_err(|_| anyhow!("{}: there are other weights already", name()))
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
