//! `tengen train gammas`: the factors of the prior `tactics`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use goban::Size;
use model::tactics::{FeatureWeights, PatternTable};
use train::gammas::{self, FitSettings};

use crate::files::check_free;
use crate::games;
use crate::options::{parse_seed, parse_whole, refuse_zeros};
use crate::words::counted;

/// Fit the factors of the prior `tactics`
///
/// Draws positions from the games of one board size and fits a factor to each feature of a move (place, distance to the
/// last two moves, captures and rescues, ataris, self-atari, fights, the 3x3 shape, and with --circles what stands in
/// growing circles around it) so that the moves that were played become as likely as possible. One game in twenty is kept
/// to judge by: the log loss there and how often the first choice was played are printed after every epoch. The factors
/// are written one per line and the circles as bytes, as the program has them built in.
#[derive(Args)]
pub(crate) struct Options {
    /// Game lists, SGF files, or folders: all .sgf and .gz files below are taken
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Side of the board; games on others are passed over
    #[arg(long, default_value_t = 9, value_parser = parse_whole, allow_negative_numbers = true)]
    size: usize,
    /// Games to learn from, the first ones: lists begin with the best
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = parse_whole, allow_negative_numbers = true)]
    games: usize,
    /// Positions drawn from each game each time
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = parse_whole, allow_negative_numbers = true)]
    positions: usize,
    /// Passes over all games
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = parse_whole, allow_negative_numbers = true)]
    epochs: usize,
    /// Seed of everything random
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Where the factors are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the circles and their factors are written; without it none are learned
    #[arg(long, value_name = "FILE")]
    circles: Option<PathBuf>,
    /// Circles that stood around fewer played moves than this are not learned
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = parse_whole, allow_negative_numbers = true)]
    common: usize,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        refuse_zeros(&[
            ("--games", self.games as u64),
            ("--positions", self.positions as u64),
            ("--epochs", self.epochs as u64),
            ("--common", self.common as u64),
        ])?;
        let size = Size::square(self.size).with_context(|| format!("--size {}", self.size))?;
        // Before the hours that training may take.
        check_free("--out", &self.out, "a list of factors", |bytes| {
            str::from_utf8(bytes).is_ok_and(|text| FeatureWeights::parse(text).is_ok())
        })?;
        if let Some(path) = &self.circles {
            check_free("--circles", path, "a list of circles", |bytes| PatternTable::parse(bytes).is_ok())?;
        }
        let (games, kept) = games::learned_and_kept(&self.files, self.games, size)?;
        let mut out = io::stdout().lock();
        let known = match self.circles {
            Some(_) => gammas::harvest(&games, u32::try_from(self.common).unwrap_or(u32::MAX)),
            None => PatternTable::new(&[]),
        };
        let (n_games, n_known) = (counted(games.len() as u64, "game"), counted(known.len() as u64, "circle"));
        writeln!(out, "{n_games}, {} more to judge by; {n_known}", kept.len())?;
        let settings = FitSettings {
            epochs: self.epochs,
            positions: self.positions,
            seed: self.seed,
            ..FitSettings::default()
        };
        let fit = gammas::fit(&games, &kept, &known, &settings, |epoch, fit| {
            let (loss, top1) = (fit.log_loss, 100.0 * fit.top1);
            // Whoever closes the output early still gets the file.
            let _ = writeln!(
                out,
                "epoch {:2}: log loss {loss:.4} nats, first choice played {top1:.1} %",
                epoch + 1
            );
        });
        let circles = match self.circles {
            Some(_) => format!(" --circles FILE --common {}", self.common),
            None => String::new(),
        };
        let about = format!(
            "Fitted by `tengen train gammas --size {} --games {} --positions {} --epochs {} --seed {}{circles}` to {} positions\n\
             of {} games, {} circles: log loss {:.4} nats, first choice played {:.1} %, in {} games that were kept apart.",
            self.size,
            self.games,
            self.positions,
            self.epochs,
            self.seed,
            fit.n_positions,
            games.len(),
            known.len(),
            fit.log_loss,
            100.0 * fit.top1,
            kept.len(),
        );
        let text = gammas::write(&fit, &about);
        fs::write(&self.out, text).with_context(|| self.out.display().to_string())?;
        if let Some(path) = &self.circles {
            let bytes = gammas::write_circles(&fit, &known);
            fs::write(path, bytes).with_context(|| path.display().to_string())?;
        }
        for path in [Some(&self.out), self.circles.as_ref()].into_iter().flatten() {
            writeln!(out, "{}", path.display())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
