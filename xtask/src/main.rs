//! Automation of the project, run as `cargo xtask COMMAND`: everything that is done to the code but is not part of
//! the program.
//!
//! Modules in reading order: [`mod@test`] the test command, made of a list of [`step`]s whose tests are counted by
//! [`tally`]; [`tools`] the outside programs; [`fuzz`] and [`count`] for what is measured by hand; [`dist`] the archive
//! that people download.

mod count;
mod dist;
mod format;
mod fuzz;
mod step;
mod tally;
mod test;
mod tools;

use anyhow::Result;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test                                  checks, lints, documentation and all tests, with a summary
  fuzz [--seconds N] [sgf|gtp|recipe]…  feeds random input to the readers, each for N seconds (600)
  count [--net FILE] [--size N]…        instructions per uniform playout, or per evaluation by a network, under valgrind
                                        (9, 13 and 19)
  dist                                  an archive of the program, manual pages, completions and licences in target/dist";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Does what the command line asks; says whether all went well.
fn run(args: &[String]) -> Result<bool> {
    let (command, rest) = args.split_first().map_or(("", args), |(first, rest)| (first.as_str(), rest));
    match command {
        "test" if rest.is_empty() => test::run(),
        "fuzz" => fuzz::run(rest),
        "count" => count::run(rest),
        "dist" if rest.is_empty() => dist::run(),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(true)
        }
        _ => anyhow::bail!("unknown command line: {args:?}\n{USAGE}"),
    }
}
