//! Whether a GTP engine, any engine, keeps to the protocol as real clients need it: a table of small checks, each of which
//! says what was sent, what came, what was expected, and which clients would suffer.
//!
//! Modules in reading order: this file (what a check is, the run over all of them), `words`, [`session`] (talking to the engine),
//! then the checks by subject: `framing`, `identity`, `listing`, `board`, `thinking`, `timing`, `setup` (handicap, counting),
//! `analysis`, `extras` (what single clients want), `ending`; last [`report`] (for people and as JSON).
//!
//! To add a check: one function `fn(&mut CheckSession) -> CheckResult` and one line in the `CHECKS` of its subject. A check may take
//! nothing for granted but that an engine is there: it sets its own board, and whatever it leaves behind, the next check does
//! the same. An engine that hangs, floods or dies fails that one check and is started anew for the next.

mod analysis;
mod board;
mod ending;
mod extras;
mod framing;
mod identity;
mod listing;
pub mod report;
pub mod session;
mod setup;
mod thinking;
mod timing;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use session::{CheckSession, Said};

/// Why no check could be made: the engine cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

/// What the functions of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How much hangs on a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckLevel {
    /// Some real client breaks without it.
    Must,
    /// A feature of some client is lost without it.
    Want,
    /// Good manners; nobody is known to suffer.
    May,
}

impl CheckLevel {
    /// All of them, the gravest first.
    pub const ALL: [CheckLevel; 3] = [CheckLevel::Must, CheckLevel::Want, CheckLevel::May];

    /// `MUST`, `WANT`, `MAY`.
    pub fn word(self) -> &'static str {
        match self {
            CheckLevel::Must => "MUST",
            CheckLevel::Want => "WANT",
            CheckLevel::May => "MAY",
        }
    }
}

/// A program that talks to engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClientProgram {
    /// Every client there is.
    Every,
    /// GoGui and its tools, gogui-twogtp and gogui-regress among them.
    GoGui,
    /// The ringmaster of gomill.
    Gomill,
    /// Sabaki.
    Sabaki,
    /// Lizzie.
    Lizzie,
    /// LizzieYzy.
    LizzieYzy,
    /// q5Go, and qGo before it.
    Q5Go,
    /// The client of the server CGOS.
    Cgos,
    /// gtp2ogs, the way to online-go.com.
    Ogs,
    /// kgsGtp, the way to KGS.
    Kgs,
    /// The checker of GTP replies that comes with Pachi.
    Pachi,
}

impl ClientProgram {
    /// Those with a name, in the order of reports.
    pub const NAMED: [ClientProgram; 10] = [
        ClientProgram::GoGui,
        ClientProgram::Gomill,
        ClientProgram::Sabaki,
        ClientProgram::Lizzie,
        ClientProgram::LizzieYzy,
        ClientProgram::Q5Go,
        ClientProgram::Cgos,
        ClientProgram::Ogs,
        ClientProgram::Kgs,
        ClientProgram::Pachi,
    ];

    /// How people call it.
    pub fn name(self) -> &'static str {
        match self {
            ClientProgram::Every => "every client",
            ClientProgram::GoGui => "GoGui",
            ClientProgram::Gomill => "gomill",
            ClientProgram::Sabaki => "Sabaki",
            ClientProgram::Lizzie => "Lizzie",
            ClientProgram::LizzieYzy => "LizzieYzy",
            ClientProgram::Q5Go => "q5Go",
            ClientProgram::Cgos => "CGOS",
            ClientProgram::Ogs => "OGS (gtp2ogs)",
            ClientProgram::Kgs => "KGS (kgsGtp)",
            ClientProgram::Pachi => "Pachi's checker",
        }
    }
}

/// Why a check did not simply pass.
#[derive(Clone, Debug)]
pub enum Halt {
    /// The engine answered, but not as it should.
    Fail {
        /// What would have been right.
        expected: String,
        /// What came.
        got: String,
    },
    /// The engine hung, died or said no end of things: nothing more can be asked of this process.
    Broken {
        /// What would have been right.
        expected: String,
        /// What happened.
        got: String,
    },
    /// The check makes no sense for this engine.
    Skip(String),
    /// Somebody has ended the run.
    Stopped,
}

/// What a check finds.
pub type CheckResult = std::result::Result<(), Halt>;

/// How a check is made.
#[derive(Clone, Copy)]
enum Test {
    /// By a function of its own.
    Run(fn(&mut CheckSession<'_>) -> CheckResult),
    /// The command must be in `list_commands`.
    Lists(&'static str),
    /// The command must be answered by `=` on a fresh board.
    Accepts(&'static str),
}

/// One thing that clients rely on.
#[derive(Clone, Copy)]
pub struct Check {
    /// How much hangs on it.
    pub level: CheckLevel,
    title: &'static str,
    /// Who suffers when it fails.
    pub clients: &'static [ClientProgram],
    /// How they suffer.
    pub why: &'static str,
    test: Test,
}

impl Check {
    const fn new(
        level: CheckLevel,
        title: &'static str,
        clients: &'static [ClientProgram],
        why: &'static str,
        run: fn(&mut CheckSession<'_>) -> CheckResult,
    ) -> Self {
        Self { level, title, clients, why, test: Test::Run(run) }
    }

    const fn lists(
        level: CheckLevel,
        command: &'static str,
        clients: &'static [ClientProgram],
        why: &'static str,
    ) -> Self {
        Self { level, title: "", clients, why, test: Test::Lists(command) }
    }

    const fn accepts(
        level: CheckLevel,
        command: &'static str,
        clients: &'static [ClientProgram],
        why: &'static str,
    ) -> Self {
        Self { level, title: "", clients, why, test: Test::Accepts(command) }
    }

    /// What must hold, in a few words.
    pub fn title(&self) -> String {
        match self.test {
            Test::Run(_) => self.title.to_owned(),
            Test::Lists(command) => format!("lists {command}"),
            Test::Accepts(command) => format!("accepts {command}"),
        }
    }

    fn run(&self, session: &mut CheckSession<'_>) -> CheckResult {
        match self.test {
            Test::Run(run) => run(session),
            Test::Lists(command) => match session.lists(command)? {
                true => Ok(()),
                false => fail(format!("{command} in the answer to list_commands"), "it is not there"),
            },
            Test::Accepts(command) => {
                session.clear()?;
                session.accept(command).map(|_| ())
            }
        }
    }
}

/// All checks by subject, in the order of the run.
pub fn groups() -> [(&'static str, &'static [Check]); 10] {
    [
        ("framing", framing::CHECKS),
        ("identity", identity::CHECKS),
        ("commands listed", listing::CHECKS),
        ("board and moves", board::CHECKS),
        ("thinking", thinking::CHECKS),
        ("time", timing::CHECKS),
        ("handicap and counting", setup::CHECKS),
        ("analysis", analysis::CHECKS),
        ("for single clients", extras::CHECKS),
        ("the end", ending::CHECKS),
    ]
}

/// A failure.
fn fail<T>(expected: impl Into<String>, got: impl Into<String>) -> std::result::Result<T, Halt> {
    Err(Halt::Fail { expected: expected.into(), got: got.into() })
}

/// A failure unless `ok`.
fn require(ok: bool, expected: impl Into<String>, got: impl Into<String>) -> CheckResult {
    if ok { Ok(()) } else { fail(expected, got) }
}

/// What is checked, and how patiently.
#[derive(Clone, Debug)]
pub struct CheckTask {
    /// The engine's program and its arguments.
    pub command: Vec<String>,
    /// The side of the board that most checks play on: 9 to 25.
    pub size: usize,
    /// How long the first answer after the start may take.
    pub start: Duration,
    /// How long any other answer may take.
    pub answer: Duration,
    /// Only checks whose title or subject contains this text.
    pub only: Option<String>,
}

/// What became of a check.
#[derive(Clone, Debug)]
pub enum CheckOutcome {
    /// As it should be.
    Pass,
    /// Not as it should be.
    Fail {
        /// What would have been right.
        expected: String,
        /// What came.
        got: String,
    },
    /// It makes no sense for this engine: why.
    Skipped(String),
    /// The engine had failed too badly too often by then.
    NotTried,
}

/// A check with what became of it.
pub struct CheckedEntry {
    /// The subject.
    pub group: &'static str,
    /// The check.
    pub check: Check,
    /// What became of it.
    pub outcome: CheckOutcome,
    /// What was said meanwhile.
    pub talk: Vec<Said>,
}

/// What a run has found.
pub struct ConformReport {
    /// The engine's command line.
    pub command: Vec<String>,
    /// What the engine calls itself, if it says so.
    pub name: Option<String>,
    /// And its version.
    pub version: Option<String>,
    /// The side of the board.
    pub size: usize,
    /// All checks, in order.
    pub entries: Vec<CheckedEntry>,
    /// Time taken.
    pub time: Duration,
    /// Whether somebody ended the run before its time.
    pub is_stopped: bool,
}

impl ConformReport {
    /// How many checks of a level failed, or could not be tried any more.
    pub fn n_failed(&self, level: CheckLevel) -> usize {
        let failed = |entry: &&CheckedEntry| {
            matches!(entry.outcome, CheckOutcome::Fail { .. } | CheckOutcome::NotTried)
        };
        self.of(level).filter(failed).count()
    }

    /// How many checks of a level passed.
    pub fn n_passed(&self, level: CheckLevel) -> usize {
        self.of(level).filter(|entry| matches!(entry.outcome, CheckOutcome::Pass)).count()
    }

    fn of(&self, level: CheckLevel) -> impl Iterator<Item = &CheckedEntry> {
        self.entries.iter().filter(move |entry| entry.check.level == level)
    }
}

/// Hangs, deaths and floods after which no more is tried.
const MAX_BROKEN: usize = 8;

/// Makes all checks; `progress` is told before each one. Nothing of the engine is left running afterwards.
///
/// # Errors
/// When the program cannot be started at all.
pub fn run(
    task: &CheckTask,
    stop: &Arc<AtomicBool>,
    mut progress: impl FnMut(usize, &str),
) -> Result<ConformReport> {
    if task.command.is_empty() {
        return Err(Error("no engine is named; expected a command such as gnugo --mode gtp".to_string()));
    }
    let start = Instant::now();
    let mut session = CheckSession::start(task, Arc::clone(stop))?;
    let mut entries = Vec::new();
    let mut n_broken = 0;
    for (group, check) in
        groups().iter().flat_map(|(group, checks)| checks.iter().map(move |check| (*group, *check)))
    {
        let wanted = |only: &String| check.title().contains(only.as_str()) || group.contains(only.as_str());
        if !task.only.as_ref().is_none_or(wanted) {
            continue;
        }
        progress(entries.len(), &check.title());
        let outcome = if n_broken < MAX_BROKEN && !stop.load(Ordering::Relaxed) {
            let (outcome, is_broken) = session.attempt(|session| check.run(session));
            n_broken += usize::from(is_broken);
            outcome
        } else {
            CheckOutcome::NotTried
        };
        entries.push(CheckedEntry { group, check, outcome, talk: session.take_talk() });
    }
    // Who was checked is good to know even where no check has asked.
    if n_broken == 0 {
        session.attempt(CheckSession::meet);
    }
    let [name, version] = session.identity();
    Ok(ConformReport {
        command: task.command.clone(),
        name,
        version,
        size: task.size,
        entries,
        time: start.elapsed(),
        is_stopped: stop.load(Ordering::Relaxed),
    })
}

/// How many checks there are.
pub fn n_checks() -> usize {
    groups().iter().map(|(_, checks)| checks.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_check_has_a_title_of_its_own_and_says_who_suffers() {
        let all: Vec<Check> = groups().iter().flat_map(|(_, checks)| checks.iter().copied()).collect();
        let titles: BTreeSet<String> = all.iter().map(Check::title).collect();
        assert_eq!(titles.len(), all.len(), "a title is used twice");
        for check in &all {
            assert!(!check.why.is_empty() && !check.title().is_empty(), "{}", check.title());
            assert_eq!(check.clients.is_empty(), check.level == CheckLevel::May, "{}", check.title());
        }
    }
}
