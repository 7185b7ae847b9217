//! One step of the test command: a check of our own, an outside command, or an outside command whose tests are counted.

use crate::tally::{Harness, TestTally};
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, pipe};
use std::process::{Command, ExitStatus, Stdio};

/// How a step ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    /// As it should.
    Ok,
    /// Otherwise, with a reason for the summary.
    Failed(String),
}

/// A step and its name in the summary.
pub(crate) struct CheckStep {
    pub(crate) name: &'static str,
    work: Work,
}

enum Work {
    Check(fn() -> Result<()>),
    Command(Command),
    Tests(Harness, Command),
}

impl CheckStep {
    /// A step done here.
    pub(crate) fn check(name: &'static str, check: fn() -> Result<()>) -> CheckStep {
        CheckStep { name, work: Work::Check(check) }
    }

    /// A command that succeeds or fails.
    pub(crate) fn command(name: &'static str, command: Command) -> CheckStep {
        CheckStep { name, work: Work::Command(command) }
    }

    /// A command that runs tests.
    pub(crate) fn tests(name: &'static str, harness: Harness, command: Command) -> CheckStep {
        CheckStep { name, work: Work::Tests(harness, command) }
    }

    /// Does the work, adding the tests it runs to `tally`.
    ///
    /// # Errors
    /// When the check fails or the command cannot be started.
    pub(crate) fn run(self, tally: &mut TestTally) -> Result<StepOutcome> {
        match self.work {
            Work::Check(check) => check().map(|()| StepOutcome::Ok),
            Work::Command(mut command) => {
                let status = command.stdin(Stdio::null()).status();
                Ok(outcome(status.with_context(|| format!("cannot start {command:?}"))?))
            }
            Work::Tests(harness, command) => Ok(outcome(run_tests(command, harness, tally)?)),
        }
    }
}

fn outcome(status: ExitStatus) -> StepOutcome {
    if status.success() { StepOutcome::Ok } else { StepOutcome::Failed(status.to_string()) }
}

/// Runs the command, shows its lines as they come, and counts.
fn run_tests(mut command: Command, harness: Harness, tally: &mut TestTally) -> Result<ExitStatus> {
    let (reader, writer) = pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    // The command holds the writing ends; the output ends only when all of them are closed.
    drop(command);
    let mut reader = BufReader::new(reader);
    let mut raw = Vec::new();
    while reader.read_until(b'\n', &mut raw)? > 0 {
        let line = String::from_utf8_lossy(&raw);
        if tally.read(harness, line.trim_end()) {
            print!("{line}");
        }
        raw.clear();
    }
    Ok(child.wait()?)
}
