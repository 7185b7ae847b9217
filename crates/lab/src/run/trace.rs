//! Watching a search: the table that `tengen explain --trace` writes, for the players and positions of an experiment.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goban::Position;
use mcts::report::Report;
use mcts::{Limits, Settings};
use player::searcher::PositionSearch;
use recipe::Recipe;
use serde_json::{Value, json};

use crate::experiment::{Experiment, WatchedPosition};
use crate::store::Store;
use crate::{Error, ErrorPlace, Result};

/// A trace that the store does not have.
pub(super) struct Missing<'a> {
    pub(super) trace: &'a WatchedPosition,
    /// Index of the player.
    pub(super) player: usize,
    position: Position,
    settings: Value,
}

/// The traces of an experiment that the store does not have, or has of something else.
pub(super) fn missing<'a>(experiment: &'a Experiment, store: &Store) -> Result<Vec<Missing<'a>>> {
    if experiment.traces.is_empty() {
        return Ok(Vec::new());
    }
    let (stored, players) = (store.traces()?, store.players()?);
    let mut missing = Vec::new();
    for trace in &experiment.traces {
        let position = trace.spot.position().at(format!("trace \"{}\"", trace.name))?;
        for &player in &trace.players {
            let who = &experiment.players[player];
            let settings = json!({
                "player": who.entrant.canonical(),
                "position": position.board().to_string(),
                "to-play": position.to_play().to_string(),
                "komi": position.komi(),
                "rules": position.rules().to_string(),
                "playouts": trace.playouts,
                "every": trace.every,
                "seed": trace.seed,
            });
            let id = players.iter().find(|row| row.name == who.name).map(|row| row.id);
            let is_there = stored.iter().any(|row| {
                row.name == trace.name && Some(row.player) == id && json!(row.settings) == settings
            });
            if !is_there {
                missing.push(Missing { trace, player, position: position.clone(), settings });
            }
        }
    }
    Ok(missing)
}

/// Runs the search and keeps its table, unless `stop` is set before its end.
pub(super) fn watch(
    experiment: &Experiment,
    missing: &Missing<'_>,
    store: &mut Store,
    stop: &Arc<AtomicBool>,
) -> Result<()> {
    let Missing { trace, player, position, settings } = missing;
    let who = &experiment.players[*player];
    let Some(recipe) = who.entrant.recipe() else { return Ok(()) };
    let place = || format!("trace \"{}\" of {}", trace.name, who.name);
    let means = Settings { net: who.entrant.settings(trace.seed)?.net, ..Settings::default() };
    if let Some(csv) = table(trace, recipe, &means, position, stop).at(place())? {
        store.save_trace(&trace.name, &who.name, settings, &csv)?;
    }
    Ok(())
}

/// The table of a search; none if it was stopped.
fn table(
    trace: &WatchedPosition,
    recipe: &Recipe,
    means: &Settings,
    position: &Position,
    stop: &Arc<AtomicBool>,
) -> Result<Option<String>> {
    let settings = Settings { seed: trace.seed, ..means.clone() };
    let mut search =
        PositionSearch::new(recipe, &settings, position, position.to_play()).map_err(Error::from)?;
    let mut csv = String::new();
    let mut n_run = 0;
    while n_run < trace.playouts {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let simulations = trace.every.min(trace.playouts - n_run);
        let slice = search.run(&Limits { simulations, deadline: None, stop: None });
        n_run += slice.simulations;
        let is_over = slice.is_settled || slice.simulations < simulations;
        add_rows(&mut csv, &search, n_run, &slice);
        if is_over {
            break;
        }
    }
    Ok(Some(csv))
}

/// A row for each move of the root, after a header before the first.
fn add_rows(csv: &mut String, search: &PositionSearch, n_run: u64, report: &Report) {
    if csv.is_empty() {
        *csv += "simulation,move,visits";
        for (idx, name) in report.models.iter().enumerate() {
            // A second model of the same name is NAME~2.
            let n = 1 + report.models[..idx].iter().filter(|before| *before == name).count();
            let name = if n == 1 { name.to_string() } else { format!("{name}~{n}") };
            let _ = write!(csv, ",{name}.n,{name}.q,{name}.beta");
        }
        *csv += ",value\n";
    }
    for arm in &report.arms {
        let shown = search.position().size().show(search.tree().vertex(arm.action));
        let _ = write!(csv, "{n_run},{shown},{}", arm.visits);
        for model in &arm.models {
            let _ = write!(csv, ",{},{},{}", model.weight, model.mean, model.beta);
        }
        let _ = writeln!(csv, ",{}", arm.value);
    }
}
