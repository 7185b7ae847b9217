//! `tengen bench search`: what simulations from the empty board cost.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use goban::{AnyBoard, Color};
use mcts::go_search::{self, Situation};
use mcts::{Limits, Report, Settings};
use player::boardgame::GameChoice;
use recipe::Recipe;
use serde_json::{Value, json};

use super::{per_second, print};
use crate::options::{GameOptions, GoTerms, ThinkOptions, parse_recipe, recipe_option};
use crate::words::counted;

/// Simulations when neither a number nor a time is given.
const DEFAULT_SIMULATIONS: u64 = 20_000;

/// The search that warms up: simulations, few beside those that are measured, and the bytes of its tree.
const WARM_UP_SIMULATIONS: u64 = 16;
const WARM_UP_MEMORY: usize = 1_000_000;

/// Measure the search from the empty board
///
/// Runs --playouts simulations (20000 if neither they nor --time are given) and says how fast they were, what the tree
/// and a network's cached answers took (peak_bytes, which --memory bounds), and what the whole process had in memory:
/// peak_resident_bytes at most, of which fixed_bytes are program, stacks and buffers (on Linux; elsewhere null).
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
        match self.game.board()? {
            Some(game) => self.run_board(&game),
            None => self.run_go(),
        }
    }

    fn run_go(&self) -> Result<()> {
        let GoTerms { size, komi, .. } = self.game.go(9)?;
        let text = self.think.recipe_text();
        let recipe = parse_recipe(text)?;
        let board = AnyBoard::new(size);
        let situation = Situation {
            board: &board,
            to_play: Color::Black,
            komi,
            n_passes: 0,
            recent: [None; 5],
            before: None,
        };
        let settings = self.think.settings()?;
        let small = Settings { memory: WARM_UP_MEMORY, ..settings.clone() };
        let mut warm_up = go_search::build(&recipe, &situation, &small)?;
        let fixed_bytes = fixed_bytes(&warm_up.run(&Limits::simulations(WARM_UP_SIMULATIONS)));
        drop(warm_up);
        let mut search = go_search::build(&recipe, &situation, &settings)?;
        let start = Instant::now();
        let report = search.run(&self.limits(start));
        let seconds = start.elapsed().as_secs_f64();
        let chosen = search.pick(&report).map(|vertex| size.show(vertex));
        let of_game = [("komi", json!(komi))];
        self.tell(
            &SearchSpeed { size: size.to_string(), recipe, report, seconds, fixed_bytes, chosen },
            &of_game,
        )
    }

    /// The same for a board game beside Go.
    fn run_board(&self, game: &GameChoice) -> Result<()> {
        let text = self.think.recipe_for(game);
        let recipe = parse_recipe(text)?;
        let board = game.board();
        let settings = self.think.board_settings(game)?;
        let small = Settings { memory: WARM_UP_MEMORY, ..settings.clone() };
        let in_recipe = || recipe_option(text);
        let mut warm_up = board.thinker(&recipe, &small).with_context(in_recipe)?;
        let fixed_bytes = fixed_bytes(&warm_up.run(&Limits::simulations(WARM_UP_SIMULATIONS)));
        drop(warm_up);
        let mut search = board.thinker(&recipe, &settings).with_context(in_recipe)?;
        let start = Instant::now();
        let report = search.run(&self.limits(start));
        let seconds = start.elapsed().as_secs_f64();
        let chosen = search.pick(&report).map(|action| board.show(action));
        let of_game = [("game", json!(game.to_string()))];
        self.tell(&SearchSpeed { size: game.size(), recipe, report, seconds, fixed_bytes, chosen }, &of_game)
    }

    fn tell(&self, measured: &SearchSpeed, of_game: &[(&str, Value)]) -> Result<()> {
        let SearchSpeed { size, recipe, report, seconds, fixed_bytes, chosen } = measured;
        let peak_resident_bytes = resident("VmHWM:");
        let rate = per_second(report.simulations, *seconds);
        let chosen = chosen.as_deref().unwrap_or("none");
        let mut json = json!({
            "simulations": report.simulations,
            "seconds": seconds,
            "simulations_per_second": rate,
            "nodes": report.nodes,
            "peak_bytes": report.bytes,
            "fixed_bytes": fixed_bytes,
            "peak_resident_bytes": peak_resident_bytes,
            "is_full": report.is_full,
            "memory": self.think.means.memory,
            "threads": self.think.means.threads,
            "size": size,
            "recipe": recipe.to_string(),
        });
        let of_search =
            [("seed", json!(self.think.seed)), ("value", json!(report.value)), ("move", json!(chosen))];
        for (key, value) in of_game.iter().chain(&of_search) {
            json[*key] = value.clone();
        }
        let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
        let mut text = format!(
            "{} on {size} in {seconds:.3} s: {rate:.0} per second\n\
             {} in {}; best move {chosen}, value {:.3}",
            counted(report.simulations, "simulation"),
            counted(report.nodes as u64, "node"),
            megabytes(report.bytes as u64),
            report.value,
        );
        if let (Some(fixed), Some(peak)) = (*fixed_bytes, peak_resident_bytes) {
            let (fixed, peak) = (megabytes(fixed), megabytes(peak));
            let _ = write!(text, "\nthe process: {peak} at most, {fixed} without the tree");
        }
        Ok(print(self.json, &json, &text)?)
    }

    fn limits(&self, start: Instant) -> Limits {
        let time = self.think.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let simulations =
            self.think.playouts.unwrap_or(if time.is_some() { u64::MAX } else { DEFAULT_SIMULATIONS });
        Limits { simulations, deadline: time.and_then(|time| start.checked_add(time)), stop: None }
    }
}

/// The measured speed and memory of a search.
struct SearchSpeed {
    size: String,
    recipe: Recipe,
    report: Report,
    seconds: f64,
    fixed_bytes: Option<u64>,
    chosen: Option<String>,
}

/// The memory of the process without a tree, after a small search of the same kind that touches all there is to touch: its own
/// tree is taken off.
fn fixed_bytes(warm_up: &Report) -> Option<u64> {
    resident("VmRSS:").map(|bytes| bytes.saturating_sub(warm_up.bytes as u64))
}

/// The memory of this process by the system, in bytes: `VmRSS:` what is resident now, `VmHWM:` the most that ever
/// was. None where it does not say.
fn resident(what: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(what))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}
