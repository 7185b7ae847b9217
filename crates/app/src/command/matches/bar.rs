//! The progress bar of a match, for terminals only.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use lab::experiment::Standing;
use lab::run::RunNews;

use crate::bars;

/// A bar with the running score.
pub(super) struct MatchBar {
    bar: ProgressBar,
    /// Whether it was said that openings are being made.
    has_said: bool,
}

impl MatchBar {
    /// A bar for a match that stands like this.
    pub(super) fn new(standing: &Standing) -> Self {
        let bar = ProgressBar::new(standing.n_over() + standing.n_left()).with_position(standing.n_over());
        let template = "{bar:24} {pos} of {len}, {left} left, {elapsed} gone, {to_go} to go\n{wide_msg}";
        // A bar that cannot be written is not worth a word.
        let left = |state: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}", state.len().unwrap_or(0).saturating_sub(state.pos()));
        };
        let to_go = |state: &ProgressState, out: &mut dyn Write| {
            let _ = match state.eta() {
                eta if eta.is_zero() => out.write_str("?"),
                eta => write!(out, "{:#}", HumanDuration(eta)),
            };
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("left", left).with_key("to_go", to_go));
        }
        bar.reset_eta();
        bar.set_message(message(standing));
        // Games may take minutes, and the time goes on.
        bar.enable_steady_tick(Duration::from_secs(1));
        Self { bar, has_said: false }
    }

    /// Shows how it goes.
    pub(super) fn show(&mut self, news: &RunNews<'_>) {
        match news {
            RunNews::Openings { found, wanted } => {
                bars::show_openings(&self.bar, *found, *wanted, &mut self.has_said);
            }
            RunNews::Game(now) => {
                self.bar.set_position(now.n_over);
                self.bar.set_message(message(now.standing));
            }
            RunNews::Trace(..) => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn message(standing: &Standing) -> String {
    match standing.n_over() {
        0 => String::new(),
        _ => format!("A – B: {}", standing.score().text().line()),
    }
}
