//! `tengen accuracy label`: positions and their values.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use goban::Rules;
use lab::accuracy::file::{FORMAT, LabelHeader, LabelLog, LabelProgram};
use lab::accuracy::label::{LabelSearch, draw};
use lab::entrant::parse_memory;
use serde_json::json;

use crate::command::bench;
use crate::options::{parse_recipe, parse_rules, parse_seed, parse_whole, refuse_zeros};
use crate::{bars, games};

/// Draw positions from recorded games and label them by deep search
///
/// One position of each game: that before a move drawn from those before the game's first pass. Games whose komi is not
/// recorded are left out. The label is the win rate of the move that the search would play, as Black sees it.
///
/// The file has a line of JSON that says how the labels were found, then one for each position with its value, its source
/// and the game up to there as SGF. An interrupted run continues when the same command is given again. The file holds positions
/// of the games that it was made from, so their terms apply to it.
#[derive(Args)]
pub(super) struct Options {
    /// Game lists, SGF files, or folders: all .sgf and .gz files below are taken
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of positions, each of another game
    #[arg(long, value_name = "N", value_parser = parse_whole, allow_negative_numbers = true)]
    positions: usize,
    /// Who searches: a name from `tengen list`, key=value pairs, both, or a file whose name ends in .recipe
    #[arg(long, default_value = "default")]
    recipe: String,
    /// Simulations for each position
    #[arg(long, default_value_t = 100_000, value_parser = parse_seed, allow_negative_numbers = true)]
    playouts: u64,
    /// Seed of the draw and of the searches
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Rules that the positions are played by
    #[arg(long, default_value = "chinese", value_parser = parse_rules)]
    rules: Rules,
    /// Bytes that a tree may take: 64M (million), 1.5G, 256MiB
    #[arg(long, default_value = "1GiB", value_name = "SIZE", value_parser = parse_memory)]
    memory: usize,
    /// Searches at the same time; the labels do not depend on it
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole, allow_negative_numbers = true)]
    parallel: usize,
    /// Where the labels go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one line of JSON at the end
    #[arg(long)]
    json: bool,
}

impl Options {
    pub(super) fn run(&self) -> Result<ExitCode> {
        refuse_zeros(&[
            ("--positions", self.positions as u64),
            ("--playouts", self.playouts),
            ("--parallel", self.parallel as u64),
        ])?;
        let recipe = parse_recipe(&self.recipe)?;
        let drawn = draw(&self.files, self.positions, self.seed, self.rules, |why| {
            let _ = games::complain(why);
        });
        if drawn.games.len() < self.positions {
            bail!(
                "--positions {}: there are only {} games that a position can be drawn from; expected as many as that",
                self.positions,
                drawn.games.len()
            );
        }
        let judge = LabelSearch {
            recipe,
            playouts: self.playouts,
            seed: self.seed,
            memory: self.memory,
            rules: self.rules,
        };
        let (log, there) = LabelLog::open(&self.out, &self.header(&judge, drawn.n_fit)?)?;
        let bar = bars::timed(self.positions as u64, "labels");
        let mut seconds = 0.0;
        judge.label_all(&drawn.games, (log, &there), self.parallel, |label| {
            seconds += label.seconds;
            bar.inc(1);
        })?;
        bar.finish_and_clear();
        let out = self.out.display();
        let mut stdout = io::stdout().lock();
        if self.json {
            let line = json!({
                "positions": self.positions,
                "before": there.len(),
                "seconds": seconds,
                "games": drawn.n_fit,
                "out": out.to_string(),
            });
            writeln!(stdout, "{line}")?;
        } else {
            writeln!(
                stdout,
                "{} labelled positions in {out}, {} of them from before; {seconds:.1} s of search in all",
                self.positions,
                there.len()
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// How the labels are found.
    fn header(&self, judge: &LabelSearch, games: u64) -> Result<LabelHeader> {
        Ok(LabelHeader {
            tengen_labels: FORMAT,
            recipe: self.recipe.clone(),
            canonical: judge.recipe.to_string(),
            playouts: self.playouts,
            seed: self.seed,
            positions: self.positions as u64,
            rules: self.rules.to_string(),
            files: self.files.iter().map(|file| file.display().to_string()).collect(),
            games,
            program: program()?,
        })
    }
}

/// Who we are.
fn program() -> Result<LabelProgram> {
    let commit = option_env!("TENGEN_REVISION").map(str::to_string).filter(|text| !text.is_empty());
    Ok(LabelProgram { version: env!("CARGO_PKG_VERSION").to_string(), commit, bench: Some(bench::number()?) })
}
