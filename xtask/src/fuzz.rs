//! `cargo xtask fuzz`: random input, guided by coverage, for everything that reads text or files from the outside, and random
//! games for the board. Each target of the `fuzz` folder states one invariant. Needs a nightly compiler; it is not part of the tests.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The targets, in the order in which they run.
const TARGETS: [&str; 7] = ["sgf", "gtp", "recipe", "board", "analysis", "page", "net"];

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    /// Seconds for each target.
    n_seconds: u32,
    targets: Vec<&'static str>,
}

/// Fuzzes one target after another; says whether none found anything.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    let options = Options::parse(args)?;
    if tools::find("cargo-fuzz").is_none() {
        println!("cargo-fuzz is missing, installing it");
        tools::run(&mut tools::cargo(["install", "cargo-fuzz", "--locked"]))
            .context("install it by hand with `cargo install cargo-fuzz --locked`")?;
    }
    let mut findings = Vec::new();
    for &target in &options.targets {
        println!("\n== {target}, {} s", options.n_seconds);
        if let Err(error) = tools::run(&mut fuzz(target, options.n_seconds)) {
            println!("{error:#}");
            findings.push(target);
        }
    }
    println!();
    for target in &options.targets {
        let word = if findings.contains(target) { "FAILED, see above" } else { "no finding" };
        println!("{target:<8} {} s: {word}", options.n_seconds);
    }
    Ok(findings.is_empty())
}

/// A run that starts from the target's seeds and keeps what it learns in the corpus, which is not committed.
fn fuzz(target: &str, n_seconds: u32) -> Command {
    let folder = tools::root().join("fuzz");
    // The first corpus is where new inputs are put, so the seeds come second and stay as they are.
    let corpus = folder.join("corpus").join(target);
    let seeds = folder.join("seeds").join(target);
    let _ = std::fs::create_dir_all(&corpus);
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz", "run", target]).args([corpus, seeds]);
    // Inputs of some kilobytes reach everything, but the smallest networks are larger. An input that takes ten seconds is a finding, and so is
    // one piece of memory far larger than any input.
    let max_len = if target == "net" { "-max_len=65536" } else { "-max_len=4096" };
    command.args(["--", max_len, "-timeout=10", "-malloc_limit_mb=64", "-print_final_stats=1"]);
    command.arg(format!("-max_total_time={n_seconds}"));
    command.current_dir(tools::root());
    // The protocol's reader thread may outlive its loop for a moment, which looks like a leak.
    command.env("ASAN_OPTIONS", "detect_leaks=0");
    // `cargo xtask` has set this to the stable compiler's cargo.
    command.env_remove("CARGO");
    command
}

impl Options {
    fn parse(args: &[String]) -> Result<Options> {
        let mut options = Options { n_seconds: 600, targets: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if arg == "--seconds" {
                let value = args.next().context("--seconds: expected a number after it")?;
                options.n_seconds = match value.parse() {
                    Ok(n_seconds) if n_seconds > 0 => n_seconds,
                    _ => bail!("--seconds {value}: expected a whole number above 0"),
                };
            } else if let Some(target) = TARGETS.iter().find(|target| *target == arg) {
                options.targets.push(target);
            } else {
                bail!("unknown fuzz target {arg:?}; expected {}", TARGETS.join(", "));
            }
        }
        if options.targets.is_empty() {
            options.targets = TARGETS.to_vec();
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read() {
        assert_eq!(parse("").unwrap(), Options { n_seconds: 600, targets: TARGETS.to_vec() });
        let wanted = Options { n_seconds: 60, targets: vec!["gtp", "sgf"] };
        assert_eq!(parse("gtp --seconds 60 sgf").unwrap(), wanted);
        for bad in ["--seconds", "--seconds 0", "--seconds x", "sfg"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
