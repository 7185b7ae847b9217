//! `tengen lab status`: how an experiment stands.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use lab::store::{RunRow, Store};
use lab::tally::uncounted_words;
use player::ReasonKind;

use super::{folder_of, table};

/// Show how an experiment stands: results, what is left, failures, where the time went
#[derive(Args)]
pub(super) struct Options {
    /// The experiment's folder, its file if it was played into results/NAME, or the file in the folder of a match
    #[arg(value_name = "DIR|FILE.toml")]
    experiment: PathBuf,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let dir = folder_of(&self.experiment)?;
        let store = Store::open_read(&dir)?;
        let mut out = io::stdout().lock();
        // Recipes that this program no longer knows do not keep anybody from seeing the results.
        let title = store.experiment().map_or_else(|_| String::new(), |experiment| experiment.title);
        writeln!(out, "{}: {title}", store.name()?)?;
        writeln!(out, "{}", table::of(&store)?)?;
        for line in store.left_out()?.words() {
            writeln!(out, "{line}")?;
        }
        for line in failures(&store)? {
            writeln!(out, "{line}")?;
        }
        for line in runs(&store.runs()?) {
            writeln!(out, "{line}")?;
        }
        if Store::is_playing(&dir) {
            writeln!(out, "being played now")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A line for every player and way to fail, as no player should, and one for games that the referee failed to count.
fn failures(store: &Store) -> Result<Vec<String>> {
    let mut counts: BTreeMap<(String, ReasonKind), u64> = BTreeMap::new();
    let mut n_uncounted = 0;
    for pairing in store.pairings()? {
        for line in store.lines(pairing.id)? {
            n_uncounted += u64::from(line.is_uncounted());
            if let Some(loser) = line.failed() {
                let loser = pairing.names[loser.idx()].clone();
                *counts.entry((loser, line.reason)).or_default() += 1;
            }
        }
    }
    let show = |((player, reason), n): ((String, ReasonKind), u64)| format!("{player} lost {n} by {reason}");
    Ok(counts.into_iter().map(show).chain(uncounted_words(n_uncounted)).collect())
}

/// Where the time went.
fn runs(runs: &[RunRow]) -> Vec<String> {
    let mut lines = Vec::new();
    let sum = |of: &dyn Fn(&RunRow) -> f64| runs.iter().map(of).sum::<f64>();
    let (tables, players) = (sum(&|run| run.table_seconds), sum(&|run| run.player_seconds));
    let games: u64 = runs.iter().map(|run| run.games).sum();
    if games > 0 && tables > 0.0 {
        let n_runs = if runs.len() == 1 { "1 run".to_string() } else { format!("{} runs", runs.len()) };
        lines.push(format!(
            "{games} games in {n_runs}: {players:.1} s in the players, {tables:.1} s at the tables, overhead {:.2} %",
            100.0 * (1.0 - players / tables).max(0.0)
        ));
    }
    let mut engines: Vec<String> = Vec::new();
    for run in runs.iter().filter(|run| run.games > 0) {
        let info = &run.info;
        let revision =
            info.revision.as_ref().map_or(String::new(), |revision| format!(", commit {revision}"));
        let bench = info.bench.map_or(String::new(), |bench| format!(", bench {bench}"));
        let engine =
            format!("{}{revision}{bench}; {}, {} cores, {}", info.program, info.cpu, info.cores, info.os);
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    lines.extend(engines);
    lines
}
