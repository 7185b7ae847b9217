//! What the search thinks of one position.
//!
//! The value of a position is the mean over its simulations. That of the best move alone would flatter: the luckiest of many is
//! not as good as it looks. For the same reason a move is compared with the better one by searching the positions after both.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use goban::{Color, Position, Vertex};
use mcts::go_search::GoSearch;
use mcts::{Limits, LoadedNet, Report, Settings};
use player::searcher::{self, manners::pass_rule};
use recipe::Recipe;

use super::game::Reviewed;
use super::store::{Candidate, Found};

/// Memory for the tree of one position: far more than the playouts of a review need.
const MEMORY: usize = 256 << 20;

/// Candidates that are kept, and the moves of a line.
const MAX_CANDIDATES: usize = 5;
const MAX_LINE: usize = 12;

/// How positions are searched.
pub(super) struct Thinker<'a> {
    pub(super) game: &'a Reviewed,
    pub(super) recipe: Recipe,
    /// The network that the recipe asks, if any.
    pub(super) net: Option<LoadedNet>,
    pub(super) playouts: u64,
    pub(super) seed: u64,
    pub(super) stop: &'a Arc<AtomicBool>,
}

impl Thinker<'_> {
    /// Searches the position after `ply` moves, and the one after the move that is better there than the one that was played;
    /// nothing if the search was stopped.
    pub(super) fn think(&self, ply: usize) -> Result<Option<Found>> {
        let position = self.game.position(ply);
        let color = position.to_play();
        let played = self.game.moves().get(ply).map(|(_, play)| play.vertex);
        // The seed depends on nothing but the place, so that it does not matter when and beside what a position is searched.
        let (mut search, report) = self.search(position, color, played, 2 * ply as u64)?;
        let candidates = candidates(search.as_mut(), &report, position, color);
        let best = candidates.first().map(|(vertex, _)| *vertex);
        let mut after_best = None;
        if let (Some(best), Some(played)) = (best, played)
            && best != played
        {
            let mut after = position.clone();
            if after.play(color, best).is_ok() {
                let (_, report) = self.search(&after, !color, None, 2 * ply as u64 + 1)?;
                after_best = Some(1.0 - report.win);
            }
        }
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let candidates = candidates.into_iter().map(|(_, one)| one).collect();
        Ok(Some(Found { ply, win: report.win, score: report.score, after_best, candidates }))
    }

    fn search(
        &self,
        position: &Position,
        color: Color,
        played: Option<Vertex>,
        place: u64,
    ) -> Result<(Box<dyn GoSearch>, Report)> {
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(place);
        let settings = Settings { memory: MEMORY, seed, net: self.net.clone(), ..Settings::default() };
        let mut search = searcher::build(&self.recipe, &settings, position, color)?;
        let rule = pass_rule(position, color, false);
        // A pass is looked at where somebody has passed; that one might pass in the middle of a game helps nobody.
        let is_sensible =
            |vertex: Vertex| rule.allows(vertex) && (!vertex.is_pass() || position.n_passes() > 0);
        let mut n_choices = 0;
        search.restrict_root(&mut |vertex| {
            let is_allowed =
                (is_sensible(vertex) || played == Some(vertex)) && position.is_legal(color, vertex);
            n_choices += usize::from(is_allowed);
            is_allowed
        });
        if n_choices == 0 {
            search.restrict_root(&mut |vertex| position.is_legal(color, vertex));
        }
        let report = search.run(&Limits::simulations(self.playouts).or_when(Arc::clone(self.stop)));
        Ok((search, report))
    }
}

/// The moves that were looked at: the one that would be played first, then by visits.
fn candidates(
    search: &mut dyn GoSearch,
    report: &Report,
    position: &Position,
    color: Color,
) -> Vec<(Vertex, Candidate)> {
    let size = position.size();
    let picked = search.pick(report).filter(|&vertex| position.is_legal(color, vertex));
    let arms = report.arms.iter().filter(|arm| arm.visits > 0);
    let mut candidates: Vec<(Vertex, Candidate)> = arms
        .map(|arm| {
            let line =
                arm.line.iter().take(MAX_LINE).map(|&action| size.show(search.vertex(action))).collect();
            (search.vertex(arm.action), Candidate { win: arm.win, visits: arm.visits, line })
        })
        .collect();
    // A stable sort keeps the board's order among equals.
    candidates.sort_by_key(|(vertex, one)| (Some(*vertex) != picked, std::cmp::Reverse(one.visits)));
    candidates.truncate(MAX_CANDIDATES);
    candidates
}
