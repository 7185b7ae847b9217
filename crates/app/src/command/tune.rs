//! `tengen tune`: the best values of a recipe's parameters.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;
use indicatif::{HumanDuration, ProgressBar};
use lab::tune::{TuneProgress, TuneTask, axis};

use crate::folders;
use crate::options::parse_parallel;
use crate::{bars, interrupt};

/// A file with everything that may stand in it.
const EXAMPLE: &str = r#"Example:
  title = "How much should RAVE be trusted?"   # or nothing
  recipe = "goyui-bma"                         # the base; or "goyui-bma@playouts=300"
  opponents = ["goyui-uct"]                    # several take turns; spsa without any plays itself
  method = "clop"                              # or "spsa"
  games = 1000
  parallel = 2                                 # or nothing: one at a time

  [terms]                                      # as the options of `tengen match`
  game = "go"                                  # or "hex", "connect-four", "gomoku"; nothing is Go
  size = 9
  playouts = 300
  seed = 1

  [parameters.mixer.prior]                     # any number of the recipe, see `tengen list`
  low = 1                                      # or nothing: all that the recipe allows
  high = 1000
  scale = "log"                                # or "linear"
  start = 50                                   # for spsa; or nothing: the base's value
  step = 10                                    # for spsa: how far values are moved at the end

  With clop: height = 3 (larger: more games in each fit). With spsa: walkers = 4, rate = 0.1
  (how far a walker goes for a pair won, in steps, at the end)."#;

/// Find the best values of a recipe's parameters by games
///
/// The file says which recipe, which of its parameters within which bounds, against whom, under which terms and with how
/// many games; see the example below. The method is clop (a quadratic fitted to all games where it holds, values tried
/// where it does not yet rule them out) or spsa (walkers that move by the difference of two sides).
///
/// The result is the best value of each parameter with its 95 % interval, as a table, and in the folder as a recipe
/// (best.recipe), as data (result.json) and as a page with pictures (report.html). Ctrl-C stops cleanly; whatever happens,
/// finished games are not lost, and the same command plays the rest and comes to the same result, however many games are played at a time.
#[derive(Args)]
#[command(after_long_help = EXAMPLE)]
pub(crate) struct Options {
    /// What to tune
    #[arg(value_name = "TUNE.toml")]
    file: PathBuf,
    /// The folder for games and the result [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games at the same time [default: what the file says, else one]
    #[arg(long, value_name = "N", value_parser = parse_parallel, allow_negative_numbers = true)]
    parallel: Option<u64>,
    /// Print the result as JSON, in one last line
    #[arg(long)]
    json: bool,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut task = TuneTask::load(&self.file)?;
        task.load_nets(&folders::nets())?;
        let dir = self.out.unwrap_or_else(|| Path::new("results").join(&task.name));
        let parallel = self.parallel.map_or(task.parallel.unwrap_or(1), |n| n as usize);
        let stop = Arc::new(AtomicBool::new(false));
        interrupt::stop_games(Arc::clone(&stop))?;
        let mut bar = TuneBar::new(&task);
        let verdict = lab::tune::run(&task, &dir, parallel, &mut |now| bar.show(now), &stop);
        bar.bar.finish_and_clear();
        let verdict = verdict?;
        verdict.write(&dir)?;
        let mut out = io::stdout().lock();
        write!(out, "{}", verdict.table())?;
        writeln!(out, "report: {}", dir.join("report.html").display())?;
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
        }
        if !verdict.is_complete() {
            let (games, planned) = (verdict.games, verdict.planned);
            return Ok(interrupt::stopped(&format!("after {games} of {planned} games"), true));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A bar with the best values so far, for terminals only.
struct TuneBar {
    bar: ProgressBar,
    /// The number of games at which the best values are worked out again.
    next: u64,
}

impl TuneBar {
    fn new(task: &TuneTask) -> Self {
        let bar = ProgressBar::new(task.n_games);
        let bar = bars::styled(bar, "{bar:24} {pos}/{len} {elapsed_precise} {msg}");
        Self { bar, next: 0 }
    }

    fn show(&mut self, now: &TuneProgress<'_>) {
        self.bar.set_position(now.n_games);
        // A fit to all games is not for every game.
        if self.bar.is_hidden() || now.n_games < self.next {
            return;
        }
        self.next = now.n_games + 10 + now.n_games / 20;
        let method = now.session.method();
        let axes = method.axes();
        let top = method.belief().top();
        let best: Vec<String> = axis::values(axes, &top.point)
            .iter()
            .zip(axes)
            .enumerate()
            .map(|(i, (value, axis))| {
                let [low, high] = axis.interval(top.low[i], top.high[i]);
                format!("{}={value} ({low} to {high})", axis.key)
            })
            .collect();
        self.bar.set_message(format!("{} left, {}", HumanDuration(now.time_left), best.join(" ")));
    }
}
