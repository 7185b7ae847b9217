//! Options that mean the same in every command.

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::{Rules, Size};
use player::{SearchPlayer, recipes};

/// Which game is played.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameOptions {
    /// Board size: 9, 13, 19, any side from 2 to 25, or WIDTHxHEIGHT
    #[arg(long, default_value = "9", value_parser = parse_size)]
    pub(crate) size: Size,
    /// Points for White
    #[arg(long, default_value_t = 7.5, allow_negative_numbers = true)]
    pub(crate) komi: f32,
    /// Rules by name, with switches of their own if wanted: chinese, tromp-taylor, japanese,suicide=true
    #[arg(long, default_value = "chinese", value_parser = parse_rules)]
    pub(crate) rules: Rules,
}

/// How a player of ours thinks.
#[derive(Args, Clone, Debug)]
pub(crate) struct ThinkOptions {
    /// The recipe: a name from `tengen list`, key=value pairs, both, or a file whose name ends in .recipe
    #[arg(long, default_value = "default")]
    pub(crate) recipe: String,
    /// New simulations for each move
    #[arg(long)]
    pub(crate) playouts: Option<u64>,
    /// Seconds for each move. Without this and --playouts: as the clock allows, if there is one, else 10000 playouts
    /// (`play`: one second, `bench search`: 20000 playouts)
    #[arg(long)]
    pub(crate) time: Option<f64>,
    /// Search threads; only 1 for now
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// Seed of everything random: the same seed and one thread give the same game
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// `9`, `13x9`.
fn parse_size(text: &str) -> Result<Size> {
    let side = |word: &str| {
        word.parse::<usize>()
            .with_context(|| format!("\"{word}\" is no number; expected 9, 13, 19 or WIDTHxHEIGHT"))
    };
    let (width, height) = match text.split_once(['x', 'X', '*']) {
        Some((width, height)) => (side(width)?, side(height)?),
        None => (side(text)?, side(text)?),
    };
    Ok(Size::new(width, height)?)
}

pub(crate) fn parse_rules(text: &str) -> Result<Rules> {
    Ok(text.parse()?)
}

impl ThinkOptions {
    /// The player that these options describe.
    pub(crate) fn player(&self) -> Result<SearchPlayer> {
        let settings = mcts::Settings { seed: self.seed, ..Default::default() };
        recipes::player(&self.recipe, &settings).with_context(|| format!("--recipe {:?}", self.recipe))
    }

    /// Refuses what no search can do.
    pub(crate) fn check(&self) -> Result<()> {
        if self.playouts == Some(0) {
            bail!("--playouts 0: expected at least 1");
        }
        if self.time.is_some_and(|time| !(time > 0.0 && time.is_finite())) {
            bail!("--time {}: expected a positive number of seconds", self.time.unwrap_or_default());
        }
        if self.threads != 1 {
            bail!("--threads {}: the search has one thread for now; expected 1", self.threads);
        }
        Ok(())
    }
}
