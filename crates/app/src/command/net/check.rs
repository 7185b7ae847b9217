//! `tengen net check`: whether a network computes on this machine what it should.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use player::nets::check::{self, EngineCheck, NetDifferences};

use super::Which;

/// Read a network and compare its engines with the reference
///
/// A few positions on 9x9, 13x13 and 19x19 are evaluated in i16, in which searches ask networks, and in f32, on every
/// instruction set of this machine. The largest differences from a plain evaluation are told. In i16 all instruction
/// sets must agree in every bit. The exit code is 1 if anything is out of tolerance. A large network takes a minute.
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    which: Which,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let file = self.which.load()?;
        let checks = check::check(file.net.graph())?;
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{} ({}): {} positions against the reference, largest differences",
            file.place(),
            file.net.name(),
            check::n_positions()
        )?;
        writeln!(
            out,
            "{:6}  {:11}  {:>9}  {:>9}  {:>11}  {:>9}  {:>11}",
            "engine", "set", "win", "policy", "lead", "owners", "other move"
        )?;
        for check in &checks {
            writeln!(out, "{}", row(check))?;
        }
        let is_good = checks.iter().all(EngineCheck::is_good);
        let verdict = if is_good { "all within tolerance" } else { "out of tolerance" };
        writeln!(
            out,
            "{verdict}: {}; {}",
            tolerance("i16", &check::I16_TOLERANCE),
            tolerance("f32", &check::F32_TOLERANCE)
        )?;
        Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn row(check: &EngineCheck) -> String {
    let EngineCheck { number, isa, largest, n_other_moves, .. } = check;
    let NetDifferences { p_win, policy, lead, ownership } = largest;
    let mut notes = Vec::new();
    if *number == "i16" {
        notes.push(if check.is_same { "the same bits" } else { "OTHER BITS than the first set" });
    }
    if !largest.is_within(&check.tolerance) {
        notes.push("OUT OF TOLERANCE");
    }
    let row = format!(
        "{number:6}  {isa:11}  {p_win:>9.6}  {policy:>9.6}  {lead:>9.5} p  {ownership:>9.6}  {:>11}  {}",
        format!("{n_other_moves} of {}", check::n_positions()),
        notes.join(", ")
    );
    row.trim_end().to_string()
}

fn tolerance(number: &str, allowed: &NetDifferences) -> String {
    let NetDifferences { p_win, policy, lead, ownership } = allowed;
    format!("{number} win {p_win}, policy {policy}, lead {lead} points, owners {ownership}")
}
