//! `tengen train shapes`: weights of local shapes, learned in self-play.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use goban::Size;
use playout::shapes::ShapeModel;
use train::shapes::checkpoint::is_checkpoint;
use train::shapes::{CurveRow, ShapeTrainer, TdSettings};

use crate::files::{beside, check_free, replace};
use crate::options::{parse_count, parse_points, parse_seed, parse_whole};
use crate::words::resumed;

/// Learn the weights of local shapes (RLGO) in self-play
///
/// Plays games against itself from the empty board, epsilon-greedy, and learns from each move by temporal differences what the
/// configurations of stones in all rectangles up to 3x3 are worth. At regular intervals the greedy player meets the policies `uniform` and `mogo`; the learning curve
/// is written to FILE.csv, the weights to FILE, and the whole run to FILE.run. Given again, the command goes on from there,
/// also after it was killed, and ends with the same weights as if it had not been; with more --games it learns on. Other
/// commands use the weights by `--shapes FILE`.
#[derive(Args)]
pub(crate) struct Options {
    /// Side of the board
    #[arg(long, default_value_t = 9, value_parser = parse_whole, allow_negative_numbers = true)]
    size: usize,
    /// Games in all, those of earlier runs included
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = parse_count, allow_negative_numbers = true)]
    games: u64,
    /// How far a step reaches back, 0 to 1; 0 is TD(0)
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = parse_share, allow_negative_numbers = true)]
    lambda: f32,
    /// Probability of a move at random
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = parse_share, allow_negative_numbers = true)]
    epsilon: f32,
    /// Step size: a share of the gap in ln(odds), divided among all shapes on the board
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = parse_step, allow_negative_numbers = true)]
    alpha: f32,
    /// Points for White
    #[arg(long, default_value_t = 7.5, value_parser = parse_points, allow_negative_numbers = true)]
    komi: f32,
    /// Seed of all games
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Games between two rows of the curve; a run that is killed loses fewer than that
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = parse_count, allow_negative_numbers = true)]
    every: u64,
    /// Games against each of `uniform` and `mogo` for a row of the curve
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_whole, allow_negative_numbers = true)]
    measure: usize,
    /// Where the weights are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn parse_share(text: &str) -> Result<f32> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| anyhow!("expected a number from 0 to 1"))
}

fn parse_step(text: &str) -> Result<f32> {
    let step = text.parse().ok().filter(|&step: &f32| step > 0.0 && step <= 100.0);
    step.ok_or_else(|| anyhow!("expected a number above 0, at most 100"))
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let size = Size::square(self.size).with_context(|| format!("--size {}", self.size))?;
        let n_measured = u32::try_from(self.measure).context("--measure: expected fewer games")?;
        if !self.komi.is_finite() {
            bail!("--komi {}: expected a number of points such as 7.5", self.komi);
        }
        check_free("--out", &self.out, "a file of local shapes", |bytes| ShapeModel::parse(bytes).is_ok())?;
        let mut run = self.begin(size)?;
        let mut out = io::stdout().lock();
        if let Some(words) = resumed(run.n_games(), self.games, "game") {
            writeln!(out, "{words}")?;
        }
        let (begun, n_begun) = (Instant::now(), run.n_games());
        while run.n_games() < self.games {
            // Rows stand at multiples of `every`, wherever a run was cut off.
            let n_games = self.every - run.n_games() % self.every;
            run.play(n_games.min(self.games - run.n_games()));
            run.measure(n_measured);
            self.write(&run)?;
            let speed = (run.n_games() - n_begun) as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            if let Some(row) = run.rows().last() {
                // Whoever closes the output early still gets the files.
                let _ = writeln!(out, "{}, {speed:.0} games/s", tell(row));
            }
        }
        self.write(&run)?;
        writeln!(out, "{}", self.out.display())?;
        Ok(ExitCode::SUCCESS)
    }

    /// The run of an earlier call, or a new one.
    fn begin(&self, size: Size) -> Result<ShapeTrainer> {
        let &Options { lambda, epsilon, alpha, komi, seed, .. } = self;
        let settings = TdSettings { size, lambda, epsilon, alpha, komi, seed };
        let path = beside(&self.out, ".run");
        check_free("the run", &path, "a run of the trainer of shapes", is_checkpoint)?;
        if !path.exists() {
            return Ok(ShapeTrainer::new(settings));
        }
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        ShapeTrainer::parse(&bytes, &settings).with_context(|| path.display().to_string())
    }

    /// Writes the run, then what follows from it.
    fn write(&self, run: &ShapeTrainer) -> Result<()> {
        replace(&beside(&self.out, ".run"), &run.to_bytes())?;
        replace(&self.out, &run.model().to_bytes())?;
        let rows = run.rows().iter().map(|row| row.to_text() + "\n");
        let curve = format!("{}\n{}", CurveRow::COLUMNS, rows.collect::<String>());
        replace(&beside(&self.out, ".csv"), curve.as_bytes())
    }
}

/// A row of the curve in words.
fn tell(row: &CurveRow) -> String {
    let CurveRow { n_games, uniform, mogo, black, moves } = *row;
    let percent = |share: f32| 100.0 * share;
    format!(
        "{n_games} games: wins {:.1} % against uniform, {:.1} % against mogo; self-play: Black {:.1} %, {moves:.0} moves",
        percent(uniform),
        percent(mogo),
        percent(black)
    )
}
