//! The search of one position: the same one that a player of ours would make there, in one run or in slices. [`SearchedPosition`] is what
//! tables need of it, whichever game it is of; [`GoStudy`] is that of a game of Go.

use std::time::{Duration, Instant};

use anyhow::Result;
use goban::{Color, Position, Vertex};
use mcts::report::{Arm, Report};
use mcts::{Action, Limits, Settings};
use player::recipes;
use player::searcher::PositionSearch;
use player::searcher::manners::{PassRule, pass_rule};
use recipe::Recipe;

/// The question to a search.
pub(super) struct Asked {
    /// The recipe as it was asked for.
    pub(super) name: String,
    pub(super) recipe: Recipe,
    pub(super) settings: Settings,
}

/// The results of a search.
pub(super) struct SearchResult {
    /// As after one run of all simulations; its seconds are those of the search alone.
    pub(super) report: Report,
    /// The move that the recipe's rule picks.
    pub(super) chosen: Option<Action>,
}

impl SearchResult {
    /// Whether this is the arm that would be played.
    pub(super) fn is_chosen(&self, arm: &Arm) -> bool {
        self.chosen == Some(arm.action)
    }
}

/// A search over a position.
pub(super) trait SearchedPosition {
    /// What was asked for.
    fn asked(&self) -> &Asked;

    /// Whose values are shown.
    fn to_play(&self) -> Color;

    /// Moves before the position.
    fn n_plays(&self) -> usize;

    /// A move as people write it.
    fn show_action(&self, action: Action) -> String;

    /// Runs simulations.
    fn run(&mut self, limits: &Limits) -> Report;

    /// What the search thinks now.
    fn report(&mut self) -> Report;

    /// The move that would be played.
    fn pick(&mut self, report: &Report) -> Option<Action>;

    /// Whether an arm has a letter on the board that is drawn.
    fn has_place(&self, arm: &Arm) -> bool;

    /// The move of an arm as people write it.
    fn show(&self, arm: &Arm) -> String {
        self.show_action(arm.action)
    }

    /// The expected moves after and with an arm, as people write them.
    fn line(&self, arm: &Arm) -> Vec<String> {
        arm.line.iter().map(|&action| self.show_action(action)).collect()
    }
}

/// Runs `playouts` simulations, or fewer if the seconds are over before, with a look at the tree every `every` simulations and
/// at the end. The tree lives on between slices and a look changes nothing, so what is found does not depend on them.
///
/// # Errors
/// Those of `look`, which is told the number of simulations so far.
pub(super) fn think(
    study: &mut dyn SearchedPosition,
    playouts: u64,
    seconds: Option<f64>,
    every: u64,
    mut look: impl FnMut(&dyn SearchedPosition, u64, &Report) -> Result<()>,
) -> Result<SearchResult> {
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let mut total: Option<Report> = None;
    let mut n_run = 0;
    while n_run < playouts {
        let simulations = every.min(playouts - n_run);
        let slice = study.run(&Limits { simulations, deadline, stop: None });
        n_run += slice.simulations;
        let is_over = slice.is_settled || slice.simulations < simulations;
        look(study, n_run, &slice)?;
        total = Some(match total {
            Some(before) => slice.after(&before),
            None => slice,
        });
        if is_over {
            break;
        }
    }
    let report = total.unwrap_or_else(|| study.report());
    let chosen = study.pick(&report);
    Ok(SearchResult { report, chosen })
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

/// A position of Go and the search over it.
pub(super) struct GoStudy {
    asked: Asked,
    /// What a player is told about passing here.
    pub(super) rule: PassRule,
    search: PositionSearch,
}

impl GoStudy {
    /// The search of a recipe over a position.
    pub(super) fn new(position: &Position, name: &str, settings: Settings) -> Result<Self> {
        let recipe = recipes::parse(name)?;
        let color = position.to_play();
        let search = PositionSearch::new(&recipe, &settings, position, color)?;
        let rule = pass_rule(position, color, false);
        Ok(Self { asked: Asked { name: name.to_string(), recipe, settings }, rule, search })
    }

    pub(super) fn position(&self) -> &Position {
        self.search.position()
    }

    /// The move of an arm.
    pub(super) fn vertex(&self, arm: &Arm) -> Vertex {
        self.search.tree().vertex(arm.action)
    }

    /// Who is expected to own each point, in the order of the board's vertices: −1 White to +1 Black.
    pub(super) fn ownership(&self, report: &Report) -> Vec<f32> {
        self.search.tree().ownership(report)
    }
}

impl SearchedPosition for GoStudy {
    fn asked(&self) -> &Asked {
        &self.asked
    }

    fn to_play(&self) -> Color {
        self.search.to_play()
    }

    fn n_plays(&self) -> usize {
        self.position().plays().len()
    }

    fn show_action(&self, action: Action) -> String {
        self.position().size().show(self.search.tree().vertex(action))
    }

    fn has_place(&self, arm: &Arm) -> bool {
        !self.vertex(arm).is_pass()
    }

    fn run(&mut self, limits: &Limits) -> Report {
        self.search.run(limits)
    }

    fn report(&mut self) -> Report {
        self.search.report()
    }

    fn pick(&mut self, report: &Report) -> Option<Action> {
        let picked = self.search.pick(report)?;
        report.arms.iter().map(|arm| arm.action).find(|&action| self.search.tree().vertex(action) == picked)
    }
}
