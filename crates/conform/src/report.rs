//! What a run has found, for people and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{CheckLevel, CheckOutcome, CheckedEntry, ClientProgram, ConformReport, Said};

/// The report for people: subject by subject a line for each check, with what was said where one failed (everywhere if
/// `is_verbose`), then the counts and the clients.
pub fn text(report: &ConformReport, is_verbose: bool) -> String {
    let mut out = heading(report);
    let mut group = "";
    for entry in &report.entries {
        if entry.group != group {
            group = entry.group;
            let _ = write!(out, "\n{group}\n");
        }
        let _ = writeln!(
            out,
            "  {:4} {:4} {}",
            mark(&entry.outcome),
            entry.check.level.word(),
            entry.check.title()
        );
        out.push_str(&details(entry, is_verbose));
    }
    out.push('\n');
    out.push_str(&counts(report));
    out.push_str(&clients(report));
    out
}

fn heading(report: &ConformReport) -> String {
    let who = match (&report.name, &report.version) {
        (Some(name), Some(version)) => format!("{name} {version}"),
        (Some(name), None) => name.clone(),
        _ => "an engine without a name".to_owned(),
    };
    let n = report.entries.len();
    let checks = if n == 1 { "1 check".to_owned() } else { format!("{n} checks") };
    format!("{who} ({}): {checks} in {:.1} s\n", report.command.join(" "), report.time.as_secs_f64())
}

fn mark(outcome: &CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Pass => "ok",
        CheckOutcome::Fail { .. } => "FAIL",
        CheckOutcome::Skipped(_) => "-",
        CheckOutcome::NotTried => "left",
    }
}

fn details(entry: &CheckedEntry, is_verbose: bool) -> String {
    let mut out = String::new();
    let mut line = |what: &str, text: &str| {
        let _ = writeln!(out, "            {what:9} {text}");
    };
    match &entry.outcome {
        CheckOutcome::Fail { expected, got } => {
            talk(&entry.talk, &mut line);
            line("came", got);
            line("expected", expected);
            let who: Vec<&str> = entry.check.clients.iter().map(|client| client.name()).collect();
            let who = if who.is_empty() { String::new() } else { format!("{}: ", who.join(", ")) };
            line("suffers", &format!("{who}{}", entry.check.why));
        }
        CheckOutcome::Skipped(why) => line("", why),
        CheckOutcome::Pass if is_verbose => talk(&entry.talk, &mut line),
        CheckOutcome::Pass | CheckOutcome::NotTried => {}
    }
    out
}

/// The last lines of what was said; a long talk is told from its end, where the trouble is.
fn talk(talk: &[Said], line: &mut dyn FnMut(&str, &str)) {
    const N_LINES: usize = 12;
    let from = talk.len().saturating_sub(N_LINES);
    if from > 0 {
        line("…", &format!("{from} lines before"));
    }
    for said in &talk[from..] {
        match said {
            Said::Sent(text) => line(">", text),
            Said::Came(text) => line("<", text),
            Said::Note(text) => line("#", text),
        }
    }
}

fn counts(report: &ConformReport) -> String {
    let mut out = String::new();
    for level in CheckLevel::ALL {
        let (passed, failed) = (report.n_passed(level), report.n_failed(level));
        let total = report.of(level).count();
        let skipped = total - passed - failed;
        let _ = writeln!(out, "{:4}  {passed} hold, {failed} fail, {skipped} do not apply", level.word());
    }
    if report.entries.iter().any(|entry| matches!(entry.outcome, CheckOutcome::NotTried)) {
        let why = if report.is_stopped { "the run was ended" } else { "the engine broke too often" };
        let _ = writeln!(out, "Some checks were not made: {why}.");
    }
    out
}

/// Which clients can live with the engine.
fn clients(report: &ConformReport) -> String {
    let mut out = String::from("\nWho would suffer\n");
    for client in ClientProgram::NAMED {
        let [musts, wants] =
            [CheckLevel::Must, CheckLevel::Want].map(|level| failures(report, client, level));
        let verdict = match (musts.len(), wants.len()) {
            (0, 0) => "fine".to_owned(),
            (0, n) => format!("works, {} missing: {}", plural(n, "wish", "wishes"), wants.join("; ")),
            (n, _) => format!("{} would break it: {}", plural(n, "fault", "faults"), musts.join("; ")),
        };
        let _ = writeln!(out, "  {:15} {verdict}", client.name());
    }
    out
}

fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

fn failures(report: &ConformReport, client: ClientProgram, level: CheckLevel) -> Vec<String> {
    let concerns = |entry: &&CheckedEntry| {
        let clients = entry.check.clients;
        entry.check.level == level && (clients.contains(&client) || clients.contains(&ClientProgram::Every))
    };
    let failed = |entry: &&CheckedEntry| matches!(entry.outcome, CheckOutcome::Fail { .. });
    let of_it = report.entries.iter().filter(concerns).filter(failed);
    let short = |title: String| title.strip_prefix("lists ").map(str::to_owned).unwrap_or(title);
    of_it.map(|entry| short(entry.check.title())).collect()
}

/// The report as one object.
pub fn json(report: &ConformReport) -> Value {
    let count = |level: CheckLevel| {
        let (passed, failed) = (report.n_passed(level), report.n_failed(level));
        json!({ "passed": passed, "failed": failed, "skipped": report.of(level).count() - passed - failed })
    };
    json!({
        "command": report.command,
        "name": report.name,
        "version": report.version,
        "size": report.size,
        "seconds": (report.time.as_secs_f64() * 1000.0).round() / 1000.0,
        "stopped": report.is_stopped,
        "must": count(CheckLevel::Must),
        "want": count(CheckLevel::Want),
        "may": count(CheckLevel::May),
        "checks": report.entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn entry(entry: &CheckedEntry) -> Value {
    let (outcome, expected, got) = match &entry.outcome {
        CheckOutcome::Pass => ("pass", None, None),
        CheckOutcome::Fail { expected, got } => ("fail", Some(expected), Some(got)),
        CheckOutcome::Skipped(why) => ("skipped", None, Some(why)),
        CheckOutcome::NotTried => ("not tried", None, None),
    };
    let talk: Vec<Value> = entry
        .talk
        .iter()
        .map(|said| match said {
            Said::Sent(text) => json!({ "sent": text }),
            Said::Came(text) => json!({ "came": text }),
            Said::Note(text) => json!({ "note": text }),
        })
        .collect();
    json!({
        "group": entry.group,
        "check": entry.check.title(),
        "level": entry.check.level.word(),
        "outcome": outcome,
        "expected": expected,
        "got": got,
        "clients": entry.check.clients.iter().map(|client| client.name()).collect::<Vec<_>>(),
        "why": entry.check.why,
        "talk": talk,
    })
}
