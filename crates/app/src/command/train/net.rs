//! `tengen train net`: a network learns from rows; `train policy` and `train value`: one of AlphaGo's two does.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::ProgressBar;
use model::net::file::own::NumberForm;
use train::net::run::LATEST;
use train::net::run::curve::FILE;
use train::net::supervised::curve::{LossPoint, Measures};
use train::net::supervised::{BeginningNet, OptimiserKind, SupervisedRun, SupervisedSettings};
use train::net::{LossWeights, NetShape};

use crate::bars;
use crate::folders;
use crate::options::{parse_count, parse_parallel, parse_seed, parse_up_to, parse_whole};
use crate::words::counted;

/// Train a network on rows
///
/// The rows come from `tengen train rows`. The folder keeps the settings, a checkpoint every few hundred steps, the curve
/// (curve.csv) and the network so far (latest.net), which every --net takes. The run may end in any way; the same
/// command continues from the last checkpoint, and the final network is the same bit for bit. A folder of a run with other
/// settings is refused.
#[derive(Args)]
pub(crate) struct Options {
    /// Files of rows to learn from
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    rows: Vec<PathBuf>,
    /// Rows to judge by, of which the first 5000 are measured at every checkpoint
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// The size of the network: blocks and channels
    #[arg(long, default_value = "b6c64", value_name = "SHAPE", value_parser = NetShape::parse)]
    net: NetShape,
    /// A network to start from, instead of a new one: a file, or a name from `tengen net list`
    #[arg(long, value_name = "FILE|NAME", conflicts_with = "net")]
    from: Option<String>,
    /// The name inside the network's file [default: tengen-SHAPE]
    #[arg(long, value_parser = parse_name)]
    name: Option<String>,
    /// Steps in all
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    steps: u64,
    /// Rows of a step
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = parse_batch, allow_negative_numbers = true)]
    batch: usize,
    /// How weights follow their gradients: adam or sgd
    #[arg(long, default_value = "adam", value_name = "adam|sgd", value_parser = parse_optimiser)]
    optimiser: OptimiserKind,
    /// The learning rate after warming up; it falls along half a cosine to a hundredth at the last step
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = parse_rate, allow_negative_numbers = true)]
    learning_rate: f32,
    /// Steps over which the learning rate rises from 0
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = parse_whole, allow_negative_numbers = true)]
    warm_up: usize,
    /// The pull of weights towards 0
    #[arg(long, value_name = "X", default_value_t = 0.0001, value_parser = parse_weight, allow_negative_numbers = true)]
    weight_decay: f32,
    /// The largest length of a gradient; a longer one is shortened to it
    #[arg(long, value_name = "X", default_value_t = 5.0, value_parser = parse_rate, allow_negative_numbers = true)]
    clip: f32,
    /// The share of the averaged weights that is kept with each step; the network has the averaged weights
    #[arg(long, value_name = "SHARE", default_value_t = 0.999, value_parser = parse_share, allow_negative_numbers = true)]
    average: f32,
    /// How much the policy counts [default: 1; train value: 0]
    #[arg(long, value_name = "X", value_parser = parse_weight, allow_negative_numbers = true)]
    policy_weight: Option<f32>,
    /// How much the result counts [default: 1; train policy: 0]
    #[arg(long, value_name = "X", value_parser = parse_weight, allow_negative_numbers = true)]
    value_weight: Option<f32>,
    /// How much the score counts [default: 0.25; train policy: 0]
    #[arg(long, value_name = "X", value_parser = parse_weight, allow_negative_numbers = true)]
    score_weight: Option<f32>,
    /// How much the owners of points count [default: 0.5; train policy: 0]
    #[arg(long, value_name = "X", value_parser = parse_weight, allow_negative_numbers = true)]
    ownership_weight: Option<f32>,
    /// Seed of the first weights, of the order of rows and of the symmetries that they are shown in
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Steps between two points of the curve
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_count, allow_negative_numbers = true)]
    curve_every: u64,
    /// Points of the curve between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = parse_count, allow_negative_numbers = true)]
    checkpoint_points: u64,
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

/// Train a policy network on rows: the moves alone count
///
/// AlphaGo's first network: `tengen train net` with weight 0 for result, score and owners, unless they are given one.
#[derive(Args)]
pub(crate) struct PolicyOptions {
    #[command(flatten)]
    net: Options,
}

/// Train a value network on rows: the moves do not count
///
/// AlphaGo's second network, for the rows of `tengen train value-rows`: `tengen train net` with weight 0 for the policy, unless it is given one.
/// Its policy means nothing, so it plays beside another network: --net POLICY --value-net VALUE.
#[derive(Args)]
pub(crate) struct ValueOptions {
    #[command(flatten)]
    net: Options,
}

impl PolicyOptions {
    pub(super) fn run(self) -> Result<ExitCode> {
        self.net.run_with(LossWeights { value: 0.0, score: 0.0, ownership: 0.0, ..LossWeights::default() })
    }
}

impl ValueOptions {
    pub(super) fn run(self) -> Result<ExitCode> {
        self.net.run_with(LossWeights { policy: 0.0, ..LossWeights::default() })
    }
}

/// The most rows of a step.
const MOST_BATCH: usize = 65_536;

fn parse_batch(text: &str) -> Result<usize> {
    Ok(parse_up_to(text, MOST_BATCH as u64)? as usize)
}

pub(super) fn parse_optimiser(text: &str) -> Result<OptimiserKind> {
    OptimiserKind::ALL.into_iter().find(|kind| kind.name() == text).context("expected adam or sgd")
}

pub(super) fn parse_number(text: &str, is_good: impl Fn(f32) -> bool, expected: &str) -> Result<f32> {
    text.parse()
        .ok()
        .filter(|&x: &f32| x.is_finite() && is_good(x))
        .with_context(|| format!("expected {expected}"))
}

pub(super) fn parse_rate(text: &str) -> Result<f32> {
    parse_number(text, |x| x > 0.0, "a number above 0")
}

pub(super) fn parse_weight(text: &str) -> Result<f32> {
    parse_number(text, |x| x >= 0.0, "a number from 0")
}

fn parse_share(text: &str) -> Result<f32> {
    parse_number(text, |x| (0.0..1.0).contains(&x), "a share from 0 to below 1")
}

pub(super) fn parse_name(text: &str) -> Result<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if text.is_empty() || text.len() > 96 || !text.bytes().all(is_plain) {
        bail!("expected letters, digits, `_` and `-`, at most 96");
    }
    Ok(text.to_string())
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        self.run_with(LossWeights::default())
    }

    /// Runs with these weights where the options give none.
    fn run_with(self, usual: LossWeights) -> Result<ExitCode> {
        let out = self.out.clone();
        let settings = self.settings(usual)?;
        let n_steps = settings.n_steps;
        let mut run = SupervisedRun::open(&out, settings)?;
        let (n_rows, n_held_out) = run.n_rows();
        let mut stdout = io::stdout().lock();
        let from = if run.n_steps() > 0 {
            format!(", going on after step {}", run.n_steps())
        } else {
            String::new()
        };
        writeln!(stdout, "{}, {n_held_out} more to judge by{from}", counted(n_rows, "row"))?;
        let bar = progress(n_steps, run.n_steps(), "steps");
        let mut told = Ok(());
        run.run(|progress| {
            bar.set_position(progress.step);
            if let Some(point) = progress.point {
                bar.set_message(format!(
                    "policy {:.3}, {:.0} rows/s",
                    point.trained.policy, point.rows_per_second
                ));
                if let Some(held_out) = &point.held_out {
                    // Above the bar on a terminal; into a log the line alone.
                    told = bar.suspend(|| writeln!(stdout, "{}", line(point, held_out)));
                }
            }
            if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        bar.finish_and_clear();
        told.context("standard output")?;
        stdout.write_all(curves(run.points()).as_bytes())?;
        writeln!(stdout, "{}\n{}", out.join(FILE).display(), out.join(LATEST).display())?;
        Ok(ExitCode::SUCCESS)
    }

    fn settings(self, usual: LossWeights) -> Result<SupervisedSettings> {
        let from = match &self.from {
            Some(text) => {
                let file = folders::nets().load(text).with_context(|| format!("--from {text}"))?;
                Some(BeginningNet { identity: file.identity(), graph: file.net.graph().clone() })
            }
            None => None,
        };
        let shape = from.as_ref().map_or(self.net, |from| NetShape::of(&from.graph));
        Ok(SupervisedSettings {
            name: self.name.unwrap_or_else(|| format!("tengen-{shape}")),
            rows: self.rows,
            held_out: self.held_out,
            shape,
            from,
            n_steps: self.steps,
            batch: self.batch,
            optimiser: self.optimiser,
            learning_rate: self.learning_rate,
            warm_up: self.warm_up as u64,
            weight_decay: self.weight_decay,
            clip: self.clip,
            average: self.average,
            policy_weight: self.policy_weight.unwrap_or(usual.policy),
            value_weight: self.value_weight.unwrap_or(usual.value),
            score_weight: self.score_weight.unwrap_or(usual.score),
            ownership_weight: self.ownership_weight.unwrap_or(usual.ownership),
            seed: self.seed,
            curve_every: self.curve_every,
            checkpoint_points: self.checkpoint_points,
            threads: usize::try_from(self.threads).unwrap_or(1),
            numbers: if self.half { NumberForm::F16 } else { NumberForm::F32 },
        })
    }
}

/// A checkpoint in a line. Rows without moves say nothing of the policy.
fn line(point: &LossPoint, held_out: &Measures) -> String {
    let Measures { policy, top1, value_error, score_error, .. } = held_out;
    let of_policy = if *policy > 0.0 {
        format!("policy {policy:.4} nats, first choice {:.1} %, ", 100.0 * top1)
    } else {
        String::new()
    };
    format!(
        "step {:7}: held out: {of_policy}squared error of the result {value_error:.4}, of the score {score_error:.1} points; {:.0} rows/s",
        point.step, point.rows_per_second
    )
}

/// A bar of steps or batches, for terminals only.
pub(super) fn progress(n_steps: u64, done: u64, what: &str) -> ProgressBar {
    let template =
        format!("{{bar:24}} {{pos}}/{{len}} {what} {{elapsed_precise}} (eta {{eta_precise}}) {{msg}}");
    let bar = bars::styled(ProgressBar::new(n_steps).with_position(done), &template);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// The most columns of a curve.
const WIDTH: usize = 60;

/// The curves of a run in lines of eighths, the first and the last number beside them.
fn curves(points: &[LossPoint]) -> String {
    type Number = fn(&LossPoint) -> Option<f32>;
    let rows: [(&str, Number); 5] = [
        ("policy", |point| Some(point.trained.policy)),
        ("held out: policy", |point| Some(point.held_out?.policy)),
        ("held out: top-1", |point| Some(point.held_out?.top1)),
        ("held out: result", |point| Some(point.held_out?.value_error)),
        ("held out: score", |point| Some(point.held_out?.score_error)),
    ];
    let mut text = String::new();
    for (name, number) in rows {
        let numbers: Vec<f32> = points.iter().filter_map(number).collect();
        // What the rows do not have is 0 throughout.
        if let [first, .., last] = numbers[..]
            && numbers.iter().any(|&number| number != 0.0)
        {
            text += &format!("{name:16}  {first:8.4} {} {last:.4}\n", spark(&numbers));
        }
    }
    text
}

/// Numbers as columns of one to eight eighths, the lowest number one; of more than [`WIDTH`] the means of neighbours.
pub(super) fn spark(numbers: &[f32]) -> String {
    let n_columns = numbers.len().min(WIDTH);
    let means: Vec<f32> = (0..n_columns)
        .map(|column| {
            let part = &numbers[column * numbers.len() / n_columns..(column + 1) * numbers.len() / n_columns];
            part.iter().sum::<f32>() / part.len().max(1) as f32
        })
        .collect();
    let (low, high) =
        means.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    let eighth = |x: &f32| if high > low { ((x - low) / (high - low) * 7.0).round() as u32 } else { 0 };
    means.iter().filter_map(|x| char::from_u32(0x2581 + eighth(x))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_rise_from_one_eighth_to_eight() {
        assert_eq!(spark(&[0.0, 1.0, 7.0]), "▁▂█");
        assert_eq!(spark(&[2.0, 2.0]), "▁▁");
        assert_eq!(spark(&[]), "");
        let many: Vec<f32> = (0..600).map(|n| n as f32).collect();
        assert_eq!((spark(&many).chars().count(), spark(&many).chars().last()), (WIDTH, Some('█')));
    }

    #[test]
    fn curves_tell_first_and_last_numbers() {
        let point = |step: u64, policy: f32| LossPoint {
            step,
            trained: Measures { policy, ..Measures::default() },
            ..LossPoint::default()
        };
        let text = curves(&[point(100, 4.5), point(200, 3.0), point(300, 2.0)]);
        assert_eq!(text, "policy              4.5000 █▄▁ 2.0000\n");
        // Rows for a value network have no moves.
        let held_out = Measures { value_error: 0.125, score_error: 4.25, ..Measures::default() };
        let of_value = LossPoint { held_out: Some(held_out), rows_per_second: 900.0, ..point(200, 0.0) };
        let text = curves(&[of_value, of_value]);
        assert!(
            text.starts_with("held out: result    0.1250 ▁▁ 0.1250\n") && !text.contains("policy"),
            "{text}"
        );
        assert_eq!(
            line(&of_value, &held_out),
            "step     200: held out: squared error of the result 0.1250, of the score 4.2 points; 900 rows/s"
        );
    }
}
