//! The output of `tengen suite`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use lab::suite::{
    QuestionKind, Remark, Suite, SuiteAttempt, SuiteCase, SuiteItem, SuiteTally, SuiteTask, json, page, tally,
};

use crate::files::cannot_write;

/// The table, or one line of JSON; errors are named in both, one by one on the error output.
pub(super) fn print(
    suites: &[Suite],
    attempts: &[SuiteAttempt],
    task: &SuiteTask,
    has_cases: bool,
    is_json: bool,
) -> Result<()> {
    let tallies = SuiteTally::of_each(suites, attempts);
    complain(suites);
    let mut out = io::stdout().lock();
    if has_cases && !is_json {
        for (idx, suite) in suites.iter().enumerate() {
            let cases: Vec<&SuiteCase> = suite.cases().collect();
            for attempt in attempts.iter().filter(|attempt| attempt.suite_idx == idx) {
                writeln!(out, "{}", line(suite, cases[attempt.case_idx], attempt))?;
            }
        }
    }
    if is_json {
        writeln!(out, "{}", json::summary(suites, &tallies, task))?;
    } else {
        writeln!(out, "{}", tally::table(suites, &tallies))?;
    }
    Ok(())
}

/// A case for people.
fn line(suite: &Suite, case: &SuiteCase, attempt: &SuiteAttempt) -> String {
    let played = attempt.played(case).unwrap_or_else(|| "no answer".to_string());
    let value = attempt.value.map_or(String::new(), |value| format!(", value {value:.3}"));
    let error = attempt.decision.as_ref().err().map_or(String::new(), |error| format!(": {error}"));
    format!(
        "{:6} {}:{} {}: {} to play, answer {}, played {played}{value}{error}",
        attempt.verdict.word(),
        suite.name(),
        case.line,
        case.name,
        case.color,
        case.answer,
    )
}

/// Names what could not be set up. A closed error output is no reason to stop.
fn complain(suites: &[Suite]) {
    let mut out = io::stderr().lock();
    for suite in suites {
        for item in &suite.items {
            if let SuiteItem::Error(Remark { name, line, text }) = item {
                let path = suite.path.display();
                let place = match suite.kind {
                    // Trees are counted; where in the file one is wrong, the text says itself.
                    QuestionKind::Problems => format!("game {line}"),
                    QuestionKind::Drawn | QuestionKind::Regression => format!("line {line}: {name}"),
                };
                let _ = writeln!(out, "tengen: {path}: {place}: {text}");
            }
        }
    }
}

/// Writes all cases as JSON and as pages.
pub(super) fn write(
    folder: &Path,
    suites: &[Suite],
    attempts: &[SuiteAttempt],
    task: &SuiteTask,
) -> Result<()> {
    let tallies = SuiteTally::of_each(suites, attempts);
    let mut all = json::summary(suites, &tallies, task);
    all["files"] = json::cases(suites, attempts);
    let save = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| cannot_write(&path))
    };
    save("cases.json", &format!("{}\n", serde_json::to_string_pretty(&all)?))?;
    for (name, page) in page::pages(suites, attempts, task) {
        save(&name, &page.html())?;
    }
    Ok(())
}
