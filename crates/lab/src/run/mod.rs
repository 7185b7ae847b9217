//! Playing an experiment: what its store does not have yet is played, and kept game by game.
//!
//! In reading order: this file (a run), [`plan`] (which game comes next), `openings` (those that have to be made), [`trace`]
//! (watching searches), [`machine`] (where it runs).

pub mod machine;
mod openings;
pub mod plan;
pub mod trace;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Result;
use crate::experiment::{Experiment, Standing};
use crate::hall;
use crate::store::{RunInfo, Store};
pub use openings::key as openings_key;
pub use plan::{ExperimentSchedule, RunProgress};

/// An event of a run.
pub enum RunNews<'a> {
    /// Openings are being made for the games.
    Openings {
        /// How many are found.
        found: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// A search is watched: the trace's name and the player's.
    Trace(&'a str, &'a str),
    /// A game was finished.
    Game(RunProgress<'a>),
}

/// Plays what is missing of an experiment, up to `info.parallel` games at a time, until it is complete or `stop` is set; then
/// games in progress are abandoned. Returns whether it is complete. `watch` is told what happens.
///
/// # Errors
/// An engine that cannot start, a game that cannot be played, a store that cannot be written.
pub fn run(
    experiment: &Experiment,
    store: &mut Store,
    info: &RunInfo,
    watch: &mut (dyn FnMut(&RunNews<'_>) + Send),
    stop: &Arc<AtomicBool>,
) -> Result<bool> {
    let traces = trace::missing(experiment, store)?;
    let left: u64 = store.standings(experiment)?.iter().map(Standing::n_left).sum();
    if traces.is_empty() && left == 0 {
        return Ok(true);
    }
    // A table without games would only wait.
    let n_tables = info.parallel.min(left).max(1);
    store.begin_run(&RunInfo { parallel: n_tables, ..info.clone() })?;
    for trace in &traces {
        if stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        watch(&RunNews::Trace(&trace.trace.name, &experiment.players[trace.player].name));
        trace::watch(experiment, trace, store, stop)?;
    }
    if left == 0 {
        return Ok(!stop.load(Ordering::Relaxed));
    }
    let Some(pairings) = openings::pairings(experiment, store, n_tables as usize, watch, stop)? else {
        return Ok(false);
    };
    // The laboratory's time begins with the first game.
    store.begin_games();
    let mut plan = ExperimentSchedule::new(experiment, store, watch)?;
    hall::play(&pairings, n_tables as usize, &mut plan, stop)?;
    Ok(plan.n_left() == 0 && !stop.load(Ordering::Relaxed))
}
