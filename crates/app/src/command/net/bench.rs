//! `tengen net bench`: evaluations per second of processor time, beside what the processor could do at most.
//!
//! All that is compared takes turns, and medians are told, so that other work on the machine disturbs all alike. With
//! `--evaluations` the work is fixed in place of the time, so that its instructions can be counted.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::{Size, Symmetry};
use model::net::EncodedPosition;
use model::net::cpu::engine::Misfit;
use model::net::cpu::peak;
use model::net::cpu::runner::{self, NumberKind, Runner};
use model::net::cpu::simd::Isa;
use model::net::graph::Graph;
use model::net::output::NetOutput;
use player::cpu_time;
use player::nets::{positions, raw};
use serde_json::json;

use super::Which;
use crate::options::{parse_count, parse_seconds, parse_size, parse_up_to};

/// Windows of processor time in which everything takes its turn.
const N_WINDOWS: usize = 7;
/// The largest batch: more boards than a search ever shows a network at once.
const MAX_BATCH: usize = 64;
/// The move after which the positions are taken from a game.
const FIRST_PLY: usize = 20;
/// Multiply-adds by which the peak is measured where the work is fixed.
const PEAK_WORK: u64 = 10_000_000;

/// Time a network: evaluations per second of processor time, by engine, batch and board
///
/// Without --json a table over engines (i16, in which searches ask, and f32), batches (1, 4, 16) and boards (9, 13, 19), as far
/// as no option narrows it down. With --json one line for one of them: i16, one position at a time and 19x19, unless
/// options say otherwise. The peak is that of multiply-adds in f32 on one core; a share of it counts the multiply-adds of
/// plain convolutions, so that an engine which saves some of them may reach more than 1.
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    which: Which,
    /// The board: 9, 13, 19 or WIDTHxHEIGHT
    #[arg(long, value_parser = parse_size, allow_negative_numbers = true)]
    size: Option<Size>,
    /// Positions that are evaluated together, 1 to 64
    #[arg(long, value_name = "N", value_parser = parse_batch, allow_negative_numbers = true)]
    batch: Option<usize>,
    /// The numbers that the engine computes in: i16 or f32
    #[arg(long, value_name = "i16|f32", value_parser = parse_number)]
    engine: Option<NumberKind>,
    /// Seconds of processor time for each line of the table
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// Evaluations for each line of the table, exactly, in place of a time: a multiple of the batch
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = parse_count, allow_negative_numbers = true)]
    evaluations: Option<u64>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

fn parse_number(text: &str) -> Result<NumberKind> {
    let known = NumberKind::ALL.into_iter().find(|kind| kind.name() == text);
    known.context("expected i16 or f32")
}

fn parse_batch(text: &str) -> Result<usize> {
    Ok(parse_up_to(text, MAX_BATCH as u64)? as usize)
}

/// When a measurement ends.
#[derive(Clone, Copy)]
enum Limit {
    /// After this much processor time.
    Seconds(f64),
    /// After this much work: evaluations, or multiply-adds.
    Work(u64),
}

/// One line of the table.
struct NetSpeed {
    engine: &'static str,
    batch: usize,
    size: Size,
    /// Evaluations per second of processor time.
    rate: f64,
    /// Multiply-adds of plain convolutions for each evaluation.
    n_multiplies: u64,
    /// Multiply-adds per second that the processor does at most.
    peak: f64,
}

impl NetSpeed {
    fn share_of_peak(&self) -> f64 {
        self.rate * self.n_multiplies as f64 / self.peak
    }
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        cpu_time::seconds().context(cpu_time::UNKNOWN)?;
        let file = self.which.load()?;
        let graph = file.net.graph();
        let square = |side| Size::square(side).map_err(anyhow::Error::from);
        let mut out = io::stdout().lock();
        if self.json {
            let size = self.size.map_or_else(|| square(19), Ok)?;
            let kind = self.engine.unwrap_or(NumberKind::I16);
            let batches = [self.batch.unwrap_or(1)];
            let measured = measure(graph, size, &[kind], &batches, self.limit(&batches)?)?;
            let json = measured.first().map(|one| {
                let mut json = json!({
                    "net": file.net.name(),
                    "hash": format!("{:016x}", file.hash),
                    "evals_per_cpu_second": rounded(one.rate, 2),
                    "engine": one.engine,
                    "instructions": Isa::best().name(),
                    "batch": one.batch,
                    "size": one.size.to_string(),
                    "peak_gmacs": rounded(one.peak / 1e9, 2),
                    "share_of_peak": rounded(one.share_of_peak(), 4),
                });
                if let Some(n) = self.evaluations {
                    json["evaluations"] = n.into();
                }
                json
            });
            writeln!(out, "{}", json.unwrap_or_default())?;
            return Ok(ExitCode::SUCCESS);
        }
        let sizes = match self.size {
            Some(size) => vec![size],
            None => [9, 13, 19].into_iter().map(square).collect::<Result<_>>()?,
        };
        let kinds = self.engine.map_or_else(|| NumberKind::ALL.to_vec(), |kind| vec![kind]);
        let batches = self.batch.map_or_else(|| vec![1, 4, 16], |batch| vec![batch]);
        let limit = self.limit(&batches)?;
        writeln!(out, "{} ({}), {}", file.place(), file.net.name(), Isa::best().name())?;
        writeln!(
            out,
            "{:6}  {:>7}  {:>5}  {:>22}  {:>10}  {:>13}",
            "engine", "board", "batch", "evaluations per CPU-s", "GMAC/s", "share of peak"
        )?;
        for size in sizes {
            for one in measure(graph, size, &kinds, &batches, limit)? {
                writeln!(
                    out,
                    "{:6}  {:>7}  {:>5}  {:>22.1}  {:>10.1}  {:>13.2}",
                    one.engine,
                    one.size.to_string(),
                    one.batch,
                    one.rate,
                    one.rate * one.n_multiplies as f64 / 1e9,
                    one.share_of_peak()
                )?;
            }
            out.flush()?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The end of each line's measurement.
    fn limit(&self, batches: &[usize]) -> Result<Limit> {
        let Some(n) = self.evaluations else { return Ok(Limit::Seconds(self.seconds)) };
        match batches.iter().find(|&&batch| !n.is_multiple_of(batch as u64)) {
            Some(batch) => bail!("--evaluations {n}: expected a multiple of the batch, {batch}"),
            None => Ok(Limit::Work(n)),
        }
    }
}

fn rounded(x: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (x * unit).round() / unit
}

/// An engine that is timed with the first `batch` positions of a list.
struct NetContender {
    kind: NumberKind,
    batch: usize,
    /// Evaluations per second of processor time, window by window.
    rates: Vec<f64>,
}

impl NetContender {
    fn evaluate(
        &self,
        engines: &mut [(NumberKind, Box<dyn Runner>)],
        positions: &[EncodedPosition],
        out: &mut [NetOutput],
    ) -> Result<u64, Misfit> {
        let inputs: Vec<_> =
            positions[..self.batch].iter().map(|encoded| raw::question(encoded).input).collect();
        if let Some((_, engine)) = engines.iter_mut().find(|(kind, _)| *kind == self.kind) {
            engine.evaluate(&inputs, &mut out[..self.batch])?;
        }
        Ok(self.batch as u64)
    }
}

/// Times engines and batches on one size of board: by time in alternating windows, by work in a single one with
/// nothing evaluated before.
fn measure(
    graph: &Graph,
    size: Size,
    kinds: &[NumberKind],
    batches: &[usize],
    limit: Limit,
) -> Result<Vec<NetSpeed>> {
    let isa = Isa::best();
    let most = batches.iter().copied().max().unwrap_or(1);
    // Games on small boards do not go on for as long.
    let first = FIRST_PLY.min(size.area() / 4);
    let plies: Vec<usize> = (first..first + most).collect();
    let positions: Vec<EncodedPosition> = positions::played(size, &plies)?
        .iter()
        .map(|position| raw::encode(position, Symmetry::IDENTITY))
        .collect();
    let board = [size.width(), size.height()];
    let mut engines: Vec<_> =
        kinds.iter().map(|&kind| (kind, runner::build(kind, graph, board, isa, most))).collect();
    let mut contenders: Vec<NetContender> = batches
        .iter()
        .flat_map(|&batch| kinds.iter().map(move |&kind| NetContender { kind, batch, rates: Vec::new() }))
        .collect();
    let mut out = vec![NetOutput::default(); most];
    let (n_windows, window, peak_window) = match limit {
        Limit::Seconds(seconds) => {
            for contender in &contenders {
                // What is touched for the first time is not timed.
                contender.evaluate(&mut engines, &positions, &mut out)?;
            }
            let window = seconds / N_WINDOWS as f64;
            (N_WINDOWS, Limit::Seconds(window), Limit::Seconds(window / 4.0))
        }
        Limit::Work(_) => (1, limit, Limit::Work(PEAK_WORK)),
    };
    let mut peaks = Vec::new();
    for _ in 0..n_windows {
        peaks.push(rate(peak_window, || Ok(peak::multiply_adds(isa, 10_000)))?);
        for contender in &mut contenders {
            let found = rate(window, || contender.evaluate(&mut engines, &positions, &mut out))?;
            contender.rates.push(found);
        }
    }
    let (peak, n_multiplies) = (median(&mut peaks), graph.n_multiplies(size.area()));
    let one = |mut contender: NetContender| NetSpeed {
        engine: contender.kind.name(),
        batch: contender.batch,
        size,
        rate: median(&mut contender.rates),
        n_multiplies,
        peak,
    };
    Ok(contenders.into_iter().map(one).collect())
}

/// The work done in a second of processor time, measured until a limit is reached; `work` returns the amount it did.
fn rate(limit: Limit, mut work: impl FnMut() -> Result<u64, Misfit>) -> Result<f64> {
    let now = || cpu_time::seconds().unwrap_or(0.0);
    let (start, mut done) = (now(), 0);
    loop {
        done += work()?;
        let spent = now() - start;
        let is_over = match limit {
            Limit::Seconds(seconds) => spent >= seconds && spent > 0.0,
            Limit::Work(amount) => done >= amount,
        };
        if is_over {
            return Ok(done as f64 / spent);
        }
    }
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_shares_worked_by_hand() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        let size = Size::square(9).unwrap();
        // 100 evaluations of 5 million multiply-adds are half of a peak of a thousand million.
        let one = NetSpeed { engine: "i16", batch: 1, size, rate: 100.0, n_multiplies: 5_000_000, peak: 1e9 };
        assert_eq!((one.share_of_peak(), rounded(0.123_456, 4)), (0.5, 0.1235));
        assert_eq!((parse_batch("16").unwrap(), parse_number("f32").unwrap()), (16, NumberKind::F32));
        assert!(parse_batch("65").is_err() && parse_batch("0").is_err() && parse_number("i8").is_err());
    }
}
