//! A zoo of hostile engines: whatever one does, its game ends within the time limit with the right verdict and its last words,
//! the run goes on, and nothing of it is left running.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use goban::{Rules, Size};
use lab::{Entrant, Finished, FinishedGame, GameJob, PairSide, Pairing, Schedule, Terms, hall};
use player::{JudgeName, Patience};

/// A word in the environment of an engine and of all it starts.
fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("TENGEN_ZOO={}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The engine with bad manners; `rest` may be a file for the commands it is given.
fn fake(mark: &str, manner: &str, rest: &str) -> Entrant {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../player/tests/engines/fake.sh");
    format!("gtp:env {mark} sh '{}' {manner} {rest}", script.display()).parse().unwrap()
}

fn terms() -> Terms {
    let ms = Duration::from_millis;
    let mut terms = Terms::new(Size::square(5).unwrap(), 0.5, Rules::CHINESE);
    terms.judge = JudgeName::Board;
    terms.patience = Patience { start: ms(5000), answer: ms(1000), think: ms(500), margin: ms(3000) };
    terms
}

fn pairing(a: &str, b: Entrant, terms: &Terms) -> Pairing {
    Pairing { entrants: [a.parse().unwrap(), b], terms: terms.clone(), seed: 1 }
}

/// Games in a given order.
struct List {
    jobs: Vec<GameJob>,
    lines: Vec<(GameJob, FinishedGame)>,
}

impl Schedule for List {
    fn next(&mut self) -> Option<GameJob> {
        (!self.jobs.is_empty()).then(|| self.jobs.remove(0))
    }

    fn finished(&mut self, game: &Finished) -> lab::Result<()> {
        self.lines.push((game.job, game.line.clone()));
        Ok(())
    }
}

/// The first games of each pairing, one pairing after the other.
fn first(n_pairings: usize, n: u64) -> List {
    let jobs = |pairing| (1..=n).map(move |number| GameJob { pairing, number });
    List { jobs: (0..n_pairings).flat_map(jobs).collect(), lines: Vec::new() }
}

/// The processes that carry the mark; those that only wait to be buried carry none.
fn alive(mark: &str) -> Vec<String> {
    let has_mark = |dir: &Path| {
        fs::read(dir.join("environ"))
            .is_ok_and(|text| text.split(|&byte| byte == 0).any(|word| word == mark.as_bytes()))
    };
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    all.filter(|dir| has_mark(dir)).map(|dir| dir.display().to_string()).collect()
}

/// Our own children that were never buried.
fn zombies() -> BTreeSet<String> {
    let is_ours = |stat: &str| {
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        fields.first() == Some(&"Z") && fields.get(1) == Some(&std::process::id().to_string().as_str())
    };
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("stat"));
    all.filter_map(|path| fs::read_to_string(path).ok()).filter(|stat| is_ours(stat)).collect()
}

/// Asserts that nothing is left. A killed process needs a moment, and one that another test is about to bury is no zombie.
fn assert_nothing_left(mark: &str, what: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut dead = zombies();
    loop {
        let left = alive(mark);
        dead = dead.intersection(&zombies()).cloned().collect();
        if left.is_empty() && dead.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "{what}: left are {left:?} and {dead:?}");
        sleep(Duration::from_millis(20));
    }
}

/// How an engine of the zoo fails, and where its last words are to be found.
struct Beast {
    manner: &'static str,
    reason: &'static str,
    words: &'static str,
    /// For one game; a generous limit, since the machine may be busy.
    limit: Duration,
}

fn beast(manner: &'static str, reason: &'static str, words: &'static str) -> Beast {
    Beast { manner, reason, words, limit: Duration::from_secs(10) }
}

/// Lets a beast play three games, which it loses for the right reason.
fn check(beast: &Beast, terms: &Terms) {
    let Beast { manner, reason, words, limit } = *beast;
    let mark = mark();
    let pairings = [pairing("random", fake(&mark, manner, ""), terms)];
    let (mut list, start) = (first(1, 3), Instant::now());
    hall::play(&pairings, 2, &mut list, &Arc::default()).unwrap();
    assert!(start.elapsed() < 3 * limit, "{manner} took {:?}", start.elapsed());
    assert_nothing_left(&mark, manner);
    assert_eq!(list.lines.len(), 3, "{manner}: the run goes on");
    for (_, line) in &list.lines {
        assert_eq!((line.reason.word(), line.winner), (reason, Some(PairSide::A)), "{manner}: {line:?}");
        let told = [&line.details, &line.note].map(|text| text.clone().unwrap_or_default()).join(" ");
        assert!(told.contains(words), "{manner}: no {words:?} in {line:?}");
    }
}

#[test]
fn timed_engines_that_say_nonsense_lose() {
    for beast in [
        beast("garbage", "nonsense", "Hello, world"),
        beast("binary", "nonsense", "core dumped"),
        beast("empty", "nonsense", "expected a move like C3"),
        beast("off-board", "nonsense", "Z99"),
        beast("refuses", "nonsense", "I would rather not"),
        beast("wrong-id", "nonsense", "4711"),
        beast("answers-twice", "nonsense", "pass"),
        beast("wrong-colour", "nonsense", "I play the other side"),
        beast("wrong-turn", "nonsense", "I have this colour"),
        beast("illegal", "illegal", "A1 is the best point"),
    ] {
        check(&beast, &terms());
    }
}

#[test]
fn timed_engines_that_die_or_fall_silent_lose() {
    for beast in [
        beast("dies", "crash", "segmentation fault"),
        beast("leaves", "crash", "good bye"),
        beast("goes-mute", "crash", "no more words"),
        beast("hangs", "hang", "thinking hard"),
    ] {
        check(&beast, &terms());
    }
}

#[test]
fn timed_engines_that_flood_are_read_and_judged() {
    let mut patient = terms();
    patient.patience.think = Duration::from_secs(30);
    check(&beast("floods-stdout", "nonsense", "it will not stop"), &patient);
    let endless =
        Beast { limit: Duration::from_secs(40), ..beast("floods-reply", "nonsense", "it will not stop") };
    check(&endless, &patient);
    // Errors are nobody's business but the engine's: it plays on, and passes until the game is counted.
    let mark = mark();
    let mut list = first(1, 2);
    hall::play(
        &[pairing("random", fake(&mark, "floods-stderr", ""), &patient)],
        1,
        &mut list,
        &Arc::default(),
    )
    .unwrap();
    assert_nothing_left(&mark, "floods-stderr");
    assert_eq!(list.lines.iter().map(|(_, line)| line.reason.word()).collect::<Vec<_>>(), ["score", "score"]);
}

#[test]
fn timed_late_answers_lose_on_time() {
    let mut timed = terms();
    timed.allowance.clock = lab::clock::parse("0.5").unwrap();
    check(&beast("always-late", "time", "took 1."), &timed);
}

#[test]
fn timed_engines_that_ignore_quit_are_ended_with_their_children() {
    for manner in ["stays", "stays-with-child"] {
        let mark = mark();
        let (mut list, start) = (first(1, 2), Instant::now());
        hall::play(&[pairing("random", fake(&mark, manner, ""), &terms())], 1, &mut list, &Arc::default())
            .unwrap();
        assert!(start.elapsed() < Duration::from_secs(15), "{manner} took {:?}", start.elapsed());
        assert_nothing_left(&mark, manner);
        assert!(list.lines.iter().all(|(_, line)| line.reason.word() == "score"), "{:?}", list.lines);
    }
}

#[test]
fn timed_an_engine_that_cannot_play_stops_the_run_instead_of_losing() {
    let mut hasty = terms();
    hasty.patience.start = Duration::from_millis(700);
    for (manner, words) in [
        ("exits-at-start", vec!["it failed at the start", "no licence found"]),
        (
            "hangs-at-start",
            vec!["it failed at the start", "gave no answer in 0.7 seconds", "loading the network"],
        ),
        ("welcomes", vec!["it failed at the start", "Welcome to Fake 1.0", "speaking to humans"]),
        ("no-genmove", vec!["does not list the command genmove"]),
        ("small", vec!["unacceptable size", "boardsize 5"]),
        ("dies-at-setup", vec!["no room"]),
    ] {
        let mark = mark();
        let (mut list, stop, start) = (first(1, 50), Arc::new(AtomicBool::new(false)), Instant::now());
        let error = hall::play(&[pairing("random", fake(&mark, manner, ""), &hasty)], 2, &mut list, &stop);
        let error = error.unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{manner}: {error}");
        assert!(list.lines.is_empty() && stop.load(Ordering::Relaxed), "{manner}");
        assert!(start.elapsed() < Duration::from_secs(15), "{manner} took {:?}", start.elapsed());
        assert_nothing_left(&mark, manner);
    }
}

#[test]
fn a_referee_that_cannot_count_stops_the_run() {
    let mark = mark();
    let mut strict = terms();
    strict.judge = format!("gtp:env {mark} false").parse().unwrap();
    let mut list = first(1, 2);
    let error =
        hall::play(&[pairing("random", "random".parse().unwrap(), &strict)], 1, &mut list, &Arc::default());
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("the referee: ") && list.lines.is_empty(), "{error}");
    assert_nothing_left(&mark, "false");
}

#[test]
fn a_referee_that_refuses_the_board_stops_the_run_before_the_first_move() {
    let mark = mark();
    let mut strict = terms();
    strict.judge = fake(&mark, "small", "").to_string().trim().parse().unwrap();
    let mut list = first(1, 2);
    let pairing = pairing("random", "random".parse().unwrap(), &strict);
    let error = hall::play(&[pairing], 1, &mut list, &Arc::default()).unwrap_err().to_string();
    assert!(error.contains("the referee Fake") && error.contains("boardsize 5"), "{error}");
    assert!(list.lines.is_empty(), "{error}");
    assert_nothing_left(&mark, "small");
}

#[test]
fn an_engine_that_fails_between_two_games_is_started_again() {
    let mark = mark();
    let mut list = first(1, 3);
    hall::play(
        &[pairing("random", fake(&mark, "stuck-between", ""), &terms())],
        1,
        &mut list,
        &Arc::default(),
    )
    .unwrap();
    assert_nothing_left(&mark, "stuck-between");
    let reasons: Vec<&str> = list.lines.iter().map(|(_, line)| line.reason.word()).collect();
    assert_eq!(reasons, ["score"; 3], "nobody has lost who was not playing");
}

#[test]
fn engines_stay_while_they_are_needed_and_are_told_to_leave() {
    let dir = tempfile::tempdir().unwrap();
    let mark = mark();
    let log = |name: &str| dir.path().join(name).display().to_string();
    let engine = |name: &str| fake(&mark, "good", &log(name));
    let terms = terms();
    let pairings = [
        pairing("random", engine("x"), &terms),
        Pairing { entrants: [engine("x"), engine("y")], terms: terms.clone(), seed: 2 },
        pairing("random", engine("y"), &terms),
    ];
    let mut list = first(3, 4);
    hall::play(&pairings, 1, &mut list, &Arc::default()).unwrap();
    assert_eq!(list.lines.len(), 12);
    let count = |name: &str, word: &str| {
        let text = fs::read_to_string(log(name)).unwrap();
        text.lines().filter(|line| line.trim() == word).count()
    };
    // X plays the first two pairings, Y the last two; each is started once and leaves once.
    assert_eq!(
        [count("x", "name"), count("x", "quit"), count("y", "name"), count("y", "quit")],
        [1, 1, 1, 1]
    );
    assert_eq!([count("x", "clear_board"), count("y", "clear_board")], [8, 8]);
    assert_nothing_left(&mark, "good");
}

#[test]
fn timed_a_run_that_is_stopped_waits_for_nobody() {
    let mut endless = terms();
    endless.patience = Patience::default();
    for manner in ["hangs", "hangs-at-start"] {
        let mark = mark();
        let stop = Arc::new(AtomicBool::new(false));
        let mut list = first(1, 100);
        let pairings = [pairing("random", fake(&mark, manner, ""), &endless)];
        thread::scope(|scope| {
            let run = scope.spawn(|| hall::play(&pairings, 2, &mut list, &stop));
            sleep(Duration::from_millis(1500));
            assert!(!run.is_finished() && !alive(&mark).is_empty());
            stop.store(true, Ordering::Relaxed);
            let start = Instant::now();
            run.join().unwrap().unwrap();
            assert!(start.elapsed() < Duration::from_secs(10));
        });
        assert!(list.lines.is_empty());
        assert_nothing_left(&mark, manner);
    }
}
