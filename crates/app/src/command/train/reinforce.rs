//! `tengen train reinforce`: a policy network learns from its own games.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use clap::Args;
use model::net::file::own::NumberForm;
use player::net_policy::MAX_TEMPERATURE;
use train::net::run::LATEST;
use train::net::run::curve::FILE;
use train::net::supervised::{BeginningNet, OptimiserKind};
use zero::alphago::games::PlayRules;
use zero::alphago::point::ReinforcePoint;
use zero::alphago::{Baseline, ReinforceRun, ReinforceSettings};

use super::net::{parse_name, parse_number, parse_optimiser, parse_rate, parse_weight, progress, spark};
use crate::folders;
use crate::interrupt;
use crate::options::{GameOptions, parse_count, parse_parallel, parse_seed, parse_up_to, parse_whole};
use crate::words::counted;

/// Let a policy network learn from its games against earlier selves
///
/// The policy gradient (REINFORCE, Williams 1992), as AlphaGo used it: whole games without search, every move drawn from the policy of the
/// network, colours alternating, against opponents drawn from a pool: the network that the run began with, and the learner as it was after
/// every --pool-every batches. Moves of games that went better than expected become more likely, the others less. A batch of games is one step. The
/// folder keeps the settings, the pool, the curve (curve.csv), a checkpoint with each of its points, and the network so far
/// (latest.net). The run may be ended in any way; the same command goes on at the last checkpoint, and the network in the end is the
/// same bit for bit.
#[derive(Args)]
pub(crate) struct Options {
    /// The network to begin with, such as that of `tengen train policy`: a file, or a name from `tengen net list`
    #[arg(long, value_name = "FILE|NAME")]
    from: String,
    #[command(flatten)]
    game: GameOptions,
    /// The name inside the network's file [default: that of the network to begin with, and -rl]
    #[arg(long, value_parser = parse_name)]
    name: Option<String>,
    /// Batches in all, each a step of training
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    batches: u64,
    /// Games of a batch; an even number gives both colours alike
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = parse_games, allow_negative_numbers = true)]
    games: usize,
    /// Batches after which the learner joins the pool of opponents, again and again
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_count, allow_negative_numbers = true)]
    pool_every: u64,
    /// Opponents drawn from the pool for each batch
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_games, allow_negative_numbers = true)]
    opponents: usize,
    /// What a result is compared with: nothing, the mean result of the batch's other games, or what the network itself expects of the position
    #[arg(long, default_value = "value", value_name = "none|mean|value", value_parser = parse_baseline)]
    baseline: Baseline,
    /// 1 draws moves as the policy says, less prefers the likelier ones; only at 1 does --baseline not change where the gradient points on average
    #[arg(long, value_name = "T", default_value_t = 1.0, value_parser = parse_temperature, allow_negative_numbers = true)]
    temperature: f32,
    /// Moves after which a game is counted as it stands [default: three times the points of the board]
    #[arg(long, value_name = "N", value_parser = parse_max_moves, allow_negative_numbers = true)]
    max_moves: Option<u64>,
    /// How weights follow their gradients: adam or sgd
    #[arg(long, default_value = "adam", value_name = "adam|sgd", value_parser = parse_optimiser)]
    optimiser: OptimiserKind,
    /// The learning rate, which stays
    #[arg(long, value_name = "RATE", default_value_t = 0.0003, value_parser = parse_rate, allow_negative_numbers = true)]
    learning_rate: f32,
    /// Batches over which the learning rate rises from 0
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_whole, allow_negative_numbers = true)]
    warm_up: usize,
    /// The pull of weights towards 0
    #[arg(long, value_name = "X", default_value_t = 0.0001, value_parser = parse_weight, allow_negative_numbers = true)]
    weight_decay: f32,
    /// The largest length of a gradient; a longer one is shortened to it
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = parse_rate, allow_negative_numbers = true)]
    clip: f32,
    /// How much the result's loss counts beside the policy's, which counts 1
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = parse_weight, allow_negative_numbers = true)]
    value_weight: f32,
    /// Batches between two points of the curve, each of which is a checkpoint
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_count, allow_negative_numbers = true)]
    curve_every: u64,
    /// Games against the network to begin with for each point of the curve, with the same seeds every time
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_measured, allow_negative_numbers = true)]
    measure_games: usize,
    /// Seed of everything random
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads at work; the network does not depend on it
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_parallel, allow_negative_numbers = true)]
    threads: u64,
    /// Keep the network's weights in 16 bits: half the file, three digits
    #[arg(long)]
    half: bool,
    /// The folder of the run
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// The most games of a batch, and opponents.
const MOST_GAMES: usize = 65_536;

fn parse_games(text: &str) -> Result<usize> {
    parse_up_to(text, MOST_GAMES as u64).map(|n| n as usize)
}

fn parse_measured(text: &str) -> Result<usize> {
    match text.parse() {
        Ok(n) if n <= MOST_GAMES => Ok(n),
        _ => bail!("expected a whole number from 0 to {MOST_GAMES}"),
    }
}

fn parse_baseline(text: &str) -> Result<Baseline> {
    Baseline::ALL.into_iter().find(|baseline| baseline.name() == text).context("expected none, mean or value")
}

/// A temperature at which moves are drawn.
pub(super) fn parse_temperature(text: &str) -> Result<f32> {
    parse_number(
        text,
        |x| x > 0.0 && x <= MAX_TEMPERATURE,
        &format!("a number above 0, at most {MAX_TEMPERATURE}"),
    )
}

/// The most moves of a game that can be asked for: far more than any game has, and few enough for every number that counts moves.
const MOST_MOVES: u64 = 1_000_000;

/// A number of moves of a game.
pub(super) fn parse_max_moves(text: &str) -> Result<u64> {
    parse_up_to(text, MOST_MOVES)
}

/// Moves of the longest game on a board of this many points, if nobody says.
pub(super) fn usual_max_moves(area: usize) -> usize {
    3 * area
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let out = self.out.clone();
        let (start, game) = self.game.tabletop()?;
        let settings = self.settings(game, start.entry().name, start.area())?;
        let n_batches = settings.n_batches;
        let mut run = ReinforceRun::open(&out, settings, start)?;
        let stop = Arc::new(AtomicBool::new(false));
        interrupt::stop_games(Arc::clone(&stop))?;
        let mut stdout = io::stdout().lock();
        if run.n_batches() > 0 {
            writeln!(stdout, "going on after {}", counted(run.n_batches(), "batch"))?;
        }
        let bar = progress(n_batches, run.n_batches(), "batches");
        let mut told = Ok(());
        run.run(&stop, |progress| {
            bar.set_position(progress.batch);
            if let Some(point) = progress.point {
                // Above the bar on a terminal; into a log the line alone.
                told = bar.suspend(|| writeln!(stdout, "{}", line(point)));
            }
            if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        bar.finish_and_clear();
        told.context("standard output")?;
        if !run.is_complete() {
            eprintln!("tengen: stopped; the same command goes on at the last checkpoint");
            return Ok(ExitCode::from(130));
        }
        stdout.write_all(curves(run.points()).as_bytes())?;
        writeln!(stdout, "{}\n{}", out.join(FILE).display(), out.join(LATEST).display())?;
        Ok(ExitCode::SUCCESS)
    }

    fn settings(self, game: String, game_name: &str, area: usize) -> Result<ReinforceSettings> {
        let text = &self.from;
        let file = folders::nets().load_for(text, game_name).with_context(|| format!("--from {text}"))?;
        let max_moves =
            self.max_moves.map_or(usual_max_moves(area), |n| usize::try_from(n).unwrap_or(usize::MAX));
        Ok(ReinforceSettings {
            game,
            name: self.name.unwrap_or_else(|| format!("{}-rl", file.net.name())),
            from: BeginningNet { identity: file.identity(), graph: file.net.graph().clone() },
            from_origin: file.origin,
            n_batches: self.batches,
            games: self.games,
            pool_every: self.pool_every,
            opponents: self.opponents,
            baseline: self.baseline,
            rules: PlayRules { max_moves, temperature: self.temperature, turns: true },
            optimiser: self.optimiser,
            learning_rate: self.learning_rate,
            warm_up: self.warm_up as u64,
            weight_decay: self.weight_decay,
            clip: self.clip,
            value_weight: self.value_weight,
            curve_every: self.curve_every,
            measure_games: self.measure_games,
            seed: self.seed,
            threads: usize::try_from(self.threads).unwrap_or(1),
            numbers: if self.half { NumberForm::F16 } else { NumberForm::F32 },
        })
    }
}

/// A point of the curve in words.
fn line(point: &ReinforcePoint) -> String {
    let ReinforcePoint {
        batch, won_pool, moves, policy_loss, won_first, first_games, games_per_second, ..
    } = point;
    let first = match first_games {
        0 => String::new(),
        n => format!("{:.1} % of {n} games against the first network, ", 100.0 * won_first),
    };
    format!(
        "batch {batch:6}: wins {first}{:.1} % against the pool; {moves:.0} moves a game, {policy_loss:.3} nats a move; {games_per_second:.1} games/s",
        100.0 * won_pool
    )
}

/// The curves of a run in lines of eighths, the first and the last number beside them.
fn curves(points: &[ReinforcePoint]) -> String {
    type Number = fn(&ReinforcePoint) -> f32;
    type Filter = fn(&&ReinforcePoint) -> bool;
    let any = |_: &&ReinforcePoint| true;
    let is_measured = |point: &&ReinforcePoint| point.first_games > 0;
    let rows: [(&str, Filter, Number); 3] = [
        ("won, first net", is_measured, |point| point.won_first),
        ("won, pool", any, |point| point.won_pool),
        ("nats a move", any, |point| point.policy_loss),
    ];
    let mut text = String::new();
    for (name, filter, number) in rows {
        let numbers: Vec<f32> = points.iter().filter(filter).map(number).collect();
        if let [first, .., last] = numbers[..] {
            text += &format!("{name:16}  {first:8.4} {} {last:.4}\n", spark(&numbers));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_told_in_words() {
        let point = ReinforcePoint {
            batch: 20,
            won_pool: 0.5,
            moves: 61.4,
            policy_loss: 1.25,
            won_first: 0.625,
            first_games: 200,
            games_per_second: 12.34,
            ..ReinforcePoint::default()
        };
        assert_eq!(
            line(&point),
            "batch     20: wins 62.5 % of 200 games against the first network, 50.0 % against the pool; 61 moves a game, \
             1.250 nats a move; 12.3 games/s"
        );
        let unmeasured = ReinforcePoint { first_games: 0, ..point };
        assert!(line(&unmeasured).starts_with("batch     20: wins 50.0 % against the pool; "));
        assert!(curves(&[point, point]).starts_with("won, first net      0.6250 ▁▁ 0.6250\n"));
        // Without games against the first network nothing is said of them.
        let text = curves(&[unmeasured, unmeasured]);
        assert!(text.starts_with("won, pool           0.5000 ▁▁ 0.5000\n"), "{text}");
    }
}
