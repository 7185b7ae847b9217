//! A whole game looked at: each position is searched a little, and the page draws how the game went.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use goban::{Color, Position};
use mcts::go_search;
use mcts::{Limits, LoadedNet, Report, Settings};
use player::searcher;
use recipe::Recipe;

use crate::pool::{Job, Progress};
use crate::protocol::Tell;
use crate::protocol::spot::point;
use crate::protocol::tell::{Num, Survey};

/// A survey at work.
pub(crate) struct SurveyJob {
    pub(crate) number: u64,
    /// The game.
    pub(crate) game: Position,
    pub(crate) recipe: Recipe,
    /// The network that the recipe may ask.
    pub(crate) net: Option<LoadedNet>,
    /// Simulations for each position.
    pub(crate) playouts: u64,
    /// Bytes for the tree.
    pub(crate) memory: usize,
    pub(crate) stop: Arc<AtomicBool>,
    /// Says whether anybody listens.
    pub(crate) tell: Box<dyn Fn(&Tell) -> bool + Send>,
    /// Positions that are done.
    pub(crate) n_done: usize,
    /// The search of the next one, if it has begun.
    pub(crate) begun: Option<(Box<dyn go_search::GoSearch>, Report)>,
}

impl Job for SurveyJob {
    fn slice(&mut self, until: Instant) -> Progress {
        loop {
            let n = self.game.plays().len() + 1;
            if self.n_done >= n || self.stop.load(Ordering::Relaxed) {
                return Progress::Done;
            }
            // All positions at once would take much room; one is quickly found by going back.
            let mut position = self.game.clone();
            position.undo_many(n - 1 - self.n_done);
            let Some((mut search, before)) = self.begun.take().or_else(|| self.begin(&position)) else {
                return Progress::Done;
            };
            let left = self.playouts.saturating_sub(before.simulations).max(1);
            let slice = search.run(&Limits { simulations: left, deadline: Some(until), stop: None });
            let n_slice = slice.simulations;
            let report = if before.simulations == 0 { slice } else { slice.after(&before) };
            let is_over = n_slice == 0 || report.is_settled || report.simulations >= self.playouts;
            if is_over {
                let best = search.pick(&report).filter(|_| report.visits > 0);
                let is_black = position.to_play() == Color::Black;
                let message = Tell::Survey(Survey {
                    number: self.number,
                    ply: self.n_done,
                    of: n,
                    win: Num(if is_black { report.win } else { 1.0 - report.win }),
                    score: Num(report.score),
                    best: best.map(|to| point(position.size(), to)),
                    done: self.n_done + 1 == n,
                });
                self.n_done += 1;
                if !(self.tell)(&message) {
                    return Progress::Done;
                }
            } else {
                self.begun = Some((search, report));
            }
            if Instant::now() >= until {
                return if self.n_done < n { Progress::More } else { Progress::Done };
            }
        }
    }

    fn is_forgotten(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl SurveyJob {
    /// The search of a position; none if the recipe does not fit, which was looked at before.
    fn begin(&self, position: &Position) -> Option<(Box<dyn go_search::GoSearch>, Report)> {
        let settings = Settings { memory: self.memory, net: self.net.clone(), ..Settings::default() };
        let color = position.to_play();
        let mut search = searcher::build(&self.recipe, &settings, position, color).ok()?;
        search.restrict_root(&mut |vertex| position.is_legal(color, vertex));
        let report = search.report();
        Some((search, report))
    }
}
