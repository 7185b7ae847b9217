//! `tengen train rollout`: the factors of the policy `bt`, fitted to recorded games.

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::{AnyBoard, Color, Rng, Size, with_board};
use model::ranking::Rows;
use playout::bt::{BtModel, BtNotes};
use playout::{Start, policy};
use train::ranking::{DrawSettings, MmSettings, RankingMethod, Training, judge};
use train::rollout;

use super::ranking::keep::{KEPT_SEED, begun, line, part_of, sum_of, words, write_whole};
use crate::files::check_free;
use crate::games;
use crate::options::{parse_seed, parse_whole};
use crate::words::counted;

/// Fit the playouts' move model to recorded games
///
/// The factors of the policy `bt`, by minorization-maximization [Coulom 2007]: those under which the played moves are likeliest, over the
/// features that a playout can afford. After each round games that were kept apart judge it. Other commands use the file by
/// `--playout-weights FILE` and `leaf.policy=bt leaf.policy.weights=file`.
#[derive(Args)]
pub(super) struct Options {
    /// Game lists, SGF files, or folders: all .sgf and .gz files below are taken
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Side of the board; games on others are passed over
    #[arg(long, default_value_t = 9, value_parser = parse_whole, allow_negative_numbers = true)]
    size: usize,
    /// Games to take, the first ones: lists begin with the best. One in twenty is kept to judge by
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = parse_whole, allow_negative_numbers = true)]
    games: usize,
    /// Positions drawn from each game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_whole, allow_negative_numbers = true)]
    positions: usize,
    /// Times that all positions are gone through
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_whole, allow_negative_numbers = true)]
    rounds: usize,
    /// Seed of all that is drawn
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Games that each feature has won, and as many that it has lost, against one of factor 1
    #[arg(long, value_name = "N", default_value_t = MmSettings::default().prior)]
    prior: f32,
    /// Megabytes of positions at which no more games are taken
    #[arg(long, value_name = "MB", default_value_t = 1000, value_parser = parse_whole, allow_negative_numbers = true)]
    memory: usize,
    /// A list of games by which the weights are judged at the end, beside those kept
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Where the weights are written. After each round FILE.part is: the same command goes on from it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let size = self.check()?;
        let (games, kept) = games::learned_and_kept(&self.files, self.games, size)?;
        let training = self.name(sum_of(games.iter().chain(&kept)));
        let part = part_of(&self.out);
        let begun = begun(&part, &training)?;
        let mut out = io::stdout().lock();
        let settings = DrawSettings { positions: self.positions, seed: self.seed, memory: self.memory << 20 };
        let kept_settings = DrawSettings { seed: self.seed ^ KEPT_SEED, ..settings };
        let (sets, n_games) = rollout::draw(&games, &settings);
        let (kept_sets, _) = rollout::draw(&kept, &kept_settings);
        if sets.is_empty() || kept_sets.is_empty() {
            bail!("no position could be drawn; expected games with moves that are no passes");
        }
        let (n_positions, n_games) =
            (counted(sets.len() as u64, "position"), counted(n_games as u64, "game"));
        let data = format!("{n_positions} of {n_games}, seed {}", self.seed);
        writeln!(out, "{data}; {} more to judge by", counted(kept.len() as u64, "game"))?;
        for (idx, score) in begun.iter().flat_map(|begun| begun.curve.iter().enumerate()) {
            writeln!(out, "{} (from {})", line(idx, score), part.display())?;
        }
        let method = RankingMethod::Mm(MmSettings { prior: self.prior });
        let run = Training { method, n_rounds: self.rounds, seed: self.seed, sets: &sets, kept: &kept_sets };
        let (rows, curve) = run.run(begun.as_ref(), |checkpoint| -> Result<()> {
            write_whole(&part, &checkpoint.to_bytes(&training))?;
            if let Some((idx, score)) = checkpoint.curve.iter().enumerate().next_back() {
                // Whoever closes the output early still gets the file.
                let _ = writeln!(out, "{}", line(idx, score));
            }
            Ok(())
        })?;
        let score = curve.last().map_or(String::new(), |score| words(score, kept.len()));
        let notes =
            BtNotes { trainer: format!("mm --prior {} --rounds {}", self.prior, self.rounds), data, score };
        let weights: Vec<f32> = (0..rows.len()).map(|feature| rows.row(feature)[0]).collect();
        let model = BtModel::new(size, notes, &weights);
        write_whole(&self.out, model.to_text().as_bytes())?;
        fs::remove_file(&part).with_context(|| part.display().to_string())?;
        if let Some(test) = &self.test {
            let games = games::first(std::slice::from_ref(test), usize::MAX, size)?;
            let (sets, _) = rollout::draw(&games, &kept_settings);
            let score = judge(&Rows::Weights(model.weights().to_vec()), &sets);
            let (name, n) = (test.display(), counted(sets.len() as u64, "position"));
            writeln!(out, "{name}: {} ({n})", words(&score, games.len()))?;
        }
        writeln!(out, "{:.3} µs a move in playouts from the empty board", micros_a_move(&model, size))?;
        writeln!(out, "{}", self.out.display())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses what makes no sense, before the time that training takes.
    fn check(&self) -> Result<Size> {
        let whole = [
            ("games", self.games),
            ("positions", self.positions),
            ("rounds", self.rounds),
            ("memory", self.memory),
        ];
        for (name, value) in whole {
            if value == 0 {
                bail!("--{name} 0: expected at least 1");
            }
        }
        if !(self.prior.is_finite() && self.prior >= 0.0) {
            bail!("--prior {}: expected 0 or more", self.prior);
        }
        let size = Size::square(self.size).with_context(|| format!("--size {}", self.size))?;
        let is_weights = |bytes: &[u8]| str::from_utf8(bytes).is_ok_and(|text| BtModel::parse(text).is_ok());
        check_free("--out", &self.out, "a file of playout weights", is_weights)?;
        Ok(size)
    }

    /// A line that tells this training from every other: its options and its games.
    fn name(&self, games: u64) -> String {
        let Self { size, positions, rounds, seed, prior, memory, .. } = self;
        format!(
            "rollout --size {size} --positions {positions} --rounds {rounds} --seed {seed} --prior {prior} --memory {memory}, \
             games {games:016x}"
        )
    }
}

/// Half a second of playouts.
fn micros_a_move(model: &BtModel, size: Size) -> f64 {
    let board = AnyBoard::new(size);
    let (mut rng, mut moves, mut n_moves) = (Rng::new(1), Vec::new(), 0u64);
    with_board!(&board, |board| {
        let mut playout = policy::build_bt(model, size, 1.0);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(500) {
            moves.clear();
            black_box(playout.run(&Start::new(board, Color::Black), &mut rng, &mut moves));
            n_moves += moves.len() as u64;
        }
        1e6 * begun.elapsed().as_secs_f64() / n_moves.max(1) as f64
    })
}
