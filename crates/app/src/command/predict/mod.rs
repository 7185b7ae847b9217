//! `tengen predict`: how well something foresees the moves of recorded games.
//!
//! Reading order: this file (options and the run), `text` (for people and for programs).

mod text;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use goban::Rules;
use lab::predict::page::{self, About};
use lab::predict::{PredictSettings, Spec, evaluate};
use records::{GameSample, RecordedGame};

use crate::folders;
use crate::options::{parse_rules, parse_seed, parse_whole, refuse_zeros};
use crate::{bars, games};

/// Measure how well moves of recorded games are foreseen
///
/// Reads game lists (a game per line, as `tengen check` reads them) and SGF files, has each predictor rate the legal moves
/// before every move that was played, and prints how often the played move was the first choice, among the first two, …
/// and the mean log loss -ln P(played move) in nats, with standard errors that count games and not positions.
///
/// Passes are not predicted. Ties are broken fairly: the uniform predictor finds the move among its first k of L in
/// k/L of the cases, and its log loss is the mean of ln L. By phase: the opening is an eighth of as many moves as the board
/// has points (10 on 9x9, 45 on 19x19), the middle game goes on to half of them (40, 180).
///
/// Predictors: uniform; a prior that gives P(a), such as flat-p, gammas or gammas:line=false (`tengen list prior`);
/// model:FILE, a model that `tengen train bt`, `tm`, `full-ranking` or `latent` wrote, and model:tactics, the prior `tactics`
/// without the search around it; net:NAME or net:FILE, what a network says without a search; policy:NAME@playouts=N, what a playout policy plays first in N playouts
/// (`tengen list policy`);
/// search:RECIPE@playouts=N, the share of the visits in a search of N simulations.
#[derive(Args)]
pub(crate) struct Options {
    /// Game lists, SGF files, or folders: all .sgf and .gz files below are taken
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Who predicts; may be given several times to compare on the same positions
    #[arg(long = "with", value_name = "PREDICTOR", required = true)]
    predictors: Vec<Spec>,
    /// Games to look at, drawn at random from all
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = parse_whole, allow_negative_numbers = true)]
    games: usize,
    /// Take the first games instead: lists begin with the best
    #[arg(long)]
    first: bool,
    /// Seed of the draw and of everything random in a predictor
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Rules that say what is legal; a game is followed to its first illegal move
    #[arg(long, default_value = "chinese", value_parser = parse_rules)]
    rules: Rules,
    /// Points for White where the record names none; only searches ask
    #[arg(long, default_value_t = 7.5, allow_negative_numbers = true)]
    komi: f32,
    /// Share of the uniform distribution that is mixed into every prediction, so that a move which was held impossible
    /// does not cost infinitely much
    #[arg(long, default_value_t = 0.001, value_name = "SHARE")]
    mixed: f64,
    /// Games evaluated at the same time; the result does not depend on it
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole, allow_negative_numbers = true)]
    parallel: usize,
    /// Print one line of JSON with the whole curves; a mean is written with its standard error behind it
    #[arg(long)]
    json: bool,
    /// Also write prediction.html, prediction.md and the curve as SVG into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The games that are looked at, and how they were found.
struct Chosen {
    games: Vec<RecordedGame>,
    /// Games that could have been chosen.
    n_read: usize,
    /// Files, lines and games that could not be read.
    n_unreadable: u64,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.check()?;
        let mut predictors = self.predictors.clone();
        predictors.iter_mut().try_for_each(|spec| spec.load_net(&folders::nets()))?;
        let chosen = self.choose()?;
        let settings = PredictSettings {
            rules: self.rules,
            komi: self.komi,
            mixed: self.mixed,
            seed: self.seed,
            parallel: self.parallel,
        };
        let mut predictions = Vec::new();
        for spec in &predictors {
            let bar = bars::timed(chosen.games.len() as u64, &spec.text);
            let prediction = evaluate(&chosen.games, spec, &settings, || bar.inc(1))?;
            bar.finish_and_clear();
            predictions.push(prediction);
        }
        let text = if self.json {
            text::json(&self, &chosen, &predictions)
        } else {
            text::table(&self, &chosen, &predictions)
        };
        writeln!(io::stdout().lock(), "{}", text.trim_end())?;
        if let Some(folder) = &self.out {
            page::page(&predictions, &self.about(&chosen)).save(folder, "prediction")?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses what makes no sense before anything is read.
    fn check(&self) -> Result<()> {
        refuse_zeros(&[("--games", self.games as u64), ("--parallel", self.parallel as u64)])?;
        if !(0.0..=1.0).contains(&self.mixed) {
            bail!("--mixed {}: expected a share from 0 to 1", self.mixed);
        }
        if !self.komi.is_finite() {
            bail!("--komi {}: expected a number", self.komi);
        }
        Ok(())
    }

    /// How the numbers come about.
    fn about(&self, chosen: &Chosen) -> About {
        let files: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        let games = if self.first {
            format!("the first {}", chosen.games.len())
        } else {
            format!("{} of {}, drawn with seed {}", chosen.games.len(), chosen.n_read, self.seed)
        };
        let facts = [
            ("files", files.join(" ")),
            ("games", games),
            ("rules", self.rules.to_string()),
            ("uniform mixed in", self.mixed.to_string()),
            ("program", format!("tengen {}", env!("CARGO_PKG_VERSION"))),
        ];
        About { facts: facts.map(|(name, fact)| (name.to_string(), fact)).to_vec(), command: command_line() }
    }

    /// Reads all files and keeps the games that are looked at.
    fn choose(&self) -> Result<Chosen> {
        let mut sample =
            if self.first { GameSample::first(self.games) } else { GameSample::drawn(self.games, self.seed) };
        let n_unreadable = games::read(&mut sample, &self.files, |_| true)?;
        let n_read = sample.n_offered();
        let games = sample.into_games();
        if games.is_empty() {
            return Err(games::none_found(None));
        }
        Ok(Chosen { games, n_read, n_unreadable })
    }
}

/// The command line, as a shell reads it.
pub(in crate::command) fn command_line() -> String {
    let quoted = |word: String| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("tengen".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}
