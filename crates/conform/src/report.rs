//! What a run has found, for people and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Client, Entry, Level, Outcome, Report, Said};

/// The report for people: subject by subject a line for each check, with what was said where one failed (everywhere if
/// `is_verbose`), then the counts and the clients.
pub fn text(report: &Report, is_verbose: bool) -> String {
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

fn heading(report: &Report) -> String {
    let who = match (&report.name, &report.version) {
        (Some(name), Some(version)) => format!("{name} {version}"),
        (Some(name), None) => name.clone(),
        _ => "an engine without a name".to_owned(),
    };
    let n = report.entries.len();
    let checks = if n == 1 { "1 check".to_owned() } else { format!("{n} checks") };
    format!("{who} ({}): {checks} in {:.1} s\n", report.command.join(" "), report.time.as_secs_f64())
}

fn mark(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "ok",
        Outcome::Fail { .. } => "FAIL",
        Outcome::Skipped(_) => "-",
        Outcome::NotTried => "left",
    }
}

fn details(entry: &Entry, is_verbose: bool) -> String {
    let mut out = String::new();
    let mut line = |what: &str, text: &str| {
        let _ = writeln!(out, "            {what:9} {text}");
    };
    match &entry.outcome {
        Outcome::Fail { expected, got } => {
            talk(&entry.talk, &mut line);
            line("came", got);
            line("expected", expected);
            let who: Vec<&str> = entry.check.clients.iter().map(|client| client.name()).collect();
            let who = if who.is_empty() { String::new() } else { format!("{}: ", who.join(", ")) };
            line("suffers", &format!("{who}{}", entry.check.why));
        }
        Outcome::Skipped(why) => line("", why),
        Outcome::Pass if is_verbose => talk(&entry.talk, &mut line),
        Outcome::Pass | Outcome::NotTried => {}
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

fn counts(report: &Report) -> String {
    let mut out = String::new();
    for level in Level::ALL {
        let (passed, failed) = (report.n_passed(level), report.n_failed(level));
        let total = report.of(level).count();
        let skipped = total - passed - failed;
        let _ = writeln!(out, "{:4}  {passed} hold, {failed} fail, {skipped} do not apply", level.word());
    }
    if report.entries.iter().any(|entry| matches!(entry.outcome, Outcome::NotTried)) {
        let why = if report.is_stopped { "the run was ended" } else { "the engine broke too often" };
        let _ = writeln!(out, "Some checks were not made: {why}.");
    }
    out
}

/// Which clients can live with the engine.
fn clients(report: &Report) -> String {
    let mut out = String::from("\nWho would suffer\n");
    for client in Client::NAMED {
        let [musts, wants] = [Level::Must, Level::Want].map(|level| failures(report, client, level));
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

fn failures(report: &Report, client: Client, level: Level) -> Vec<String> {
    let concerns = |entry: &&Entry| {
        let clients = entry.check.clients;
        entry.check.level == level && (clients.contains(&client) || clients.contains(&Client::Every))
    };
    let failed = |entry: &&Entry| matches!(entry.outcome, Outcome::Fail { .. });
    let of_it = report.entries.iter().filter(concerns).filter(failed);
    let short = |title: String| title.strip_prefix("lists ").map(str::to_owned).unwrap_or(title);
    of_it.map(|entry| short(entry.check.title())).collect()
}

/// The report as one object.
pub fn json(report: &Report) -> Value {
    let count = |level: Level| {
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
        "must": count(Level::Must),
        "want": count(Level::Want),
        "may": count(Level::May),
        "checks": report.entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn entry(entry: &Entry) -> Value {
    let (outcome, expected, got) = match &entry.outcome {
        Outcome::Pass => ("pass", None, None),
        Outcome::Fail { expected, got } => ("fail", Some(expected), Some(got)),
        Outcome::Skipped(why) => ("skipped", None, Some(why)),
        Outcome::NotTried => ("not tried", None, None),
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
