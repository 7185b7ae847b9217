//! `tengen review`: the review of a recorded game, which `player::review` makes, in files and words.
//!
//! Reading order: this file (options, the run), `game` (the record), `store` (what is found already), `text` (the review in
//! words), `annotate` (the record with comments and variations), `page` (for a browser).

mod annotate;
mod game;
mod page;
mod store;
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::Rules;
use indicatif::ProgressBar;
use mcts::Settings;
use player::nets::NetFile;
use player::review::{
    self, Finding, Review, ReviewBudget, ReviewMeans, ReviewWorker, Slice, SpeedTest, Task,
};
use player::{recipes, whole_file};
use recipe::Recipe;
use serde_json::json;

use crate::files::{cannot_write, make_out};
use crate::options::{
    NetOptions, parse_count, parse_points, parse_recipe, parse_rules, parse_seconds, parse_seed, parse_up_to,
    parse_whole, recipe_option,
};
use crate::words::counted;
use crate::{bars, interrupt};
use game::Reviewed;
use store::{ReviewLog, ReviewTerms};

/// Memory for the tree of one position: far more than the playouts of a review need.
const MEMORY: usize = 256 << 20;

/// Seconds for a game when nobody says how long.
const DEFAULT_TIME: f64 = 60.0;

/// Review a game: which moves were mistakes, what they cost, and what would have been better
///
/// Every position of the record's main line gets a glance; most of the simulations go to the moves that then seem to cost
/// something. What a move costs is an estimate with an interval of 95 %: a mistake costs 5 % of the win rate or more, a
/// blunder 15 %, and no move is called one whose interval touches zero. What may be a mistake is called unsure.
///
/// NAME.review.sgf is the record with all that was in it and, added, win rates, comments and better variations;
/// NAME.review.html is one page for a browser with the win rates of the game as a graph, and the worst moves with boards and
/// what would have been better.
///
/// Findings are kept in NAME.review.jsonl: the same command continues a review that was interrupted. A review with other
/// settings needs another --out. Files that no review wrote are never overwritten.
#[derive(Args)]
pub(crate) struct Options {
    /// The record, in SGF
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder for the files of the review [default: that of the record]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Simulations for each position on average; most of them are spent on the moves that seem to be mistakes
    #[arg(long, conflicts_with = "time", value_parser = parse_count, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Seconds for the whole game, about, instead of --playouts; the speed is measured when the review begins [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
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
    /// Print one line of JSON with all moves instead of the summary
    #[arg(long)]
    json: bool,
}

/// Threads that search positions at the same time.
const MAX_THREADS: u64 = 256;

fn parse_threads(text: &str) -> Result<usize> {
    Ok(parse_up_to(text, MAX_THREADS)? as usize)
}

/// Where a review is written.
struct ReviewFiles {
    sgf: PathBuf,
    html: PathBuf,
    found: PathBuf,
}

impl ReviewFiles {
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
        let files = ReviewFiles::new(&self.file, self.out.as_deref())?;
        let net = self.net.load(&self.recipe)?;
        let means = self.means(net.as_ref())?;
        make_out(self.out.as_deref())?;
        let stop = interrupt::flag()?;
        let budget = self.budget(&game, &files, &means, &stop)?;
        let terms = self.terms(&game, &means.recipe, net.as_ref(), budget);
        let mut store = ReviewLog::open(&files.found, &[&files.sgf, &files.html], &terms)?;
        self.search(&game, &means, &mut store, &stop)?;
        if !store.ledger.tasks().is_empty() {
            let n = store.ledger.n_positions();
            let n_seen = (0..n).filter(|&ply| store.ledger.glance(ply).is_some()).count();
            let how_far = format!("after a look at {n_seen} of {n} positions");
            return Ok(interrupt::stopped(&how_far, true));
        }
        let review = Review::new(&game.line, &store.ledger);
        let tree = annotate::annotate(&game, &review)?;
        write(&files.sgf, &tree.to_string())?;
        write(&files.html, &page::html(&game, &review, &terms, self.worst))?;
        if self.json {
            let mut value = json!({"record": game.name, "terms": terms});
            if let (Some(all), serde_json::Value::Object(found)) =
                (value.as_object_mut(), review::json::review(&review, game.last().size()))
            {
                all.extend(found);
            }
            writeln!(io::stdout(), "{value}")?;
        } else {
            let (summary, sgf, html) =
                (text::summary(&game, &review), files.sgf.display(), files.html.display());
            writeln!(io::stdout(), "{summary}\n{sgf}\n{html}")?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What positions are searched with.
    fn means(&self, net: Option<&NetFile>) -> Result<ReviewMeans> {
        let text = self.net.recipe(&self.recipe);
        let recipe = parse_recipe(text)?;
        let net = net.map(NetFile::loaded);
        let settings = Settings { net: net.clone(), ..Settings::default() };
        recipes::check_with(&recipe, &settings).with_context(|| recipe_option(text))?;
        Ok(ReviewMeans { recipe, net, memory: MEMORY, seed: self.seed })
    }

    /// How long, where a number of simulations is not given.
    fn seconds(&self) -> Option<f64> {
        self.playouts.is_none().then_some(self.time.unwrap_or(DEFAULT_TIME))
    }

    fn n_threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or(cores.saturating_sub(1).max(1))
    }

    /// What may be spent: simulations as given, as the review was begun with, or as many as the time allows.
    fn budget(
        &self,
        game: &Reviewed,
        files: &ReviewFiles,
        means: &ReviewMeans,
        stop: &Arc<AtomicBool>,
    ) -> Result<ReviewBudget> {
        let (Some(seconds), None) = (self.seconds(), self.playouts) else {
            return Ok(ReviewBudget { playouts: self.playouts.unwrap_or(1) });
        };
        if let Some(playouts) = store::begun_with(&files.found, seconds) {
            return Ok(ReviewBudget { playouts });
        }
        let slice = Slice { until: None, stop: Arc::clone(stop) };
        let mut test = SpeedTest::new(means, &game.line)?;
        let speed = loop {
            match test.step(&slice) {
                Some(speed) => break speed,
                None if stop.load(Ordering::Relaxed) => bail!("stopped before the review began"),
                None => {}
            }
        };
        let n = game.line.n_positions();
        let budget = ReviewBudget::of_time(seconds, speed * self.n_threads() as f64, n);
        eprintln!(
            "tengen: about {seconds:.0} seconds: {} for each of {n} positions",
            counted(budget.playouts, "simulation")
        );
        Ok(budget)
    }

    /// All that what is found depends on.
    fn terms(
        &self,
        game: &Reviewed,
        recipe: &Recipe,
        net: Option<&NetFile>,
        budget: ReviewBudget,
    ) -> ReviewTerms {
        ReviewTerms {
            version: 2,
            record: game.fingerprint(),
            recipe: recipe.to_string(),
            net: net.map(NetFile::identity),
            playouts: budget.playouts,
            time: self.seconds(),
            seed: self.seed,
            rules: game.last().rules().to_string(),
            komi: game.last().komi(),
            positions: game.line.n_positions(),
        }
    }

    /// Searches what is missing, and keeps each finding at once.
    fn search(
        &self,
        game: &Reviewed,
        means: &ReviewMeans,
        store: &mut ReviewLog,
        stop: &Arc<AtomicBool>,
    ) -> Result<()> {
        let bar = progress(store.ledger.n_allowed(), store.ledger.n_spent());
        let slice = Slice { until: None, stop: Arc::clone(stop) };
        loop {
            let tasks = store.ledger.tasks();
            if tasks.is_empty() || stop.load(Ordering::Relaxed) {
                break;
            }
            let budget = store.ledger.budget();
            let work = |task: &Task| -> Result<Option<Vec<Finding>>> {
                let mut worker = ReviewWorker::new(task.clone());
                while !stop.load(Ordering::Relaxed) {
                    if let Some(found) = worker.step(means, &game.line, budget, &slice)? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            };
            let before = tasks.clone();
            spread(&tasks, self.n_threads(), stop, &work, |found| {
                store.add(found)?;
                bar.set_position(store.ledger.n_spent().min(store.ledger.n_allowed()));
                Ok(())
            })?;
            // A move in the file that cannot be played is searched without end.
            if !stop.load(Ordering::Relaxed) && store.ledger.tasks() == before {
                bail!(
                    "{}: a move in it cannot be played in this game; remove the file to start again",
                    store.path().display()
                );
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}

/// Does the tasks by several threads and hands over what each has found. After an error the others are stopped.
fn spread(
    tasks: &[Task],
    n_threads: usize,
    stop: &Arc<AtomicBool>,
    work: &(dyn Fn(&Task) -> Result<Option<Vec<Finding>>> + Sync),
    mut take: impl FnMut(Vec<Finding>) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, found) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..n_threads.min(tasks.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let done = work(task).transpose();
                    let goes_on = matches!(done, Some(Ok(_)));
                    if done.is_some_and(|done| sender.send(done).is_err()) || !goes_on {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        for one in found {
            if let Err(error) = one.and_then(&mut take) {
                // The others need not go on for nothing.
                stop.store(true, Ordering::Relaxed);
                outcome = Err(error);
            }
        }
        outcome
    })
}

fn write(path: &Path, text: &str) -> Result<()> {
    whole_file::write(path, text).with_context(|| cannot_write(path))
}

/// A bar for terminals only, by simulations.
fn progress(n_allowed: u64, n_spent: u64) -> ProgressBar {
    let bar = bars::styled(
        ProgressBar::new(n_allowed).with_position(n_spent.min(n_allowed)),
        "{bar:24} {percent} % of the review {elapsed_precise} (eta {eta_precise})",
    );
    bar.reset_eta();
    bar.tick();
    bar
}
