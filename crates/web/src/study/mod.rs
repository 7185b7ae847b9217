//! Searches that are watched: one recipe, or two side by side on the same position, run in slices and told as they go on.
//!
//! In reading order: `search` (one search and the way it came), this file (the study as a job), `view` (what is told).

mod search;
mod view;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use goban::{Color, Position, Symmetry, Vertex};
use mcts::{LoadedNet, Settings};
use player::nets::NetFile;
use recipe::Recipe;

use crate::pool::{Job, Progress, lock};
use crate::protocol::spot::vertex;
use crate::protocol::tell::{Branch, Num, Raw, Report};
use crate::protocol::{Answer, Kind, Refusal, Tell};
pub(crate) use search::Watched;

/// Searches side by side.
const MAX_SEARCHES: usize = 2;
/// How often the page is told.
const EVERY: Duration = Duration::from_millis(120);
/// Characters of a recipe.
const MAX_RECIPE: usize = 2_000;
/// Moves to look down a tree.
const MAX_LINE: usize = 128;

/// The plan of a study: the position and its recipes.
pub(crate) struct StudyPlan {
    pub(crate) number: u64,
    pub(crate) position: Position,
    pub(crate) recipes: Vec<Recipe>,
    /// The network that a recipe may ask.
    pub(crate) net: Option<LoadedNet>,
    /// Simulations of each.
    pub(crate) playouts: u64,
    /// When it ends in any case.
    pub(crate) time: Duration,
    pub(crate) detail: bool,
    pub(crate) watch: Vec<Vertex>,
    /// Bytes for all trees together.
    pub(crate) memory: usize,
    /// Threads of each search; with one the same search is made every time.
    pub(crate) threads: usize,
}

impl StudyPlan {
    /// Refuses what no study can do, before anything is given up for it.
    pub(crate) fn check(&self) -> Answer<()> {
        match self.recipes.len() {
            1..=MAX_SEARCHES if self.net.is_some() && !self.recipes.iter().any(player::recipes::asks_net) => {
                Err(Refusal::invalid(
                    "no recipe here asks a network; expected katago, one that says net=loaded, or no network",
                ))
            }
            1..=MAX_SEARCHES => Ok(()),
            n => Err(Refusal::invalid(format!("{n} recipes: expected one or {MAX_SEARCHES}"))),
        }
    }
}

/// A recipe that a message gives: a name of the shelf or key=value pairs or both, but no file.
pub(crate) fn recipe(text: &str) -> Answer<Recipe> {
    if text.len() > MAX_RECIPE {
        return Err(Refusal::invalid(format!("a recipe of {} characters is too long", text.len())));
    }
    if text.trim().is_empty() {
        return Err(Refusal::invalid(
            "the recipe is empty; expected a name such as default, or key=value pairs",
        ));
    }
    let refuse = |error: recipe::Error| Refusal::invalid(format!("recipe: {error}"));
    let recipe = Recipe::parse(&mcts::ROOT, &player::recipes::SHELF, text).map_err(refuse)?;
    player::recipes::check(&recipe).map_err(refuse)?;
    Ok(recipe)
}

/// A network's evaluation of a plan's position.
pub(crate) fn raw(net: &NetFile, plan: &StudyPlan) -> Answer<Raw> {
    let found = player::nets::raw::evaluate_file(net, &plan.position, Symmetry::IDENTITY)
        .map_err(|error| Refusal::invalid(format!("the network {} cannot be asked: {error}", net.name())))?;
    let is_black = plan.position.to_play() == Color::Black;
    // A game without a result is half won.
    let win = found.p_win + 0.5 * found.p_no_result;
    Ok(Raw {
        number: plan.number,
        net: net.name(),
        win: Num(if is_black { win } else { 1.0 - win }),
        score: Num(if is_black { found.lead } else { -found.lead }),
        policy: found.policy.into_iter().map(Num).collect(),
    })
}

/// A study: its searches stay after it has ended, so that their trees can be looked into.
pub(crate) struct LiveStudy {
    number: u64,
    detail: bool,
    searches: Vec<Watched>,
}

impl LiveStudy {
    /// Builds the searches of a plan.
    pub(crate) fn new(plan: &StudyPlan) -> Answer<Self> {
        plan.check()?;
        let memory = plan.memory / plan.recipes.len();
        let build = |recipe| {
            // Of two recipes that are compared only one may ask.
            let net = plan.net.clone().filter(|_| player::recipes::asks_net(recipe));
            let settings = Settings { seed: 1, memory, threads: plan.threads, net };
            Watched::new(&plan.position, recipe, &settings, plan.watch.clone())
        };
        let searches = plan.recipes.iter().map(build).collect::<Answer<_>>()?;
        Ok(Self { number: plan.number, detail: plan.detail, searches })
    }

    /// What one of the searches has found.
    fn report(&mut self, idx: usize) -> Option<Report> {
        let (number, detail) = (self.number, self.detail);
        Some(view::report(self.searches.get_mut(idx)?, number, idx, detail))
    }

    /// What the tree of one of the searches holds after some moves.
    pub(crate) fn branch(&mut self, number: u64, idx: usize, line: &[i32]) -> Answer<Branch> {
        if number != self.number {
            return Err(Refusal::new(
                Kind::Unknown,
                format!("study {number} is gone; the last is {}", self.number),
            ));
        }
        if line.len() > MAX_LINE {
            return Err(Refusal::invalid(format!("a line of more than {MAX_LINE} moves")));
        }
        let unknown = || Refusal::new(Kind::Unknown, format!("study {number} has no search {idx}"));
        let search = self.searches.get_mut(idx).ok_or_else(unknown)?;
        let moves = line.iter().map(|&to| vertex(search.size(), to)).collect::<Answer<Vec<_>>>()?;
        Ok(view::branch(search, number, idx, line, &moves))
    }
}

/// A study at work.
pub(crate) struct StudyJob {
    study: Arc<Mutex<LiveStudy>>,
    playouts: u64,
    end: Instant,
    stop: Arc<AtomicBool>,
    tell: Box<dyn Fn(&Tell) -> bool + Send>,
    /// Whose turn it is, and when each was told last.
    next: usize,
    told: Vec<Option<Instant>>,
}

impl StudyJob {
    /// The job of a study; `tell` says whether anybody still listens.
    pub(crate) fn new(
        study: Arc<Mutex<LiveStudy>>,
        plan: &StudyPlan,
        stop: Arc<AtomicBool>,
        tell: impl Fn(&Tell) -> bool + Send + 'static,
    ) -> Self {
        let (playouts, end) = (plan.playouts, Instant::now() + plan.time);
        let told = vec![None; plan.recipes.len()];
        Self { study, playouts, end, stop, tell: Box::new(tell), next: 0, told }
    }
}

impl Job for StudyJob {
    fn slice(&mut self, until: Instant) -> Progress {
        let mut study = lock(&self.study);
        if self.stop.load(Ordering::Relaxed) || Instant::now() >= self.end {
            // Whoever is still at work is done now.
            for idx in 0..study.searches.len() {
                if !std::mem::replace(&mut study.searches[idx].is_done, true) {
                    self.tell_of(&mut study, idx);
                }
            }
            return Progress::Done;
        }
        let idx = self.next % study.searches.len();
        self.next += 1;
        let search = &mut study.searches[idx];
        if !search.is_done {
            search.run(self.playouts, until, &self.stop);
            let is_due = self.told[idx].is_none_or(|told| told.elapsed() >= EVERY);
            if search.is_done || is_due {
                self.told[idx] = Some(Instant::now());
                if !self.tell_of(&mut study, idx) {
                    return Progress::Done;
                }
            }
        }
        if study.searches.iter().all(|search| search.is_done) { Progress::Done } else { Progress::More }
    }

    fn is_forgotten(&self) -> bool {
        // Whoever has heard of it hears of its end as well.
        self.stop.load(Ordering::Relaxed) && self.told.iter().all(Option::is_none)
    }
}

impl StudyJob {
    /// Tells what a search has found; false if nobody listens.
    fn tell_of(&self, study: &mut LiveStudy, idx: usize) -> bool {
        study.report(idx).is_some_and(|report| (self.tell)(&Tell::Report(Box::new(report))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size};

    fn plan(recipes: &[&str], playouts: u64) -> StudyPlan {
        StudyPlan {
            number: 7,
            position: Position::new(Size::square(5).unwrap(), Rules::CHINESE),
            recipes: recipes.iter().map(|text| recipe(text).unwrap()).collect(),
            net: None,
            playouts,
            time: Duration::from_secs(60),
            detail: true,
            watch: vec![Vertex::new(0, 0)],
            memory: 16 << 20,
            threads: 1,
        }
    }

    /// Runs a study to its end and returns what was told.
    fn run(plan: &StudyPlan, stop: &Arc<AtomicBool>) -> (Arc<Mutex<LiveStudy>>, Vec<Report>) {
        let study = Arc::new(Mutex::new(LiveStudy::new(plan).unwrap()));
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&told);
        let mut job = StudyJob::new(Arc::clone(&study), plan, Arc::clone(stop), move |tell| {
            let Tell::Report(report) = tell else { panic!("not a report") };
            lock(&sink).push((**report).clone());
            true
        });
        let mut n_slices = 0;
        while job.slice(Instant::now() + Duration::from_millis(5)) == Progress::More {
            n_slices += 1;
            assert!(n_slices < 100_000, "the study does not end");
        }
        let told = lock(&told).clone();
        (study, told)
    }

    #[test]
    fn two_recipes_run_side_by_side_to_the_end() {
        let stop = Arc::new(AtomicBool::new(false));
        let (study, told) = run(&plan(&["uct", "goyui-rave select.c=0.2"], 600), &stop);
        for idx in [0, 1] {
            let last = told.iter().rfind(|report| report.search == idx).unwrap();
            assert!(last.done && last.simulations == 600, "{last:?}");
            assert_eq!(told.iter().filter(|report| report.search == idx && report.done).count(), 1);
            let visits: u32 = last.arms.iter().map(|arm| arm.1).sum();
            assert_eq!(visits, 600);
            assert!(last.arms.is_sorted_by(|a, b| a.1 >= b.1));
            // The way there is told from the first simulations on, the corner that is watched included.
            let trail: Vec<_> = told.iter().filter(|r| r.search == idx).flat_map(|r| &r.trail).collect();
            assert!(trail.is_sorted_by(|a, b| a.0 < b.0) && trail.last().unwrap().0 == 600);
            assert!(trail.iter().all(|sample| sample.1.iter().any(|arm| arm.0 == 0)));
        }
        assert_eq!(told.iter().rfind(|r| r.search == 1).unwrap().models, ["mc", "rave"]);
        let first = told.iter().rfind(|r| r.search == 0).unwrap().arms[0].0;
        let branch = lock(&study).branch(7, 0, &[first]).unwrap();
        assert!(branch.to_play.is_some() && !branch.arms.is_empty());
        assert!(lock(&study).branch(7, 2, &[]).is_err() && lock(&study).branch(6, 0, &[]).is_err());
        let nowhere = lock(&study).branch(7, 0, &[first, first]).unwrap();
        assert_eq!((nowhere.to_play, nowhere.arms.len()), (None, 0));
    }

    #[test]
    fn a_stopped_study_tells_so() {
        let stop = Arc::new(AtomicBool::new(true));
        let (_, told) = run(&plan(&["uct"], 1_000_000), &stop);
        assert_eq!(told.len(), 1);
        assert!(told[0].done);
    }

    #[test]
    fn recipes_name_no_files() {
        assert!(recipe("default select.c=0.1").is_ok());
        for text in ["/etc/passwd.recipe", "../x.recipe select.c=1", "", "no-such", "models=mc+nothing"] {
            let error = recipe(text).unwrap_err();
            assert!(!error.message.contains("cannot be read"), "{text}: {error}");
        }
    }
}
