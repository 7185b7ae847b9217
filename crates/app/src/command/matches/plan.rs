//! Which games of a match are still to be played, and what is done with each when it is over.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use lab::tally::Tally;
use lab::{Error, Finished, Job, Line, Schedule};

use super::store::Store;

/// A match on its way: a fixed number of games, of which some may be finished already.
pub(super) struct Plan {
    open: VecDeque<u64>,
    store: Option<Store>,
    tally: Tally,
    bar: ProgressBar,
}

impl Plan {
    /// A match of `games` games, with those that are on file.
    pub(super) fn new(games: u64, finished: &[Line], store: Option<Store>) -> Self {
        let mut tally = Tally::default();
        let mut done = BTreeSet::new();
        for line in finished.iter().filter(|line| line.game <= games) {
            tally.add(line);
            done.insert(line.game);
        }
        let open = (1..=games).filter(|game| !done.contains(game)).collect();
        let bar = progress(games, &tally);
        Self { open, store, tally, bar }
    }

    /// Games that are still to be played.
    pub(super) fn n_open(&self) -> u64 {
        self.open.len() as u64
    }

    /// All that was played.
    pub(super) fn end(self) -> Tally {
        self.bar.finish_and_clear();
        self.tally
    }
}

impl Schedule for Plan {
    fn next(&mut self) -> Option<Job> {
        self.open.pop_front().map(|number| Job { pairing: 0, number })
    }

    fn finished(&mut self, game: &Finished) -> lab::Result<()> {
        if let Some(store) = &mut self.store {
            store.save(&game.line, &game.sgf).map_err(Error::other)?;
        }
        self.tally.add(&game.line);
        self.bar.set_message(self.tally.running());
        self.bar.set_position(self.tally.games);
        Ok(())
    }
}

/// A bar with the running score, for terminals only.
fn progress(games: u64, tally: &Tally) -> ProgressBar {
    let bar = ProgressBar::new(games).with_position(tally.games);
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
    bar.set_message(tally.running());
    // Games may take minutes, and the time goes on.
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// A bar for openings while they are made.
pub(super) fn opening_bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:24} {pos} of {len} balanced openings, {elapsed} gone")
    {
        bar.set_style(style);
    }
    bar
}
