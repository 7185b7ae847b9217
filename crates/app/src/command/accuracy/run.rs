//! `tengen accuracy run`: playouts against labelled positions.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use lab::accuracy::file::LabelHeader;
use lab::accuracy::{AccuracySettings, file, measure, page};
use lab::predict::page::About;
use player::recipes;
use serde_json::json;

use super::text;
use crate::bars;
use crate::command::predict::command_line;
use crate::options::{parse_seed, parse_whole, refuse_zeros};

/// Play from labelled positions and compare
///
/// Prints the mean squared error of the Monte-Carlo estimate (with its standard error and a 95 % bootstrap interval over
/// positions) against four labels: the value that the deep search found; who wins by it, as 1 or 0, which is how people
/// label; the same in the positions it is sure of (value up to 0.1 or from 0.9); and how the game ended. Then the error by
/// number of playouts, what of it is chance, the bias, and the calibration.
#[derive(Args)]
pub(super) struct Options {
    /// What `tengen accuracy label` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Who chooses the moves: a policy of `tengen list policy`, with parameters if wanted: uniform:eye=goyui
    #[arg(long, default_value = "uniform")]
    policy: String,
    /// Playouts from each position
    #[arg(long, default_value_t = 1000, value_parser = parse_seed, allow_negative_numbers = true)]
    playouts: u64,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Positions at the same time; the result does not depend on it
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole, allow_negative_numbers = true)]
    parallel: usize,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// Also write accuracy.html, accuracy.md and the curves as SVG into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Options {
    pub(super) fn run(&self) -> Result<ExitCode> {
        refuse_zeros(&[("--playouts", self.playouts), ("--parallel", self.parallel as u64)])?;
        let policy = recipes::policy(&self.policy).with_context(|| format!("--policy {}", self.policy))?;
        let labels = file::read(&self.file)?;
        let settings =
            AccuracySettings { policy, playouts: self.playouts, seed: self.seed, parallel: self.parallel };
        let bar = bars::timed(labels.labels.len() as u64, &self.policy);
        let measured =
            measure(&labels, &settings, || bar.inc(1)).with_context(|| self.file.display().to_string())?;
        bar.finish_and_clear();
        let text = if self.json {
            json!({
                "file": self.file.display().to_string(),
                "labels": labels.header,
                "policy": self.policy,
                "playouts": self.playouts,
                "seed": self.seed,
                "version": env!("CARGO_PKG_VERSION"),
                "against": measured,
            })
            .to_string()
        } else {
            text::measured(&labels, &self.policy, &settings, &measured)
        };
        writeln!(io::stdout().lock(), "{}", text.trim_end())?;
        if let Some(folder) = &self.out {
            page::page(&self.policy, &labels, &measured, &self.about(&labels.header))
                .save(folder, "accuracy")?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// How the numbers come about.
    fn about(&self, header: &LabelHeader) -> About {
        let program = |version: &str, bench: Option<u64>| {
            bench.map_or(format!("tengen {version}"), |bench| format!("tengen {version}, bench {bench}"))
        };
        let facts = [
            ("labels", self.file.display().to_string()),
            ("games of the labels", format!("{} of {}", header.positions, header.files.join(" "))),
            ("recipe of the labels", header.canonical.clone()),
            ("seed of the labels", header.seed.to_string()),
            ("program of the labels", program(&header.program.version, header.program.bench)),
            ("policy", self.policy.clone()),
            ("seed", self.seed.to_string()),
            ("program", program(env!("CARGO_PKG_VERSION"), None)),
        ];
        About { facts: facts.map(|(name, fact)| (name.to_string(), fact)).to_vec(), command: command_line() }
    }
}
