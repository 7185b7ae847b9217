//! A player at work on suites.
//!
//! Every case is a game of its own: the player remembers nothing of the cases before, and its seed follows from the
//! common seed and from the names of file and case alone. So a result is the same in every order, on any number of
//! tables, and whichever other files are asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use goban::{Rng, Rules, Size};
use player::{Allowance, Budget, Decision, Patience, Player, PlayerError};

use super::{Suite, SuiteCase};
use crate::entrant::{Entrant, Seat};
use crate::error::{Error, Result};
use crate::game::Terms;

/// Who is tried, and how.
#[derive(Clone, Debug)]
pub struct SuiteTask {
    /// The player.
    pub entrant: Entrant,
    /// The budget for a case if it brings none of its own.
    pub allowance: Allowance,
    /// How long a silent engine is waited for.
    pub patience: Patience,
    /// The seed of everything random.
    pub seed: u64,
    /// How many cases are tried at the same time.
    pub parallel: usize,
}

/// The result of an attempt, compared with what the author of the suite expects of his program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// Solved, as it should be.
    Pass,
    /// Solved where the author's program fails.
    UnexpectedPass,
    /// Not solved, as by the author's program.
    Fail,
    /// Not solved where the author's program does it.
    UnexpectedFail,
    /// No answer: the player died, was silent or talked nonsense.
    Error,
}

impl AttemptResult {
    /// The word for it: capitals for what is not expected, as in GNU Go's reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "passed",
            Self::UnexpectedPass => "PASSED",
            Self::Fail => "failed",
            Self::UnexpectedFail => "FAILED",
            Self::Error => "error",
        }
    }

    /// Whether the case was solved.
    pub fn is_pass(self) -> bool {
        matches!(self, Self::Pass | Self::UnexpectedPass)
    }
}

/// A player's answer to a case.
#[derive(Clone, Debug)]
pub struct SuiteAttempt {
    /// The suite, counted as they were given.
    pub suite_idx: usize,
    /// The case among [`Suite::cases`].
    pub case_idx: usize,
    /// The seed that this case had.
    pub seed: u64,
    /// What the player did, or how it failed.
    pub decision: Result<Decision, String>,
    /// What that is worth.
    pub verdict: AttemptResult,
    /// How often the player expects to win, 0..=1, where it says so.
    pub value: Option<f32>,
    /// The simulations it took, where that means something.
    pub simulations: Option<u64>,
    /// The time it took.
    pub time: Duration,
    /// What there is to say about the move: that it is illegal, or why the player chose it.
    pub note: Option<String>,
}

impl SuiteAttempt {
    /// The player's answer in words: `D4`, `pass`, `resign`; nothing where there is none.
    pub fn played(&self, case: &SuiteCase) -> Option<String> {
        Some(match self.decision.as_ref().ok()? {
            Decision::Play(vertex) => case.position.size().show(*vertex),
            Decision::Resign => "resign".to_string(),
        })
    }
}

/// Tries all cases and returns the attempts in the order of the cases; `watch` sees each one as it comes. Fewer attempts
/// than cases come back only when `stop` was set.
///
/// # Errors
/// When the player cannot be started at all.
pub fn run(
    suites: &[Suite],
    task: &SuiteTask,
    stop: &Arc<AtomicBool>,
    mut watch: impl FnMut(&SuiteAttempt),
) -> Result<Vec<SuiteAttempt>> {
    let places: Vec<(usize, usize, &SuiteCase)> = (0..)
        .zip(suites)
        .flat_map(|(suite_idx, suite)| (0..).zip(suite.cases()).map(move |(n, case)| (suite_idx, n, case)))
        .collect();
    let next = AtomicUsize::new(0);
    let first_error: Mutex<Option<Error>> = Mutex::new(None);
    let (sender, results) = channel();
    let mut attempts: Vec<SuiteAttempt> = thread::scope(|scope| {
        for _ in 0..task.parallel.min(places.len()) {
            let (sender, places, next, first_error) = (sender.clone(), &places, &next, &first_error);
            scope.spawn(move || {
                if let Err(error) = serve(suites, places, next, task, stop, &sender) {
                    stop.store(true, Ordering::Relaxed);
                    first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            });
        }
        drop(sender);
        results.into_iter().inspect(|attempt| watch(attempt)).collect()
    });
    if let Some(error) = first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    attempts.sort_by_key(|attempt| (attempt.suite_idx, attempt.case_idx));
    Ok(attempts)
}

/// One table: a player and case after case.
fn serve(
    suites: &[Suite],
    places: &[(usize, usize, &SuiteCase)],
    next: &AtomicUsize,
    task: &SuiteTask,
    stop: &Arc<AtomicBool>,
    results: &Sender<SuiteAttempt>,
) -> Result<()> {
    let mut seat = match sit(task, stop) {
        // Whoever was not waited for has not failed.
        Err(_) if stop.load(Ordering::Relaxed) => return Ok(()),
        seat => seat?,
    };
    while let Some(&(suite_idx, case_idx, case)) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
        let seed = seed_of(task.seed, &suites[suite_idx].name(), &case.name);
        let attempt = attempt(case, &mut seat, seed, task, stop);
        // What was broken off says nothing.
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if results.send(SuiteAttempt { suite_idx, case_idx, ..attempt }).is_err() {
            break;
        }
    }
    Ok(())
}

fn sit(task: &SuiteTask, stop: &Arc<AtomicBool>) -> Result<Seat> {
    let size = Size::square(9).map_err(Error::input)?;
    let terms = Terms { patience: task.patience, ..Terms::new(size, 7.5, Rules::CHINESE) };
    Ok(task.entrant.sit(&terms, stop)?)
}

/// Has the player answer one case.
fn attempt(
    case: &SuiteCase,
    seat: &mut Seat,
    seed: u64,
    task: &SuiteTask,
    stop: &Arc<AtomicBool>,
) -> SuiteAttempt {
    let allowance = task.entrant.allowance(task.allowance);
    let budget = Budget {
        playouts: allowance.playouts,
        time: allowance.time,
        stop: Arc::clone(stop),
        ..Budget::default()
    };
    let mut time = Duration::ZERO;
    let mut think = || -> Result<Decision, PlayerError> {
        seat.ready(seed, &case.position, allowance)?;
        let start = Instant::now();
        let decision = seat.player().choose(&case.position, case.color, &budget);
        time = start.elapsed();
        decision
    };
    let decision = think();
    let player: &dyn Player = seat.player();
    let (value, simulations, why) = match &decision {
        Ok(_) => (player.value(), player.simulations(), player.explain()),
        Err(_) => (None, None, None),
    };
    let illegal = match &decision {
        Ok(Decision::Play(vertex)) => case.position.legality(case.color, *vertex).err(),
        _ => None,
    };
    let verdict = match decision {
        Ok(Decision::Play(vertex)) if illegal.is_none() => {
            judge(case.answer.is_right(case.position.size(), vertex), case.expects_failure)
        }
        Ok(_) => judge(false, case.expects_failure),
        Err(_) => AttemptResult::Error,
    };
    SuiteAttempt {
        suite_idx: 0,
        case_idx: 0,
        seed,
        decision: decision.map_err(|error| error.to_string()),
        verdict,
        value,
        simulations,
        time,
        note: illegal.map(|error| error.to_string()).or(why),
    }
}

fn judge(is_right: bool, expects_failure: bool) -> AttemptResult {
    match (is_right, expects_failure) {
        (true, false) => AttemptResult::Pass,
        (true, true) => AttemptResult::UnexpectedPass,
        (false, true) => AttemptResult::Fail,
        (false, false) => AttemptResult::UnexpectedFail,
    }
}

/// The seed of a case, which depends on names and not on places. The names are mixed by FNV-1a, which is the same on
/// every machine and in every version of the program.
fn seed_of(seed: u64, suite: &str, case: &str) -> u64 {
    let bytes = suite.bytes().chain([0]).chain(case.bytes());
    let name = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    Rng::new(Rng::new(seed).next_u64() ^ name).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_follow_from_names() {
        assert_eq!(seed_of(1, "a.tst", "10"), seed_of(1, "a.tst", "10"));
        let others = [(2, "a.tst", "10"), (1, "b.tst", "10"), (1, "a.tst", "11"), (1, "a.tst1", "0")];
        for (seed, suite, case) in others {
            assert_ne!(seed_of(seed, suite, case), seed_of(1, "a.tst", "10"), "{seed} {suite} {case}");
        }
    }

    #[test]
    fn verdicts_know_what_is_expected() {
        for (is_right, expects_failure, word) in [
            (true, false, "passed"),
            (true, true, "PASSED"),
            (false, true, "failed"),
            (false, false, "FAILED"),
        ] {
            let verdict = judge(is_right, expects_failure);
            assert_eq!((verdict.word(), verdict.is_pass()), (word, is_right));
        }
    }
}
