//! `tengen review`: a game of a record looked at move by move.
//!
//! Reading order: this file (options, the run), `game` (the record and its positions), `think` (one position), `store` (what is
//! found already), `verdict` (what each move cost), `annotate` (the record with comments and variations), `page` (for a browser).

mod annotate;
mod game;
mod page;
mod store;
mod think;
mod verdict;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::Rules;
use indicatif::{ProgressBar, ProgressStyle};
use mcts::{LoadedNet, Settings};
use player::nets::NetFile;
use player::recipes;
use recipe::Recipe;

use crate::options::{NetOptions, parse_count, parse_points, parse_rules, parse_seed, parse_whole};
use game::Reviewed;
use store::{Found, Store, Terms};
use think::Thinker;
use verdict::Verdicts;

/// Look at a game move by move: an annotated record and a page with the mistakes
///
/// Every position of the record's main line is searched. NAME.review.sgf is the record with all that was in it and, added,
/// win rates, comments and better variations; NAME.review.html is one page for a browser with the win rates of the game as a
/// graph, and the worst moves with boards and what would have been better.
///
/// What is found is kept in NAME.review.jsonl: the same command continues a review that was interrupted. Files that no review
/// wrote are never overwritten.
///
/// Where the search would have played another move, the position after that one is searched as well: what is left after the
/// move that was played is compared with it. A few hundred playouts find blunders, not fine points.
#[derive(Args)]
pub(crate) struct Options {
    /// The record, in SGF
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder for what is written [default: that of the record]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Simulations for each position
    #[arg(long, default_value_t = 1000, value_parser = parse_count, allow_negative_numbers = true)]
    playouts: u64,
    /// Positions searched at the same time; it changes nothing of what is found [default: all processors but one]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The recipe of the search, as in `tengen gtp`
    #[arg(long, default_value = "default")]
    recipe: String,
    #[command(flatten)]
    net: NetOptions,
    /// Seed of everything random; each position has one of its own that follows from it
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Rules, whatever the record says
    #[arg(long, value_parser = parse_rules)]
    rules: Option<Rules>,
    /// Points for White, whatever the record says [default where it says nothing: 7.5]
    #[arg(long, value_parser = parse_points, allow_negative_numbers = true)]
    komi: Option<f32>,
    /// How many of the worst moves the page shows
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = parse_whole, allow_negative_numbers = true)]
    worst: usize,
}

fn parse_threads(text: &str) -> Result<usize> {
    match text.parse() {
        Ok(n) if (1..=256).contains(&n) => Ok(n),
        _ => bail!("expected a whole number from 1 to 256"),
    }
}

/// What positions are searched with.
struct Means {
    recipe: Recipe,
    net: Option<LoadedNet>,
}

/// Where a review is written.
struct Files {
    sgf: PathBuf,
    html: PathBuf,
    found: PathBuf,
}

impl Files {
    fn new(record: &Path, folder: Option<&Path>) -> Result<Self> {
        let stem = record.file_stem().with_context(|| format!("{}: expected a file", record.display()))?;
        let folder = folder.unwrap_or_else(|| record.parent().unwrap_or(Path::new("")));
        let file = |suffix: &str| {
            let mut name = stem.to_os_string();
            name.push(suffix);
            folder.join(name)
        };
        Ok(Self { sgf: file(".review.sgf"), html: file(".review.html"), found: file(".review.jsonl") })
    }
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let game = Reviewed::read(&self.file, self.rules, self.komi)?;
        let files = Files::new(&self.file, self.out.as_deref())?;
        let net = self.net.load(&self.recipe)?;
        let search = self.search_of(net.as_ref())?;
        let terms = self.terms(&game, &search.recipe, net.as_ref());
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder).with_context(|| format!("--out {}", folder.display()))?;
        }
        let mut store = Store::open(&files.found, &[&files.sgf, &files.html], &terms)?;
        let stop = Arc::new(AtomicBool::new(false));
        let on_ctrl_c = Arc::clone(&stop);
        ctrlc::set_handler(move || on_ctrl_c.store(true, Ordering::Relaxed))
            .context("cannot watch for Ctrl-C")?;
        self.search(&game, search, &mut store, &stop)?;
        let n_left = store.missing().len();
        if n_left > 0 {
            let n_done = game.n_positions() - n_left;
            eprintln!(
                "tengen: stopped after {n_done} of {} positions; the same command goes on",
                game.n_positions()
            );
            return Ok(ExitCode::from(130));
        }
        let verdicts = Verdicts::new(&game, &store.all());
        let tree = annotate::annotate(&game, &verdicts)?;
        write(&files.sgf, &tree.to_string())?;
        write(&files.html, &page::html(&game, &verdicts, &terms, self.worst))?;
        println!("{}", verdicts.summary(&game));
        println!("{}\n{}", files.sgf.display(), files.html.display());
        Ok(ExitCode::SUCCESS)
    }

    /// What positions are searched with.
    fn search_of(&self, net: Option<&NetFile>) -> Result<Means> {
        let text = self.net.recipe(&self.recipe);
        let recipe = recipes::parse(text).with_context(|| format!("--recipe {text:?}"))?;
        let net = net.map(NetFile::loaded);
        let settings = Settings { net: net.clone(), ..Settings::default() };
        recipes::check_with(&recipe, &settings).with_context(|| format!("--recipe {text:?}"))?;
        Ok(Means { recipe, net })
    }

    /// All that what is found depends on.
    fn terms(&self, game: &Reviewed, recipe: &Recipe, net: Option<&NetFile>) -> Terms {
        Terms {
            version: 1,
            record: game.fingerprint(),
            recipe: recipe.to_string(),
            net: net.map(NetFile::identity),
            playouts: self.playouts,
            seed: self.seed,
            rules: game.rules().to_string(),
            komi: game.komi(),
            positions: game.n_positions(),
        }
    }

    /// Searches what is missing, and keeps each position as soon as it is found.
    fn search(&self, game: &Reviewed, means: Means, store: &mut Store, stop: &Arc<AtomicBool>) -> Result<()> {
        let missing = store.missing();
        let bar = progress(game.n_positions(), game.n_positions() - missing.len());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let n_threads = self.threads.unwrap_or(cores.saturating_sub(1).max(1)).min(missing.len().max(1));
        let next = AtomicUsize::new(0);
        let (sender, found) = mpsc::channel::<Result<Found>>();
        let Means { recipe, net } = means;
        let thinker = Thinker { game, recipe, net, playouts: self.playouts, seed: self.seed, stop };
        let searched = std::thread::scope(|scope| {
            for _ in 0..n_threads {
                let (sender, next, missing, thinker) = (sender.clone(), &next, &missing, &thinker);
                scope.spawn(move || {
                    while let Some(&ply) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        match thinker.think(ply) {
                            Ok(None) => break,
                            Ok(Some(found)) => {
                                if sender.send(Ok(found)).is_err() {
                                    break;
                                }
                            }
                            Err(error) => {
                                let _ = sender.send(Err(error));
                                break;
                            }
                        }
                    }
                });
            }
            drop(sender);
            let mut outcome = Ok(());
            for one in found {
                let kept = one.and_then(|one| store.add(one));
                bar.inc(1);
                if let Err(error) = kept {
                    // The others need not go on for nothing.
                    stop.store(true, Ordering::Relaxed);
                    outcome = Err(error);
                }
            }
            outcome
        });
        bar.finish_and_clear();
        searched
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    // Written beside and then moved, so that a reader never sees half of it.
    let mut beside = path.as_os_str().to_os_string();
    beside.push(".new");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// A bar for terminals only.
fn progress(n_positions: usize, n_done: usize) -> ProgressBar {
    let bar = ProgressBar::new(n_positions as u64).with_position(n_done as u64);
    bar.reset_eta();
    if let Ok(style) =
        ProgressStyle::with_template("{bar:24} {pos}/{len} positions {elapsed_precise} (eta {eta_precise})")
    {
        bar.set_style(style);
    }
    bar.tick();
    bar
}
