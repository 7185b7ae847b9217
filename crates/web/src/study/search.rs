//! One search that is watched, and the way it came.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use goban::{Position, Size, Vertex};
use mcts::report::{Arm, Report};
use mcts::{Limits, Settings};
use player::searcher::PositionSearch;
use recipe::Recipe;

use crate::protocol::spot::point;
use crate::protocol::tell::{ArmSample, Num, Sample};
use crate::protocol::{Answer, Refusal};

/// Simulations before the first look.
const FIRST: u64 = 16;
/// Between two looks the search grows by this fraction, as 1/n.
const STEP: u64 = 16;
/// Arms up to which the way of all is told.
const ALL: usize = 100;
/// Of more arms only that of this number, beside those that are watched.
const N_ARMS: usize = 30;
/// Looks that are kept until they are told.
const MAX_TRAIL: usize = 400;

/// A search that is watched.
pub(crate) struct Watched {
    pub(crate) search: PositionSearch,
    pub(crate) total: Report,
    /// Looks since the last report.
    pub(crate) trail: Vec<Sample>,
    pub(crate) is_done: bool,
    watch: Vec<Vertex>,
    n_run: u64,
    next_look: u64,
}

impl Watched {
    /// A search of the position.
    pub(crate) fn new(
        position: &Position,
        recipe: &Recipe,
        settings: &Settings,
        watch: Vec<Vertex>,
    ) -> Answer<Self> {
        let mut search = PositionSearch::new(recipe, settings, position, position.to_play())
            .map_err(|error| Refusal::invalid(format!("recipe: {error}")))?;
        let total = search.report();
        Ok(Self { search, total, trail: Vec::new(), is_done: false, watch, n_run: 0, next_look: FIRST })
    }

    pub(crate) fn size(&self) -> Size {
        self.search.position().size()
    }

    /// Runs until the moment, `playouts` in all, or a stop.
    pub(crate) fn run(&mut self, playouts: u64, until: Instant, stop: &Arc<AtomicBool>) {
        loop {
            let left = playouts.saturating_sub(self.n_run);
            let simulations = left.min(self.next_look.saturating_sub(self.n_run).max(1));
            let limits = Limits { simulations, deadline: Some(until), stop: Some(Arc::clone(stop)) };
            let slice = self.search.run(&limits);
            let n_slice = slice.simulations;
            self.n_run += n_slice;
            let is_settled = slice.is_settled;
            self.total = if self.total.simulations == 0 { slice } else { slice.after(&self.total) };
            // No simulations although there was time: the game is over in this position.
            let has_time = Instant::now() < until && !stop.load(Ordering::Relaxed);
            self.is_done = is_settled || (n_slice == 0 && has_time) || self.n_run >= playouts;
            if self.n_run >= self.next_look || self.is_done {
                self.look();
                self.next_look = self.n_run + (self.n_run / STEP).max(FIRST);
            }
            if self.is_done || n_slice < simulations || Instant::now() >= until {
                return;
            }
        }
    }

    /// Notes how the foremost arms and the watched ones stand.
    fn look(&mut self) {
        let size = self.size();
        let mut arms: Vec<&Arm> = self.total.arms.iter().collect();
        arms.sort_by_key(|arm| std::cmp::Reverse(arm.visits));
        let is_watched = |arm: &Arm| self.watch.contains(&self.search.tree().vertex(arm.action));
        let n_told = if arms.len() <= ALL { ALL } else { N_ARMS };
        let views = arms.iter().enumerate().filter(|(idx, arm)| *idx < n_told || is_watched(arm));
        let views = views.map(|(_, arm)| {
            let models = arm.models.iter().map(|model| (Num(model.mean), Num(model.beta))).collect();
            ArmSample(point(size, self.search.tree().vertex(arm.action)), arm.visits, Num(arm.value), models)
        });
        let sample = Sample(self.n_run, views.collect());
        if self.trail.len() == MAX_TRAIL {
            self.trail.remove(MAX_TRAIL / 2);
        }
        self.trail.push(sample);
    }
}
