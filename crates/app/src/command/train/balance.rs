//! `tengen train balance`: the factors of the policy `bt`, balanced against the values of a search.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use goban::{Color, Rules, Size};
use lab::accuracy::file;
use model::ranking::file::{FNV_START, fnv};
use player::searcher::situation;
use playout::bt::{BtModel, BtNotes, fitted};
use train::rollout::{BalanceForm, BalanceScore, BalanceSettings, Balancing, LabelledPosition};

use super::ranking::keep::{begun, part_of, write_whole};
use crate::files::check_free;
use crate::options::{parse_seed, parse_whole};
use crate::words::counted;

/// From which playouts a step follows.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// The mean of M playouts, and the slope of N others
    Full,
    /// Both from the same N playouts: cheaper, and biased
    Shared,
    /// Two moves ahead only, values by local shapes
    TwoStep,
}

/// Balance the playouts' move model against a search
///
/// Simulation balancing [Silver & Tesauro 2009; Huang, Coulom & Lin 2010]: changes the factors of the policy `bt` so that the mean result of
/// playouts from labelled positions (`tengen accuracy label`) is the value that a deep search found. After each round the mean squared
/// errors on these positions and on others, kept apart, are told, without what is chance in them. Other commands use the file by
/// `--playout-weights FILE` and `leaf.policy=bt leaf.policy.weights=file`.
#[derive(Args)]
pub(super) struct Options {
    /// Labelled positions to learn from
    #[arg(value_name = "LABELS")]
    labels: PathBuf,
    /// Labelled positions to judge by, of other games
    #[arg(long, value_name = "LABELS")]
    kept: PathBuf,
    /// The first weights; those fitted to games if there is no file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// From which playouts a step follows
    #[arg(long, value_enum, default_value = "full")]
    form: Form,
    /// The first step; it falls with the rounds
    #[arg(long, value_name = "STEP", default_value_t = 10.0)]
    alpha: f32,
    /// M: playouts for the mean result
    #[arg(long, value_name = "M", default_value_t = 200, value_parser = parse_whole, allow_negative_numbers = true)]
    values: usize,
    /// N: playouts for its slope
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_whole, allow_negative_numbers = true)]
    slopes: usize,
    /// Times that all positions are gone through
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_whole, allow_negative_numbers = true)]
    rounds: usize,
    /// Playouts from each position by which a round is judged
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_whole, allow_negative_numbers = true)]
    judge: usize,
    /// Seed of all playouts
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Where the weights are written. After each round FILE.part is: the same command goes on from it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let settings = self.settings()?;
        let (learned, kept) = (read(&self.labels)?, read(&self.kept)?);
        let size = size_of(&self.labels, &learned)?;
        if size_of(&self.kept, &kept)? != size {
            bail!(
                "--kept {}: other boards than {}; expected {size}",
                self.kept.display(),
                self.labels.display()
            );
        }
        let first = self.first(size)?;
        let training = self.name(&first, &learned, &kept);
        let part = part_of(&self.out);
        let begun = begun(&part, &training)?;
        let mut out = io::stdout().lock();
        let data = format!("{}, seed {}", counted(learned.len() as u64, "labelled position"), self.seed);
        writeln!(out, "{data}; {} more to judge by", counted(kept.len() as u64, "position"))?;
        for (idx, score) in begun.iter().flat_map(|begun| begun.curve.iter().enumerate()) {
            writeln!(out, "{} (from {})", line(idx, score), part.display())?;
        }
        let run = Balancing { settings, first: &first, learned: &learned, kept: &kept };
        let (weights, curve) = run.run(begun.as_ref(), |checkpoint| -> Result<()> {
            write_whole(&part, &checkpoint.to_bytes(&training))?;
            if let Some((idx, score)) = checkpoint.curve.iter().enumerate().next_back() {
                // Whoever closes the output early still gets the file.
                let _ = writeln!(out, "{}", line(idx, score));
                let _ = out.flush();
            }
            Ok(())
        })?;
        let score = match &curve[..] {
            [first, .., last] => format!(
                "mean squared error {:.4}, {:.4} before, on {} kept apart",
                last.kept,
                first.kept,
                counted(kept.len() as u64, "position")
            ),
            _ => String::new(),
        };
        let notes = BtNotes { trainer: self.describe(), data, score };
        write_whole(&self.out, BtModel::new(size, notes, &weights).to_text().as_bytes())?;
        fs::remove_file(&part).with_context(|| part.display().to_string())?;
        writeln!(out, "{}", self.out.display())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses what makes no sense.
    fn settings(&self) -> Result<BalanceSettings> {
        let number = |name: &str, value: usize| {
            u32::try_from(value)
                .ok()
                .filter(|&n| n > 0)
                .with_context(|| format!("--{name} {value}: expected 1 to {}", u32::MAX))
        };
        if !(self.alpha.is_finite() && self.alpha > 0.0) {
            bail!("--alpha {}: expected a number above 0", self.alpha);
        }
        number("rounds", self.rounds)?;
        let is_weights = |bytes: &[u8]| str::from_utf8(bytes).is_ok_and(|text| BtModel::parse(text).is_ok());
        check_free("--out", &self.out, "a file of playout weights", is_weights)?;
        Ok(BalanceSettings {
            form: match self.form {
                Form::Full => BalanceForm::Full,
                Form::Shared => BalanceForm::Shared,
                Form::TwoStep => BalanceForm::TwoStep,
            },
            alpha: self.alpha,
            n_value: number("values", self.values)?,
            n_gradient: number("slopes", self.slopes)?,
            n_rounds: self.rounds,
            n_judge: number("judge", self.judge)?,
            seed: self.seed,
        })
    }

    /// The weights to begin with.
    fn first(&self, size: Size) -> Result<BtModel> {
        let Some(path) = &self.from else { return Ok(fitted(size).clone()) };
        let name = || format!("--from {}", path.display());
        let text = fs::read_to_string(path).with_context(name)?;
        BtModel::parse(&text).with_context(name)
    }

    /// The trainer and its settings.
    fn describe(&self) -> String {
        let Self { form, alpha, values, slopes, rounds, .. } = self;
        let form = form.to_possible_value().map_or(String::new(), |value| value.get_name().to_string());
        format!("balance --form {form} --alpha {alpha} --values {values} --slopes {slopes} --rounds {rounds}")
    }

    /// A line that tells this run from every other.
    fn name(&self, first: &BtModel, learned: &[LabelledPosition], kept: &[LabelledPosition]) -> String {
        let sum = learned.iter().chain(kept).fold(FNV_START, |sum, position| {
            let LabelledPosition { board, to_play, recent, komi, value } = position;
            fnv(sum, format!("{board:?} {to_play:?} {recent:?} {komi} {value}").as_bytes())
        });
        let sum = fnv(sum, first.to_text().as_bytes());
        format!("{} --judge {} --seed {}, data {sum:016x}", self.describe(), self.judge, self.seed)
    }
}

/// Labelled positions as the trainer takes them.
fn read(path: &Path) -> Result<Vec<LabelledPosition>> {
    let labels = file::read(path)?;
    let rules: Rules = labels.header.rules.parse().with_context(|| format!("{}: rules", path.display()))?;
    let convert = |label: &file::Label| {
        let position = label.position(rules).with_context(|| path.display().to_string())?;
        let to_play: Color = position.to_play();
        let situation = situation(&position, to_play);
        Ok(LabelledPosition {
            board: situation.board.clone(),
            to_play,
            recent: [situation.recent[0], situation.recent[1]],
            komi: situation.komi,
            value: label.value as f32,
        })
    };
    labels.labels.iter().map(convert).collect()
}

/// The size of all positions.
fn size_of(path: &Path, positions: &[LabelledPosition]) -> Result<Size> {
    let mut sizes = positions.iter().map(|position| position.board.size());
    let first = sizes.next().with_context(|| format!("{}: no labelled position", path.display()))?;
    match sizes.find(|&size| size != first) {
        None => Ok(first),
        Some(other) => bail!("{}: boards of {first} and {other}; expected one size", path.display()),
    }
}

fn line(idx: usize, score: &BalanceScore) -> String {
    let BalanceScore { learned, kept, bias } = *score;
    format!(
        "round {idx:3}: mean squared error {learned:.4} where it learns, {kept:.4} where it does not; bias of the mover {bias:+.4}"
    )
}
