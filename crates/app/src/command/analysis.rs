//! `tengen analysis`.

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use lab::entrant::{SearchMeans, parse_memory};
use mcts::Settings;
use player::analysis::ask::Viewer;
use player::nets::NetFile;
use player::{analysis, levels, recipes};

use crate::options::{NetOptions, parse_count, parse_parallel, parse_recipe, parse_seed, recipe_option};

/// Answer questions about positions in KataGo's JSON protocol, on standard input and output
///
/// For KaTrain and other tools that run `katago analysis`. One JSON object a line; many questions at a time, answered in
/// any order, the most urgent first. KataGo's own options (-model, -config …) are accepted and ignored, except for
/// -override-config with maxVisits and reportAnalysisWinratesAs, -analysis-threads and -quit-without-waiting; they come
/// after ours.
#[derive(Args)]
pub(crate) struct Options {
    /// The recipe: a name from `tengen list` or a file whose name ends in .recipe, key=value pairs, or such pairs after
    /// either
    #[arg(long, default_value = "default")]
    recipe: String,
    #[command(flatten)]
    net: NetOptions,
    /// Search as a level of the page does, from 1 to 13, or to 6 with --net: its recipe, and its number of visits where it has
    /// one
    #[arg(long, value_name = "N", conflicts_with_all = ["recipe", "max_visits"])]
    level: Option<String>,
    /// Visits of a position, unless its question says how many
    #[arg(long, default_value_t = 500, value_parser = parse_count, allow_negative_numbers = true)]
    max_visits: u64,
    /// Positions that are searched at the same time, by one thread each; without this as many as there are cores
    #[arg(long, value_parser = parse_parallel, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Bytes that all trees together may take: 64M (million), 1.5G, 500K, 256MiB (times 1048576), or a plain number
    #[arg(long, default_value = "1GiB", value_name = "SIZE", value_parser = parse_memory, allow_hyphen_values = true)]
    memory: usize,
    /// Seed of every search: the same question has the same answer
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// The side whose win rates, scores and ownership are reported, unless a question says otherwise: black, white or sidetomove
    #[arg(long, default_value = "black", value_name = "WHOSE", value_parser = parse_viewer)]
    winrates_as: Viewer,
    /// End all searches when the input ends, instead of answering what was asked
    #[arg(long)]
    quit_without_waiting: bool,
    /// What stands behind our own options is KataGo's.
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    katago: Vec<String>,
}

fn parse_viewer(text: &str) -> Result<Viewer> {
    Viewer::parse(text).ok_or_else(|| anyhow!("expected black, white or sidetomove"))
}

impl Options {
    pub(crate) fn run(mut self) -> Result<ExitCode> {
        self.take_katago()?;
        let n_threads = match self.threads {
            Some(n) => n as usize,
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        if let Some(text) = &self.level {
            let level = levels::parse(text, self.net.is_given()).map_err(|why| anyhow!("--level {why}"))?;
            self.recipe = level.recipe.to_owned();
            self.max_visits = level.playouts.unwrap_or(self.max_visits);
        }
        let net = self.net.load(&self.recipe)?;
        let means = SearchMeans { memory: self.memory, threads: 1 }.settings(self.seed)?;
        let settings = Settings { net: net.as_ref().map(NetFile::loaded), ..means };
        let text = self.net.recipe(&self.recipe);
        let recipe = parse_recipe(text)?;
        recipes::check_with(&recipe, &settings).with_context(|| recipe_option(text))?;
        let options = analysis::Options {
            recipe,
            settings,
            net,
            n_threads,
            max_visits: self.max_visits,
            viewer: self.winrates_as,
            quits_at_once: self.quit_without_waiting,
            version: env!("CARGO_PKG_VERSION").to_string(),
        };
        gtp::stderr::install_panic_hook();
        analysis::serve(options, BufReader::new(io::stdin()), io::stdout())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Takes what means something to us of the options that tools give to KataGo.
    fn take_katago(&mut self) -> Result<()> {
        let words = std::mem::take(&mut self.katago);
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix('-').filter(|name| !name.starts_with('-') && !name.is_empty())
            else {
                bail!(
                    "unexpected argument \"{word}\"; our own options (see tengen analysis --help) stand before those \
                     of KataGo, which begin with one -"
                );
            };
            if name == "quit-without-waiting" {
                self.quit_without_waiting = true;
                continue;
            }
            let value = words.next_if(|next| !next.starts_with('-'));
            match (name, value) {
                ("override-config", Some(pairs)) => pairs.split(',').try_for_each(|pair| self.set(pair))?,
                ("analysis-threads", Some(n)) => {
                    let n = parse_parallel(n).with_context(|| format!("-analysis-threads {n}"))?;
                    self.threads = Some(n);
                }
                _ => gtp::stderr::log(&format!(
                    "analysis: {word} means something to KataGo only and is passed over"
                )),
            }
        }
        Ok(())
    }

    /// One pair of `-override-config`.
    fn set(&mut self, pair: &str) -> Result<()> {
        let context = || format!("-override-config {pair}");
        match pair.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("maxVisits", n)) => self.max_visits = parse_count(n).with_context(context)?,
            Some(("reportAnalysisWinratesAs", who)) => {
                self.winrates_as = parse_viewer(who).with_context(context)?;
            }
            Some(("numAnalysisThreads", n)) => self.threads = Some(parse_parallel(n).with_context(context)?),
            _ => {}
        }
        Ok(())
    }
}
