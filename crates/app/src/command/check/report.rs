//! Findings as they come, and counts at the end.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use goban::{IllegalMove, IllegalReason, Rules};
use serde::Serialize;
use serde_json::{Map, json};

use super::score::ResultCheck;
use crate::words::counted;

/// The findings in the games of one source, or in all.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct CheckCounts {
    /// Games that could be read.
    pub(super) games: u64,
    /// Moves replayed, passes included.
    pub(super) plies: u64,
    /// Games refused for a move on a stone, off the board, of suicide or into a ko.
    pub(super) illegal: u64,
    /// Games refused because a position came back.
    pub(super) repetitions: u64,
    /// Games whose score was compared.
    pub(super) scored: u64,
    /// Games whose score was wrong.
    pub(super) mismatches: u64,
}

impl CheckCounts {
    const COLUMNS: [&'static str; 6] = ["games", "plies", "illegal", "repetitions", "scored", "mismatches"];

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.illegal += other.illegal;
        self.repetitions += other.repetitions;
        self.scored += other.scored;
        self.mismatches += other.mismatches;
    }

    fn columns(&self) -> [u64; 6] {
        [self.games, self.plies, self.illegal, self.repetitions, self.scored, self.mismatches]
    }
}

/// Writes findings and keeps count.
pub(super) struct CheckReport<'a> {
    out: &'a mut dyn Write,
    pub(super) n_files: u64,
    /// Files, lines and games that could not be read.
    n_unreadable: u64,
    /// What was odd and read all the same, which is no fault of a game.
    n_warnings: u64,
    lists_warnings: bool,
    /// In the order in which they were met; there are never many.
    sources: Vec<(String, CheckCounts)>,
    seconds: f64,
}

impl<'a> CheckReport<'a> {
    pub(super) fn new(out: &'a mut dyn Write, lists_warnings: bool) -> Self {
        let sources = Vec::new();
        Self { out, n_files: 0, n_unreadable: 0, n_warnings: 0, lists_warnings, sources, seconds: 0.0 }
    }

    /// The counts of a source.
    pub(super) fn source(&mut self, name: &str) -> &mut CheckCounts {
        let known = self.sources.iter().position(|(known, _)| known == name);
        let idx = known.unwrap_or_else(|| {
            self.sources.push((name.to_string(), CheckCounts::default()));
            self.sources.len() - 1
        });
        &mut self.sources[idx].1
    }

    /// Something that could not be read; the message names the file and, where there is one, the line.
    pub(super) fn unreadable(&mut self, what: &dyn Display) -> io::Result<()> {
        self.n_unreadable += 1;
        // Findings before this one first, should both streams go to one place.
        self.out.flush()?;
        writeln!(io::stderr(), "tengen: {what}")
    }

    /// Something odd; the place names the file and, where it is known, the line.
    pub(super) fn warning(&mut self, place: &dyn Display, what: &dyn Display) -> io::Result<()> {
        self.n_warnings += 1;
        if self.lists_warnings { writeln!(self.out, "{place}: warning: {what}") } else { Ok(()) }
    }

    /// A game that the rules refuse.
    pub(super) fn refused(
        &mut self,
        source: &str,
        place: &dyn Display,
        illegal: &IllegalMove,
    ) -> io::Result<()> {
        let tally = self.source(source);
        match illegal.reason {
            IllegalReason::Superko { .. } => tally.repetitions += 1,
            _ => tally.illegal += 1,
        }
        writeln!(self.out, "{place}: {illegal}")
    }

    /// A game whose score was compared.
    pub(super) fn verdict(
        &mut self,
        source: &str,
        place: &dyn Display,
        verdict: &ResultCheck,
    ) -> io::Result<()> {
        let tally = self.source(source);
        match verdict {
            ResultCheck::NoScore => {}
            ResultCheck::Same => tally.scored += 1,
            ResultCheck::Differs(why) => {
                tally.scored += 1;
                tally.mismatches += 1;
                writeln!(self.out, "{place}: {why}")?;
            }
        }
        Ok(())
    }

    /// All files are done.
    pub(super) fn finish(&mut self, elapsed: Duration) {
        self.seconds = elapsed.as_secs_f64();
    }

    /// True if there was nothing to find.
    pub(super) fn is_clean(&self) -> bool {
        let total = self.total();
        self.n_unreadable + total.illegal + total.repetitions + total.mismatches == 0
    }

    fn total(&self) -> CheckCounts {
        let mut total = CheckCounts::default();
        self.sources.iter().for_each(|(_, tally)| total.add(tally));
        total
    }

    fn plies_per_second(&self) -> f64 {
        (self.total().plies as f64 / self.seconds.max(1e-9)).round()
    }

    /// A table by source and a line for all.
    pub(super) fn write_text(&mut self, rules: &Rules) -> io::Result<()> {
        let total = self.total();
        write_row(self.out, "source", &CheckCounts::COLUMNS)?;
        for (name, tally) in &self.sources {
            write_row(self.out, name, &tally.columns())?;
        }
        if self.sources.len() > 1 {
            write_row(self.out, "all", &total.columns())?;
        }
        writeln!(
            self.out,
            "{}, {} by the rules {rules} in {:.2} s: {} plies per second (reading and unpacking included)",
            counted(total.games, "game"),
            if total.plies == 1 { "1 ply".to_string() } else { format!("{} plies", total.plies) },
            self.seconds,
            self.plies_per_second()
        )?;
        writeln!(
            self.out,
            "{} illegal, {} with a repetition, {} of {} scores wrong, {} unreadable, {} {}{}",
            total.illegal,
            total.repetitions,
            total.mismatches,
            total.scored,
            self.n_unreadable,
            self.n_warnings,
            if self.n_warnings == 1 { "warning" } else { "warnings" },
            if self.n_warnings > 0 && !self.lists_warnings { " (--warnings lists them)" } else { "" }
        )?;
        self.out.flush()
    }

    /// The same in one line.
    pub(super) fn write_json(&mut self, rules: &Rules) -> io::Result<()> {
        let total = self.total();
        let sources: Map<_, _> =
            self.sources.iter().map(|(name, tally)| (name.clone(), json!(tally))).collect();
        let line = json!({
            "rules": rules.to_string(),
            "files": self.n_files,
            "games": total.games,
            "plies": total.plies,
            "seconds": self.seconds,
            "plies_per_second": self.plies_per_second(),
            "illegal": total.illegal,
            "repetitions": total.repetitions,
            "scored": total.scored,
            "mismatches": total.mismatches,
            "unreadable": self.n_unreadable,
            "warnings": self.n_warnings,
            "sources": sources,
        });
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

/// A row of the table by source.
fn write_row<T: Display>(out: &mut dyn Write, name: &str, columns: &[T]) -> io::Result<()> {
    write!(out, "{name:<18}")?;
    columns.iter().try_for_each(|column| write!(out, "{column:>12}"))?;
    writeln!(out)
}
