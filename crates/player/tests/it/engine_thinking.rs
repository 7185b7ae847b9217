//! Asking for moves: the clock, the interrupt, the end of the input, and moves that nobody refuses.

use crate::engine_support::{Live, Puppet, check, engine, engine_with, output};
use goban::{Color, Position, Rules, Size, Vertex};
use player::engine::{Engine, Options};
use player::{Budget, Decision, Player, PlayerError, recipes};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3600);

/// Our search on a 9×9 board.
fn searching(options: Options) -> Engine {
    let player = recipes::player("default", &mcts::Settings::default()).unwrap();
    Engine::new(Box::new(player), options, Size::square(9).unwrap(), Rules::CHINESE)
}

#[test]
fn timed_an_interrupt_brings_the_move_at_once() {
    let mut live = Live::start(searching(Options { time: Some(HOUR), ..Options::default() }));
    live.send("1 genmove b\n");
    std::thread::sleep(Duration::from_millis(50));
    let start = Instant::now();
    live.send("# interrupt\n2 last_move\n");
    let reply = live.reply();
    assert!(start.elapsed() < Duration::from_secs(5), "the move came after {:?}", start.elapsed());
    let vertex = reply.strip_prefix("=1 ").unwrap();
    assert_eq!(live.reply(), format!("=2 black {vertex}"));
}

#[test]
fn timed_the_end_of_the_input_ends_the_thinking() {
    let mut live = Live::start(searching(Options { time: Some(HOUR), ..Options::default() }));
    live.send("genmove b\n");
    std::thread::sleep(Duration::from_millis(50));
    let start = Instant::now();
    assert_eq!(live.end().position().plays().len(), 1);
    assert!(start.elapsed() < Duration::from_secs(5), "the engine ended after {:?}", start.elapsed());
}

#[test]
fn timed_pipelined_commands_do_not_hurry_a_move() {
    let player = Puppet { thinks: Duration::from_millis(60), ..Puppet::default() };
    let mut engine = engine(Box::new(player));
    let start = Instant::now();
    output(&mut engine, b"genmove b\nname\nversion");
    assert!(start.elapsed() >= Duration::from_millis(60));
}

#[test]
fn a_move_costs_time() {
    let player = Puppet { thinks: Duration::from_millis(30), ..Puppet::default() };
    let mut engine = engine(Box::new(player));
    output(&mut engine, b"time_settings 60 0 0\ngenmove b\nreg_genmove w");
    let [black, white] = engine.clocks().map(|clock| clock.left());
    assert!(black <= Duration::from_millis(59_970) && black > Duration::from_secs(50), "{black:?}");
    assert_eq!(white, Duration::from_secs(60));
    output(&mut engine, b"time_left b 12.5 0");
    assert_eq!(engine.clocks()[Color::Black.idx()].left(), Duration::from_millis(12_500));
    output(&mut engine, b"clear_board");
    assert_eq!(engine.clocks()[Color::Black.idx()].left(), Duration::from_secs(60));
}

#[test]
fn timed_no_time_left_is_still_a_move() {
    let settings = [
        "time_settings 10 0 0\ntime_left b 0 0",
        "time_settings 0 1 1\ntime_left b 0 1",
        "kgs-time_settings byoyomi 0 1 1\ntime_left b 0 1",
        "kata-time_settings fischer 0 0\ntime_left b -3 0",
        "kata-time_settings fischer-capped 600 10 600 0",
    ];
    for text in settings {
        let mut engine = searching(Options::default());
        let start = Instant::now();
        output(&mut engine, format!("{text}\ngenmove b").as_bytes());
        assert_eq!(engine.position().plays().len(), 1, "{text}");
        assert!(start.elapsed() < Duration::from_secs(2), "{text}: {:?}", start.elapsed());
    }
}

#[test]
fn our_own_moves_repeat_nothing_though_the_rules_allow_it() {
    // With passes in between, the ko at B4 and C4 may be taken back and forth for ever under simple ko.
    let script = "
        > gogui-setup b b5 b a4 b b3 b c4 w c5 w d4 w c3
        =
        > gogui-play_sequence w b4 b pass w pass b c4 w pass b pass
        =
        > is_legal w b4
        = 1
        > genmove w
        = pass
        > play w b4
        =
        ";
    check(&mut engine(Puppet::playing(&["B4 if legal"])), script);
}

#[test]
fn a_player_that_errs_does_not_lose_the_game_for_us() {
    check(
        &mut engine(Puppet::playing(&["C3", "C3", "broken", "panic", "B2"])),
        "
        > genmove b
        = C3
        > genmove w
        = pass
        > last_move
        = white pass
        > genmove b
        ? puppet cannot play this game: no such board
        > genmove b
        ? internal error: the puppet's strings are torn
        > genmove b
        = B2
        ",
    );
}

#[test]
fn resignation_can_be_forbidden() {
    let options = Options { may_resign: false, ..Options::default() };
    check(&mut engine_with(Puppet::playing(&["resign"]), options), "> genmove b\n= pass");
    check(&mut engine(Puppet::playing(&["resign"])), "> genmove b\n= resign\n> move_history\n=");
}

#[test]
fn whole_games_against_ourselves_are_legal_on_odd_boards() {
    for size in ["2", "3 2", "5 7"] {
        let mut engine = searching(Options { playouts: Some(20), may_resign: false, ..Options::default() });
        let script = format!("boardsize {size}\n{}", "genmove b\ngenmove w\n".repeat(60));
        let text = output(&mut engine, script.as_bytes());
        assert!(!text.contains('?'), "{text}");
        assert_eq!(engine.position().plays().len(), 120);
    }
}

/// Waits for a reply of the engine and returns what it says.
fn ask(live: &mut Live, command: &str) -> String {
    live.send(&format!("{command}\n"));
    let reply = live.reply();
    reply.strip_prefix("= ").unwrap_or_else(|| panic!("{command}: {reply}")).to_string()
}

/// With one simulation a move nothing is known of any reply, so whatever is kept was pondered.
#[test]
fn what_was_pondered_is_kept_and_the_new_simulations_are_exact() {
    for ponder in [false, true] {
        let options = Options { playouts: Some(1), ponder, may_resign: false, ..Options::default() };
        let mut live = Live::start(searching(options));
        live.send("boardsize 5\n");
        live.reply();
        let first = ask(&mut live, "genmove b");
        // The explanation needs no player, so the pondering goes on meanwhile.
        let why = ask(&mut live, "gomill-explain_last_move");
        assert!(why.contains(" of 1 simulations, "), "{why}");
        std::thread::sleep(Duration::from_millis(500));
        live.send(if first == "C3" { "play w C2\n" } else { "play w C3\n" });
        assert_eq!(live.reply(), "=");
        ask(&mut live, "genmove b");
        let why = ask(&mut live, "gomill-explain_last_move");
        let (_, rest) = why.split_once(" of 1 simulations").expect("one new simulation");
        let kept = rest.strip_prefix(" and ").and_then(|rest| rest.split_once(" kept"));
        let kept: u64 = kept.map_or(0, |(n, _)| n.parse().unwrap());
        assert!(if ponder { kept > 10 } else { kept == 0 }, "{why}");
    }
}

#[test]
fn timed_pondering_ends_with_quit_and_with_the_input() {
    for last_words in ["quit\n", ""] {
        let mut live =
            Live::start(searching(Options { playouts: Some(50), ponder: true, ..Options::default() }));
        ask(&mut live, "genmove b");
        let start = Instant::now();
        live.send(last_words);
        let engine = live.end();
        assert!(!engine.is_pondering());
        assert!(start.elapsed() < Duration::from_secs(2), "ended after {:?}", start.elapsed());
    }
}

/// Passes, and shows when it ponders.
struct Ponderer {
    is_at_it: Arc<AtomicBool>,
}

impl Player for Ponderer {
    fn name(&self) -> String {
        "ponderer".to_string()
    }

    fn choose(&mut self, _: &Position, _: Color, _: &Budget) -> Result<Decision, PlayerError> {
        Ok(Decision::Play(Vertex::PASS))
    }

    fn ponder(&mut self, _: &Position, color: Color, stop: &Arc<AtomicBool>) {
        assert_eq!(color, Color::White, "the opponent's move is thought about");
        self.is_at_it.store(true, Ordering::Relaxed);
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.is_at_it.store(false, Ordering::Relaxed);
    }
}

#[test]
fn timed_pondering_goes_on_until_the_player_is_needed() {
    for (ponder, script, is_expected) in [
        (true, "genmove b\nname\ntime_left w 30 0\nshowboard", true),
        (false, "genmove b", false),
        (true, "reg_genmove b", false),
        (true, "genmove b\nplay w A1", false),
        (true, "play w pass\ngenmove b", false),
        (true, "genmove b\nstop", false),
        (true, "genmove b\nclear_board", false),
        (true, "genmove b\nundo", false),
        (true, "genmove b\nkgs-game_over", false),
    ] {
        let is_at_it = Arc::new(AtomicBool::new(false));
        let player = Ponderer { is_at_it: Arc::clone(&is_at_it) };
        let mut live = Live::start(engine_with(Box::new(player), Options { ponder, ..Options::default() }));
        live.send(&format!("{script}\n"));
        script.lines().for_each(|_| assert!(live.reply().starts_with('=')));
        let start = Instant::now();
        while is_expected && !is_at_it.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(is_at_it.load(Ordering::Relaxed), is_expected, "{script}");
        assert!(!live.end().is_pondering());
        assert!(!is_at_it.load(Ordering::Relaxed), "nothing is left running");
    }
}
