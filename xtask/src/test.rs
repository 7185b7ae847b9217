//! `cargo xtask test`: what continuous integration runs. Every step is run even when an earlier one has failed, so
//! that all problems are seen at once, and the last line says how it went.

use crate::format;
use crate::step::{CheckStep, StepOutcome};
use crate::tally::{Harness, TestTally};
use crate::tools;
use anyhow::Result;
use std::process::Command;
use std::time::{Duration, Instant};

/// One line of the summary.
struct SummaryLine {
    name: &'static str,
    outcome: StepOutcome,
    time: Duration,
}

/// Runs all steps; says whether all succeeded.
pub(crate) fn run() -> Result<bool> {
    let start = Instant::now();
    let mut lines = Vec::new();
    let mut tally = TestTally::default();
    for step in steps() {
        println!("\n== {}", step.name);
        let (name, start, n_failed_before) = (step.name, Instant::now(), tally.n_failed);
        let outcome = step.run(&mut tally).unwrap_or_else(|error| StepOutcome::Failed(format!("{error:#}")));
        if outcome != StepOutcome::Ok && tally.n_failed == n_failed_before {
            // No failed test stands for this failure, so the step itself is counted: `0 failed` is never printed
            // when something has failed.
            tally.n_failed += 1;
        }
        lines.push(SummaryLine { name, outcome, time: start.elapsed() });
    }
    print_summary(&lines, &tally, start.elapsed());
    Ok(tally.n_failed == 0)
}

fn steps() -> Vec<CheckStep> {
    let mut steps = vec![
        CheckStep::check("tools", || {
            tools::prepare();
            Ok(())
        }),
        CheckStep::check("format", format::check),
        CheckStep::command(
            "clippy",
            tools::cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        ),
        CheckStep::command("rustdoc", documentation()),
    ];
    if tools::has_nextest() {
        let quiet = ["--color=never", "--status-level=slow", "--final-status-level=none"];
        // The output of tests that pass comes last, where the reasons of the skipped ones are read from it.
        let output = ["--no-fail-fast", "--failure-output=immediate", "--success-output=final"];
        let nextest = tools::cargo(["nextest", "run", "--workspace"].into_iter().chain(quiet).chain(output));
        steps.push(CheckStep::tests("tests", Harness::Nextest, nextest));
        steps.push(CheckStep::tests(
            "doc tests",
            Harness::Libtest,
            tools::cargo(["test", "--workspace", "--doc", "--no-fail-fast", "--", "--color=never"]),
        ));
    } else {
        // What nextest is told in `.config/nextest.toml`: tests that assert times run alone.
        let all = ["test", "--workspace", "--no-fail-fast"];
        let output = ["--color=never", "--show-output"];
        let others = ["--", "--skip", "timed_"].into_iter().chain(output);
        steps.push(CheckStep::tests("tests", Harness::Libtest, tools::cargo(all.into_iter().chain(others))));
        let timed =
            ["--lib", "--bins", "--tests", "timed_", "--", "--test-threads=1"].into_iter().chain(output);
        steps.push(CheckStep::tests("timed", Harness::Libtest, tools::cargo(all.into_iter().chain(timed))));
    }
    steps
}

fn documentation() -> Command {
    let mut command = tools::cargo(["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}

/// Prints what was done; the last line says it all.
fn print_summary(lines: &[SummaryLine], tally: &TestTally, time: Duration) {
    println!("\n== summary");
    for (reason, n_tests) in tally.reasons() {
        println!("skipped {n_tests}: {reason}");
    }
    for advice in tools::PROGRAMS.iter().filter_map(tools::Program::missing) {
        println!("{advice}");
    }
    for name in &tally.failed_names {
        println!("failed: {name}");
    }
    for line in lines {
        let (word, reason) = match &line.outcome {
            StepOutcome::Ok => ("ok", ""),
            StepOutcome::Failed(reason) => ("FAILED ", reason.as_str()),
        };
        println!("{:<10} {:>6.1} s  {word}{reason}", line.name, line.time.as_secs_f64());
    }
    println!("{:<10} {:>6.1} s", "all", time.as_secs_f64());
    println!("{tally}");
}
