//! How to get the same results: command, seeds, recipes in full, program, machine.

use std::path::Path;

use player::Manners;
use serde_json::Value;

use crate::plot::number::{Unit, fixed};
use crate::store::RunRow;

use super::super::page::{Page, PageBlock, ReportTable, TableCell};
use super::super::text::Text;
use super::study::ExperimentResults;

/// Adds the section.
pub(super) fn section(page: &mut Page, study: &ExperimentResults) {
    page.heading("How to reproduce");
    let file = file(study);
    page.blocks.push(PageBlock::Code(format!("tengen lab run {file}\ntengen lab report {file}")));
    page.paragraph(
        "With the same program every game is played again move for move, unless time decides or an outside engine plays, \
         in whatever order and on however many tables.",
    );
    for facts in programs(&study.runs) {
        page.blocks.push(PageBlock::Facts(facts));
    }
    let terms = terms(study);
    if !terms.is_empty() {
        page.blocks.push(PageBlock::Details("Terms in full".into(), terms));
    }
    let mut players =
        ReportTable::new("The players as they were given, and in full.", &["player", "given", "in full"]);
    for player in &study.players {
        let code = |text: &str| TableCell::from(Text::new().code(text));
        players.row(vec![player.name.as_str().into(), code(&player.text), code(&player.canonical)]);
    }
    page.blocks.push(PageBlock::Details("Recipes in full".into(), vec![PageBlock::Table(players)]));
    if study.meetings().next().is_some() {
        page.blocks.push(PageBlock::Details("Seeds".into(), seeds(study)));
    }
    page.blocks
        .push(PageBlock::Details("The experiment’s file".into(), vec![PageBlock::Code(study.file.clone())]));
}

/// The experiment's file as somebody else would name it: not where it lay on the machine it was played on.
fn file(study: &ExperimentResults) -> String {
    let shown = match study.path.is_relative() && !study.path.as_os_str().is_empty() {
        true => study.path.clone(),
        false => study.path.file_name().map_or_else(|| format!("{}.toml", study.name).into(), Into::into),
    };
    quoted(&shown)
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The programs and machines that games were played with.
fn programs(runs: &[RunRow]) -> Vec<Vec<(String, Text)>> {
    let mut seen: Vec<Vec<&RunRow>> = Vec::new();
    for run in runs {
        let same = |others: &&mut Vec<&RunRow>| {
            let other = &others[0].info;
            (&other.program, &other.revision, other.bench, &other.cpu, &other.os, other.cores)
                == (
                    &run.info.program,
                    &run.info.revision,
                    run.info.bench,
                    &run.info.cpu,
                    &run.info.os,
                    run.info.cores,
                )
        };
        match seen.iter_mut().find(same) {
            Some(others) => others.push(run),
            None => seen.push(vec![run]),
        }
    }
    seen.iter().map(|runs| facts(runs)).collect()
}

fn facts(runs: &[&RunRow]) -> Vec<(String, Text)> {
    let info = &runs[0].info;
    let mut facts: Vec<(String, Text)> = Vec::new();
    let mut add = |name: &str, text: Text| facts.push((name.to_owned(), text));
    add("program", info.program.as_str().into());
    match &info.revision {
        Some(revision) => add("commit", Text::new().code(revision.as_str())),
        None => add("commit", "not known".into()),
    }
    add("bench number", info.bench.map_or_else(|| "not known".into(), |bench| bench.to_string().into()));
    add("machine", format!("{}, {} cores, {}", info.cpu, info.cores, info.os).into());
    let games: u64 = runs.iter().map(|run| run.games).sum();
    let players: f64 = runs.iter().map(|run| run.player_seconds).sum();
    let tables: f64 = runs.iter().map(|run| run.table_seconds).sum();
    let mut at_once: Vec<u64> = runs.iter().map(|run| run.info.parallel).collect();
    at_once.sort_unstable();
    at_once.dedup();
    if games > 0 {
        let at_once: Vec<String> = at_once.iter().map(u64::to_string).collect();
        let n_runs = if runs.len() == 1 { String::new() } else { format!(" in {} runs", runs.len()) };
        add(
            "games",
            format!("{}{n_runs}, {} at a time", Unit::Plain.bare(games as f64), at_once.join(" or ")).into(),
        );
        let mut time = format!("{} in the players", duration(players));
        if tables > 0.0 {
            let overhead = (1.0 - players / tables).max(0.0);
            time += &format!("; the laboratory itself took {} %", fixed(overhead * 100.0, 1, false));
        }
        add("time", time.into());
    }
    facts
}

/// `12.3 s`, `5 min`, `3 h 20 min`.
fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match minutes {
        0..=1 => format!("{} s", fixed(seconds, 1, false)),
        2..=119 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// The terms that a store leaves out because they are the usual ones.
fn usual_terms() -> [(&'static str, String); 3] {
    let rate = |below: Option<f32>| below.map_or_else(|| "never".to_owned(), |rate| rate.to_string());
    let Manners { resign_below, pass_below, .. } = Manners::default();
    [("openings", "none".to_owned()), ("resign", rate(resign_below)), ("pass-below", rate(pass_below))]
}

/// The terms of each group, once for groups that share them.
fn terms(study: &ExperimentResults) -> Vec<PageBlock> {
    let mut seen: Vec<(String, Vec<(String, Text)>)> = Vec::new();
    for group in &study.groups {
        for meeting in &group.meetings {
            let show = |value: &Value| match value {
                Value::Null => "none".to_owned(),
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            let is_go = !meeting.terms.contains_key("game");
            let usual = usual_terms()
                .into_iter()
                .filter(|(key, _)| !meeting.terms.contains_key(*key) && (is_go || *key == "resign"));
            let given = meeting.terms.iter().map(|(key, value)| {
                let is_rate = ["resign", "pass-below"].contains(&key.as_str());
                let shown = if is_rate && value.is_null() { "never".to_owned() } else { show(value) };
                (key.clone(), shown.into())
            });
            let facts: Vec<(String, Text)> =
                given.chain(usual.map(|(key, text)| (key.to_owned(), text.into()))).collect();
            if !seen.iter().any(|(_, other)| *other == facts) {
                seen.push((group.name.clone(), facts));
            }
        }
    }
    let several = seen.len() > 1;
    let mut blocks = Vec::new();
    for (name, facts) in seen {
        if several {
            blocks.push(PageBlock::Heading(3, name.into()));
        }
        blocks.push(PageBlock::Facts(facts));
    }
    blocks
}

fn seeds(study: &ExperimentResults) -> Vec<PageBlock> {
    let mut table = ReportTable::new(
        "Seeds of the pairings. The seeds of a single game follow from that of its pairing and its number; they \
         stand in the table games.csv (tengen lab export --csv) and in the records (GC).",
        &["group", "A", "B", "#seed"],
    );
    for group in &study.groups {
        for meeting in &group.meetings {
            let [a, b] = meeting.players.map(|player| study.players[player].name.as_str());
            table.row(vec![group.name.as_str().into(), a.into(), b.into(), meeting.seed.to_string().into()]);
        }
    }
    vec![PageBlock::Table(table)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_times_are_written_for_people() {
        assert_eq!(quoted(Path::new("experiments/goyui.toml")), "experiments/goyui.toml");
        assert_eq!(quoted(Path::new("it's here.toml")), r"'it'\''s here.toml'");
        assert_eq!(duration(12.34), "12.3 s");
        assert_eq!(duration(600.0), "10 min");
        assert_eq!(duration(12_000.0), "3 h 20 min");
        let study =
            ExperimentResults { path: "/somewhere/else/a.toml".into(), ..ExperimentResults::default() };
        assert_eq!(file(&study), "a.toml");
    }
}
