//! Outside engines as players: what they are told, and every way in which they can fail.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use goban::{Color, Position, Rules, Size, Vertex};
use player::{
    Allowance, Budget, Clock, Decision, GameRecord, GameSetup, GtpPlayer, Judge, JudgeName, Patience,
    PlayError, Player, PlayerError, RandomPlayer, Reason, TimeSystem, play_game,
};

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/fake.sh")
}

fn fake(manner: &str) -> String {
    format!("sh '{}' {manner}", script().display())
}

/// A fake engine that writes down what it is told, in a file of this name.
fn logging(manner: &str, name: &str) -> (GtpPlayer, PathBuf) {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&log);
    let player = start(&format!("{} '{}'", fake(manner), log.display()));
    // The introduction is always the same.
    std::fs::write(&log, "").unwrap();
    (player, log)
}

fn impatient() -> Patience {
    let ms = Duration::from_millis;
    Patience { start: ms(5000), answer: ms(5000), think: ms(400), margin: ms(2500) }
}

fn start(command_line: &str) -> GtpPlayer {
    GtpPlayer::start(command_line, impatient()).unwrap()
}

fn empty(side: usize) -> Position {
    Position::new(Size::square(side).unwrap(), Rules::CHINESE)
}

fn setup() -> GameSetup {
    GameSetup::new(Size::square(5).unwrap(), 0.5, Rules::CHINESE)
}

fn game_against(manner: &str, setup: &GameSetup) -> GameRecord {
    let (mut random, mut engine) = (RandomPlayer::new(3), start(&fake(manner)));
    play_game(&mut random, &mut engine, setup, &mut Judge::Board, &Arc::default()).unwrap()
}

#[test]
fn failures_are_losses_with_their_reason() {
    let cases = [
        ("dies", "crash", "segmentation fault"),
        ("hangs", "hang", "thinking hard"),
        ("illegal", "illegal", "A1"),
        ("off-board", "nonsense", "Z99"),
        ("empty", "nonsense", "a move like C3"),
        ("refuses", "nonsense", "I would rather not"),
        ("garbage", "nonsense", "Hello, world"),
        ("wrong-id", "nonsense", "4711"),
        ("resigns", "resign", ""),
    ];
    for (manner, word, words) in cases {
        let record = game_against(manner, &setup());
        let outcome = &record.outcome;
        assert_eq!((outcome.winner, outcome.reason.word()), (Some(Color::Black), word), "{manner}");
        let remarks = format!("{:?} {:?}", outcome.reason.details(), outcome.note);
        assert!(remarks.contains(words), "{manner}: {remarks}");
        let sgf = record.to_sgf(record.header()).unwrap().to_string();
        let result = if word == "resign" { "RE[B+R]" } else { "RE[B+F]" };
        assert!(sgf.contains(result) && sgf.contains("PW[Fake 1.0]"), "{sgf}");
    }
}

#[test]
fn an_illegal_move_comes_with_the_last_words() {
    let record = game_against("illegal", &setup());
    assert!(matches!(&record.outcome.reason, Reason::Illegal { why } if why.contains("White A1")));
    assert!(record.outcome.note.unwrap().contains("A1 is the best point"));
}

#[test]
fn a_late_answer_loses_on_time() {
    let mut setup = setup();
    setup.allowance[1].clock = TimeSystem::Absolute { main: Duration::from_millis(500) };
    let record = game_against("late", &setup);
    assert_eq!((record.outcome.winner, &record.outcome.reason), (Some(Color::Black), &Reason::Time));
    assert_eq!(record.outcome.to_string(), "B+Time");
}

#[test]
fn passing_games_are_counted() {
    let mut setup = setup();
    setup.max_moves = 200;
    let record = game_against("plain", &setup);
    assert_eq!(record.outcome.winner, Some(Color::Black), "{:?}", record.outcome);
    assert_eq!(record.outcome.margin(), Some(24.5), "the whole board is Black's");
    assert!(record.position.is_over());
}

#[test]
fn endless_games_are_counted_as_they_stand() {
    let mut setup = setup();
    setup.max_moves = 5;
    let record = game_against("plain", &setup);
    assert_eq!(record.moves.len(), 5);
    assert_eq!(record.outcome.reason, Reason::TooLong { margin: 24.5 });
}

#[test]
fn what_cannot_start_or_cannot_play_is_nobodys_loss() {
    let why = |command: &str| match GtpPlayer::start(command, impatient()) {
        Err(error @ PlayerError::Unable { .. }) => error.to_string(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("{command} started"),
    };
    assert!(why(&fake("exits-at-start")).contains("no licence found"));
    assert!(why("no-such-program-here --gtp").contains("no-such-program-here"));
    assert!(why("cat").contains("expected"), "{}", why("cat"));
    assert!(why(&fake("no-genmove")).contains("does not list the command genmove"));
    let (mut random, mut small) = (RandomPlayer::new(3), start(&fake("small")));
    let game = play_game(&mut random, &mut small, &setup(), &mut Judge::Board, &Arc::default());
    assert!(
        matches!(&game, Err(PlayError::Unable(error)) if error.to_string().contains("boardsize 5")),
        "{game:?}"
    );
}

#[test]
fn timed_a_killed_engine_is_noticed_at_once_and_started_again() {
    let mut engine = start(&fake("plain"));
    let position = empty(5);
    engine.prepare(&position, TimeSystem::Unlimited).unwrap();
    let pid = engine.pid().unwrap();
    let status = Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
    assert!(status.success());
    let begin = Instant::now();
    let error = engine.choose(&position, Color::Black, &Budget::default()).unwrap_err();
    assert!(begin.elapsed() < Duration::from_millis(300), "{:?}", begin.elapsed());
    assert!(matches!(&error, PlayerError::Crash { why, .. } if why.contains("signal")), "{error}");
    assert_eq!(engine.pid(), None);
    let decision = engine.choose(&position, Color::Black, &Budget::default()).unwrap();
    assert_eq!(decision, Decision::Play(Vertex::PASS));
    assert_ne!(engine.pid(), Some(pid));
}

#[test]
fn no_process_is_left_behind() {
    let engine = start(&fake("stays"));
    let pid = engine.pid().unwrap();
    drop(engine);
    assert!(!Path::new(&format!("/proc/{pid}/stat")).exists());
}

#[test]
fn positions_are_told_by_what_is_new() {
    let (mut engine, log) = logging("plain", "told.log");
    let told = || {
        let text = std::fs::read_to_string(&log).unwrap();
        std::fs::write(&log, "").unwrap();
        text.lines().map(str::trim).map(str::to_string).collect::<Vec<_>>().join("; ")
    };
    let mut position = empty(5);
    position.set_komi(7.5).unwrap();
    let at = |text: &str| Size::square(5).unwrap().parse_vertex(text).unwrap();
    position.play(Color::Black, at("C3")).unwrap();
    engine.prepare(&position, TimeSystem::Unlimited).unwrap();
    assert_eq!(told(), "boardsize 5; clear_board; komi 7.5; play b C3");
    engine.choose(&position, Color::White, &Budget::default()).unwrap();
    assert_eq!(told(), "genmove w");
    position.play(Color::White, Vertex::PASS).unwrap();
    position.play(Color::Black, at("D4")).unwrap();
    engine.choose(&position, Color::White, &Budget::default()).unwrap();
    assert_eq!(told(), "play b D4; genmove w");
    position.undo();
    engine.prepare(&position, TimeSystem::Unlimited).unwrap();
    assert_eq!(told(), "undo; undo");
    engine.forget();
    engine.prepare(&position, TimeSystem::Unlimited).unwrap();
    assert_eq!(told(), "boardsize 5; clear_board; komi 7.5; play b C3; play w pass");
    let mut handicap = Position::new(Size::new(9, 7).unwrap(), Rules::CHINESE);
    handicap.place_free_handicap(2).unwrap();
    engine.prepare(&handicap, TimeSystem::Unlimited).unwrap();
    assert_eq!(told(), "rectangular_boardsize 9 7; clear_board; komi 0; set_free_handicap G5 C3");
}

#[test]
fn engines_that_cannot_undo_are_told_all_again() {
    let (mut engine, log) = logging("no-undo", "told-no-undo.log");
    let mut position = empty(5);
    position.play(Color::Black, Vertex::new(0, 0)).unwrap();
    engine.prepare(&position, TimeSystem::Unlimited).unwrap();
    position.undo();
    engine.prepare(&position, TimeSystem::Unlimited).unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    assert_eq!(text.matches("clear_board").count(), 2, "{text}");
    assert!(!text.contains("undo"));
}

#[test]
fn clocks_are_told() {
    let (mut engine, log) = logging("plain", "clocks.log");
    let clock = Clock::new(TimeSystem::Absolute { main: Duration::from_secs(30) });
    let budget = Budget { clocks: Some([clock; 2]), ..Budget::default() };
    engine.choose(&empty(5), Color::Black, &budget).unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.ends_with("time_settings 30 0 0\ntime_left b 30 0\ngenmove b\n"), "{text}");
    let budget = Budget { time: Some(Duration::from_secs(2)), ..Budget::default() };
    engine.choose(&empty(5), Color::Black, &budget).unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.ends_with("undo \ntime_settings 0 2 1\ngenmove b\n"), "{text}");
}

/// GNU Go takes `boardsize 9 7` for 9×9.
#[test]
fn boards_that_are_no_squares_are_for_engines_that_say_so() {
    let oblong = Position::new(Size::new(9, 7).unwrap(), Rules::CHINESE);
    let error = start(&fake("square")).choose(&oblong, Color::Black, &Budget::default()).unwrap_err();
    assert!(matches!(error, PlayerError::Unable { .. }));
    assert!(error.to_string().contains("rectangular_boardsize, which 9x7 needs"), "{error}");
}

#[test]
fn a_referee_who_counts_more_than_there_is_has_failed() {
    let mut judge = JudgeName::Gtp(fake("boasts")).call(impatient()).unwrap();
    let verdict = judge.count(&empty(5));
    assert_eq!(verdict.margin, 0.0);
    let note = verdict.note.unwrap();
    assert!(note.starts_with("the referee failed (Fake 1.0 answered B+99999"), "{note}");
}

#[test]
fn a_referee_counts_and_its_failure_is_noted() {
    let setup = setup();
    let mut judge = JudgeName::Gtp(fake("plain")).call(impatient()).unwrap();
    let (mut a, mut b) = (RandomPlayer::new(1), RandomPlayer::new(2));
    let record = play_game(&mut a, &mut b, &setup, &mut judge, &Arc::default()).unwrap();
    assert_eq!(record.outcome.margin(), Some(3.0));
    let note = record.outcome.note.unwrap();
    // The fake knows nothing of the game, so our own count is another.
    assert!(note.starts_with("counted by Fake 1.0; we make it "), "{note}");
    let Judge::Referee(referee) = &judge else { panic!("no referee") };
    let pid = referee.pid().unwrap().to_string();
    assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
    let verdict = judge.count(&record.position);
    assert_eq!(verdict.margin, player::dead::judged_score(&record.position).margin());
    assert!(verdict.note.unwrap().contains("the referee failed"));
    assert!(matches!("gtp:".parse::<JudgeName>(), Err(error) if error.to_string().contains("gtp:COMMAND")));
}

#[test]
fn a_stopped_game_is_no_game() {
    let stop = Arc::new(true.into());
    let (mut a, mut b) = (RandomPlayer::new(1), RandomPlayer::new(2));
    let game = play_game(&mut a, &mut b, &setup(), &mut Judge::Board, &stop);
    assert!(matches!(game, Err(PlayError::Stopped)));
}

#[test]
fn gnu_go_plays_and_judges() {
    let Some(gnugo) = gnugo() else { return println!("skipped: GNU Go is not installed") };
    let command = format!("{gnugo} --mode gtp --level 0 --chinese-rules");
    let mut engine = GtpPlayer::start(&command, Patience::default()).unwrap();
    assert!(engine.name().starts_with("GNU Go 3."), "{}", engine.name());
    let mut judge = JudgeName::Gtp(command).call(Patience::default()).unwrap();
    for seed in 0..2 {
        let mut setup = GameSetup::new(Size::square(5 + 2 * seed).unwrap(), 7.5, Rules::CHINESE_SERVER);
        let clock = TimeSystem::Absolute { main: Duration::from_secs(60) };
        setup.allowance = [Allowance { clock, ..Allowance::default() }; 2];
        setup.handicap = 2 * (seed % 2);
        let mut random = RandomPlayer::new(seed as u64);
        let game = play_game(&mut engine, &mut random, &setup, &mut judge, &Arc::default()).unwrap();
        assert!(!game.outcome.reason.is_failure(), "{:?}", game.outcome);
        assert_eq!(game.outcome.winner, Some(Color::Black), "{:?}", game.outcome);
    }
}

fn gnugo() -> Option<String> {
    let dirs = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    dirs.split(':').map(|dir| format!("{dir}/gnugo")).find(|path| Path::new(path).is_file())
}
