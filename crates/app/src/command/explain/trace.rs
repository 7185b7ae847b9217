//! How a search came to think what it thinks: a CSV file with a row for each root arm at each look.
//!
//! Columns: `simulation,move,visits`, then `MODEL.n,MODEL.q,MODEL.beta` for each model of the recipe, then `value`, all as
//! the player to move at the root sees them; `docs/methods/README.md` explains them. With
//! models=mc+rave they are n, Q and 1 − β, ñ, Q̃ and β, and the mixed value Q*, which the figures about mixing are
//! drawn from [You, fig. 3.3, 5.5, 5.8].

use std::io::Write;

use anyhow::Result;
use mcts::report::Report;

use super::study::{SearchedPosition, model_names};

/// The first columns, as they stand in the first line.
pub(super) const COLUMNS: &str = "simulation,move,visits";

/// A file that is being written.
pub(super) struct TraceTable<W> {
    out: W,
    has_header: bool,
}

impl<W: Write> TraceTable<W> {
    /// Writes to `out`.
    pub(super) fn new(out: W) -> Self {
        Self { out, has_header: false }
    }

    /// A row for each arm, in the board's order, after a number of simulations.
    pub(super) fn add(
        &mut self,
        study: &dyn SearchedPosition,
        n_simulations: u64,
        report: &Report,
    ) -> Result<()> {
        if !self.has_header {
            self.has_header = true;
            write!(self.out, "{COLUMNS}")?;
            for name in model_names(report) {
                write!(self.out, ",{name}.n,{name}.q,{name}.beta")?;
            }
            writeln!(self.out, ",value")?;
        }
        for arm in &report.arms {
            write!(self.out, "{n_simulations},{},{}", study.show(arm), arm.visits)?;
            for model in &arm.models {
                write!(self.out, ",{},{},{}", model.weight, model.mean, model.beta)?;
            }
            writeln!(self.out, ",{}", arm.value)?;
        }
        Ok(())
    }

    /// Everything is in the file.
    pub(super) fn finish(mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}
