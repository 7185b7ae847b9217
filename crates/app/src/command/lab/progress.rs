//! The progress bar of a run, for terminals only.

use indicatif::ProgressBar;
use lab::experiment::{Standing, Stop};
use lab::run::{RunNews, RunProgress};

use crate::bars;

/// A bar with the score of the pairing that played last.
pub(super) struct LabBar {
    bar: ProgressBar,
    /// Whether it was said that openings are being made.
    has_said: bool,
}

impl LabBar {
    /// A bar for an experiment that stands like this.
    pub(super) fn new(standings: &[Standing]) -> Self {
        let over: u64 = standings.iter().map(Standing::n_over).sum();
        let left: u64 = standings.iter().map(Standing::n_left).sum();
        let bar = ProgressBar::new(over + left).with_position(over);
        let bar = bars::styled(bar, "{bar:20} {pos}/{len} {elapsed_precise} {msg}");
        Self { bar, has_said: false }
    }

    /// Shows how it goes.
    pub(super) fn show(&mut self, news: &RunNews<'_>) {
        if let RunNews::Openings { found, wanted } = news {
            return bars::show_openings(&self.bar, *found, *wanted, &mut self.has_said);
        }
        // Whoever does not look pays nothing for it.
        if self.bar.is_hidden() {
            return;
        }
        match news {
            RunNews::Openings { .. } => {}
            RunNews::Trace(name, player) => self.bar.set_message(format!("watching {player}: {name}")),
            RunNews::Game(now) => {
                self.bar.set_length(now.n_over + now.n_left);
                self.bar.set_position(now.n_over);
                self.bar.set_message(message(now));
            }
        }
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn message(now: &RunProgress<'_>) -> String {
    let [a, b] = now.names;
    let text = now.standing.score().text();
    let test = match (now.standing.stop(), now.standing.test()) {
        (Stop::Sprt { test, .. }, Some(so_far)) => {
            let [low, high] = test.bounds();
            format!(", LLR {:.2} [{low:.2}, {high:.2}]", so_far.llr())
        }
        _ => String::new(),
    };
    format!("({} left) {a} – {b}: {}{test}", duration(now.time_left.as_secs()), text.line())
}

/// `12 s`, `3 min`, `2 h 05`.
fn duration(seconds: u64) -> String {
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5999 => format!("{} min", seconds.div_ceil(60)),
        6000..=359_999 => format!("{} h {:02}", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let shown = [0, 99, 100, 3600, 7500, 400_000].map(duration);
        assert_eq!(shown, ["0 s", "99 s", "2 min", "60 min", "2 h 05", "4 days"]);
    }
}
