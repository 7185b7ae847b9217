//! The search of one position: the same one that a player of ours would make there, in one run or in slices.

use std::time::{Duration, Instant};

use anyhow::Result;
use goban::{Position, Vertex};
use mcts::go::any::{self, GoSearch};
use mcts::report::{Arm, Report};
use mcts::{Limits, Settings};
use player::recipes;
use player::searcher::manners::{PassRule, pass_rule};
use player::searcher::situation;
use recipe::Recipe;

/// A position and the search over it.
pub(super) struct Study {
    pub(super) position: Position,
    /// The recipe as it was asked for.
    pub(super) name: String,
    pub(super) recipe: Recipe,
    pub(super) settings: Settings,
    /// What a player is told about passing here.
    pub(super) rule: PassRule,
    search: Box<dyn GoSearch>,
}

/// What came of it.
pub(super) struct Found {
    /// As after one run of all simulations; its seconds are those of the search alone.
    pub(super) report: Report,
    /// The move that the recipe's rule picks.
    pub(super) chosen: Option<Vertex>,
}

impl Study {
    /// The search of a recipe over a position, with the moves barred that the rules or good manners forbid.
    pub(super) fn new(position: Position, name: &str, settings: Settings) -> Result<Self> {
        let recipe = recipes::parse(name)?;
        let color = position.to_play();
        let mut search = any::search(&recipe, &situation(&position, color), &settings)?;
        let rule = pass_rule(&position, color, false);
        search.restrict_root(&mut |vertex| rule.allows(vertex) && position.is_legal(color, vertex));
        Ok(Self { position, name: name.to_string(), recipe, settings, rule, search })
    }

    /// Runs so many simulations, or fewer if the seconds are over before.
    pub(super) fn think(&mut self, playouts: u64, seconds: Option<f64>) -> Result<Found> {
        self.think_in_slices(playouts, seconds, u64::MAX, |_, _, _| Ok(()))
    }

    /// The same with a look at the tree every so many simulations and at the end. The tree lives on between slices and
    /// a look changes nothing, so what is found does not depend on them.
    ///
    /// # Errors
    /// Those of `look`, which is told the number of simulations so far.
    pub(super) fn think_in_slices(
        &mut self,
        playouts: u64,
        seconds: Option<f64>,
        every: u64,
        mut look: impl FnMut(&Study, u64, &Report) -> Result<()>,
    ) -> Result<Found> {
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let mut total: Option<Report> = None;
        let mut n_run = 0;
        while n_run < playouts {
            let simulations = every.min(playouts - n_run);
            let slice = self.search.run(&Limits { simulations, deadline, stop: None });
            n_run += slice.simulations;
            let is_over = slice.is_settled || slice.simulations < simulations;
            look(self, n_run, &slice)?;
            total = Some(match total {
                Some(before) => slice.after(&before),
                None => slice,
            });
            if is_over {
                break;
            }
        }
        let report = total.unwrap_or_else(|| self.search.report());
        let color = self.position.to_play();
        let chosen = self.search.pick(&report).filter(|&vertex| self.position.is_legal(color, vertex));
        Ok(Found { report, chosen })
    }

    /// The move of an arm.
    pub(super) fn vertex(&self, arm: &Arm) -> Vertex {
        self.search.vertex(arm.action)
    }

    /// Whether this is the arm that would be played.
    pub(super) fn is_chosen(&self, found: &Found, arm: &Arm) -> bool {
        found.chosen == Some(self.vertex(arm))
    }

    /// The move of an arm as people write it.
    pub(super) fn show(&self, arm: &Arm) -> String {
        self.position.size().show(self.vertex(arm))
    }

    /// The expected moves after and with an arm, as people write them.
    pub(super) fn line(&self, arm: &Arm) -> Vec<String> {
        let size = self.position.size();
        arm.line.iter().map(|&action| size.show(self.search.vertex(action))).collect()
    }

    /// Who is expected to own each point, in the order of the board's vertices: −1 White to +1 Black.
    pub(super) fn ownership(&self, report: &Report) -> Vec<f32> {
        self.search.ownership(report)
    }

    /// The models' names as columns and tables need them: a second one of the same name is `name~2`.
    pub(super) fn model_names(report: &Report) -> Vec<String> {
        let names = &report.models;
        let n_before = |idx: usize| names[..idx].iter().filter(|&&name| name == names[idx]).count();
        let name = |idx: usize| match n_before(idx) {
            0 => names[idx].to_string(),
            n => format!("{}~{}", names[idx], n + 1),
        };
        (0..names.len()).map(name).collect()
    }
}
