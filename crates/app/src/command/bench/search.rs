//! `tengen bench search`: what simulations from the empty board cost.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use goban::{AnyBoard, Color};
use mcts::go::any::{self, Situation};
use mcts::{Limits, Settings};
use player::recipes;
use serde_json::json;

use super::{per_second, print};
use crate::options::{GameOptions, ThinkOptions};

/// Simulations when neither a number nor a time is given.
const DEFAULT_SIMULATIONS: u64 = 20_000;

/// Measure the search from the empty board
///
/// Runs --playouts simulations (20000 if neither they nor --time are given) and says how fast they were and what
/// the tree took.
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    think: ThinkOptions,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Options {
    pub(super) fn run(&self) -> Result<()> {
        self.think.check()?;
        let size = self.game.size;
        let recipe =
            recipes::parse(&self.think.recipe).with_context(|| format!("--recipe {}", self.think.recipe))?;
        let board = AnyBoard::new(size);
        let situation = Situation {
            board: &board,
            to_play: Color::Black,
            komi: self.game.komi,
            n_passes: 0,
            recent: [None; 2],
        };
        let settings = Settings { seed: self.think.seed, ..Settings::default() };
        let mut search = any::search(&recipe, &situation, &settings)?;
        let start = Instant::now();
        let report = search.run(&self.limits(start));
        let seconds = start.elapsed().as_secs_f64();
        let rate = per_second(report.simulations, seconds);
        let chosen = search.pick(&report).map_or("none".to_string(), |vertex| size.show(vertex));
        let json = json!({
            "simulations": report.simulations,
            "seconds": seconds,
            "simulations_per_second": rate,
            "nodes": report.nodes,
            "peak_bytes": report.bytes,
            "size": size.to_string(),
            "recipe": recipe.to_string(),
            "komi": self.game.komi,
            "seed": self.think.seed,
            "value": report.value,
            "move": chosen,
        });
        let text = format!(
            "{} simulations on {size} in {seconds:.3} s: {rate:.0} per second\n\
             {} nodes in {:.1} MB; best move {chosen}, value {:.3}",
            report.simulations,
            report.nodes,
            report.bytes as f64 / 1e6,
            report.value,
        );
        Ok(print(self.json, &json, &text)?)
    }

    fn limits(&self, start: Instant) -> Limits {
        let time = self.think.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let simulations =
            self.think.playouts.unwrap_or(if time.is_some() { u64::MAX } else { DEFAULT_SIMULATIONS });
        Limits { simulations, deadline: time.and_then(|time| start.checked_add(time)), stop: None }
    }
}
