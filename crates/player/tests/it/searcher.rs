//! Our search as a player: whole games, the same for the same seed, and sense in passing and resigning.

use std::sync::Arc;
use std::time::{Duration, Instant};

use goban::{Color, Ko, Position, Rules, Setup, Size, Vertex};
use mcts::Settings;
use player::{
    Budget, Clock, Decision, GameSetup, Judge, Manners, Player, RandomPlayer, SearchPlayer, TimeSystem,
    play_game, recipes,
};

fn player(seed: u64) -> SearchPlayer {
    recipes::player("default", &Settings { seed, ..Default::default() }).unwrap()
}

fn position(drawing: &str, to_play: Color, rules: Rules) -> Position {
    Position::from_setup(&Setup::parse(drawing).unwrap(), to_play, rules).unwrap()
}

/// A game of the player against itself; returns the plays.
fn self_play(size: Size, rules: Rules, playouts: u64, seed: u64) -> Position {
    let mut players = [player(seed), player(seed + 1)];
    let mut position = Position::new(size, rules);
    position.set_komi(7.5).unwrap();
    while !position.is_over() && position.plays().len() < 3 * size.area() + 20 {
        let color = position.to_play();
        let mover = &mut players[color.idx()];
        let decision = mover.choose(&position, color, &Budget::playouts(playouts)).unwrap();
        assert_eq!(mover.simulations().unwrap_or(playouts), playouts, "exactly as many as asked for");
        let Decision::Play(vertex) = decision else { panic!("nobody may resign here") };
        position.play(color, vertex).unwrap();
    }
    position
}

#[test]
fn whole_games_are_legal_end_and_repeat() {
    for (width, height, rules) in [
        (5, 5, Rules::CHINESE),
        (7, 4, Rules::TROMP_TAYLOR),
        (6, 6, Rules::JAPANESE),
        (2, 2, Rules::TROMP_TAYLOR),
        (9, 9, Rules::NEW_ZEALAND),
    ] {
        let size = Size::new(width, height).unwrap();
        let game = self_play(size, rules, 60, 5);
        assert!(
            game.is_over() || rules.ko == goban::Ko::Simple,
            "{size} {rules}: {} plays",
            game.plays().len()
        );
        assert_eq!(game.plays(), self_play(size, rules, 60, 5).plays(), "same seed, same game");
    }
}

#[test]
fn the_record_of_a_game_has_what_the_mover_expected() {
    let setup = GameSetup::new(Size::square(5).unwrap(), 7.5, Rules::CHINESE);
    let (mut thinker, mut random) = (player(3), RandomPlayer::new(4));
    let mut setup = GameSetup { may_resign: false, ..setup };
    setup.allowance[0].playouts = Some(50);
    let mut judge = Judge::Board;
    let record = play_game(&mut thinker, &mut random, &setup, &mut judge, &Arc::default()).unwrap();
    for mv in &record.moves {
        // A move that needed no search has neither simulations nor an expectation.
        assert_eq!(mv.value.is_some(), mv.simulations.is_some(), "{:?}", mv.play);
        assert!(mv.value.is_none_or(|value| (0.0..=1.0).contains(&value)));
        assert!(mv.play.color == Color::Black || mv.value.is_none(), "random expects nothing");
        // The text in the record tells the same number.
        if let (Some(value), Some(text)) = (mv.value, &mv.comment) {
            assert!(text.starts_with(&format!("{:.1} % ", 100.0 * value)), "{value}: {text}");
        }
    }
    assert!(record.moves.iter().filter(|mv| mv.value.is_some()).count() > 3);
}

#[test]
fn more_thought_is_more_strength() {
    let size = Size::square(5).unwrap();
    let mut n_wins = 0;
    for game in 0..10 {
        let strong = Color::BOTH[game as usize % 2];
        // Who knows Go wins on so small a board with Black and five playouts.
        let light = |seed| recipes::player("light", &Settings { seed, ..Default::default() }).unwrap();
        let mut players = [light(game), light(game + 100)];
        let mut position = Position::new(size, Rules::TROMP_TAYLOR);
        position.set_komi(0.5).unwrap();
        while !position.is_over() && position.plays().len() < 100 {
            let color = position.to_play();
            let playouts = if color == strong { 2000 } else { 5 };
            match players[color.idx()].choose(&position, color, &Budget::playouts(playouts)).unwrap() {
                Decision::Play(vertex) => position.play(color, vertex).unwrap(),
                Decision::Resign => break,
            }
        }
        n_wins += usize::from(position.score().winner() == Some(strong));
    }
    assert!(n_wins >= 8, "2000 playouts won {n_wins} of 10 against 5");
}

/// White has won the board as it stands and Black passes: so does White.
#[test]
fn a_won_game_is_ended_by_a_second_pass() {
    let mut won = position(". O . O\nO O O O\n. O O X\nO O X .\n", Color::Black, Rules::TROMP_TAYLOR);
    won.play(Color::Black, Vertex::PASS).unwrap();
    let decision = player(1).choose(&won, Color::White, &Budget::playouts(50)).unwrap();
    assert_eq!(decision, Decision::Play(Vertex::PASS));
}

/// Black is behind on the board as it stands, though White's corner stones can be taken: a pass would lose.
#[test]
fn a_pass_that_loses_is_not_played_while_there_are_moves() {
    let drawing = "
        . X O . O
        X X O O O
        . X X X .
        X . X . X
        . X X X X";
    let mut game = position(drawing, Color::White, Rules::TROMP_TAYLOR);
    game.set_komi(20.5).unwrap();
    game.play(Color::White, Vertex::PASS).unwrap();
    let decision = player(1).choose(&game, Color::Black, &Budget::playouts(200)).unwrap();
    assert_ne!(decision, Decision::Play(Vertex::PASS));
}

/// Komi wins an open board as it stands, and five playouts that know nothing see no difference between moves.
#[test]
fn nobody_passes_early_who_is_to_play_on() {
    let drawing = ". . . . .\n. X . O .\n. . . . .\n. O . X .\n. . . . .";
    let mut open = position(drawing, Color::White, Rules::CHINESE);
    open.set_komi(7.5).unwrap();
    let manners = |plays_on_early| Manners { plays_on_early, ..Manners::default() };
    let light = |seed: u64, plays_on: bool| {
        let player = recipes::player("light", &Settings { seed, ..Default::default() }).unwrap();
        let mut player = player.with_manners(manners(plays_on));
        player.choose(&open, Color::White, &Budget::playouts(5)).unwrap()
    };
    let n_passes =
        |plays_on| (1..=60).filter(|&seed| light(seed, plays_on) == Decision::Play(Vertex::PASS)).count();
    assert!(n_passes(false) > 0);
    assert_eq!(n_passes(true), 0);
    // Nor after a pass, which would end a game that is won as it stands.
    let mut passed = open.clone();
    passed.set_to_play(Color::Black);
    passed.play(Color::Black, Vertex::PASS).unwrap();
    for plays_on in [false, true] {
        let mut player = player(1).with_manners(manners(plays_on));
        let decision = player.choose(&passed, Color::White, &Budget::playouts(20)).unwrap();
        assert_eq!(decision != Decision::Play(Vertex::PASS), plays_on);
    }
}

#[test]
fn a_hopeless_game_is_given_up_only_where_that_is_allowed() {
    let lost =
        position(". O . O .\nO O O O O\n. O . O .\nO O O O O\nX . . . O", Color::Black, Rules::TROMP_TAYLOR);
    let mut budget = Budget::playouts(300);
    assert!(matches!(player(1).choose(&lost, Color::Black, &budget).unwrap(), Decision::Play(_)));
    budget.may_resign = true;
    assert_eq!(player(1).choose(&lost, Color::Black, &budget).unwrap(), Decision::Resign);
}

/// A capture that repeats the whole board is not played where superko forbids it.
#[test]
fn superko_is_kept_at_the_root() {
    let drawing = "
        . X O .
        X O . O
        . X O .
        . . . .";
    let mut game = position(drawing, Color::Black, Rules::TROMP_TAYLOR);
    game.play(Color::Black, Vertex::new(2, 1)).unwrap();
    for seed in 0..5 {
        let decision = player(seed).choose(&game, Color::White, &Budget::playouts(100)).unwrap();
        let Decision::Play(vertex) = decision else { panic!("White resigns") };
        assert!(game.is_legal(Color::White, vertex), "{vertex:?}");
        assert_ne!(vertex, Vertex::new(1, 1));
    }
}

#[test]
fn dead_stones_are_captured_when_the_game_is_cleaned_up() {
    let drawing = "
        . X . X . O . O .
        X X X X X O O O O
        . X . X . O . O .
        X X X X X O O O O
        . X . X O O . O .
        X X . X O . O O O
        . X X X O O O . O
        . X O X O . X O O
        . X . X O . O O .";
    let mut game = position(drawing, Color::White, Rules::CHINESE);
    game.play(Color::White, Vertex::PASS).unwrap();
    let budget = Budget { cleanup: true, ..Budget::playouts(200) };
    let mut black = player(1);
    for _ in 0..20 {
        let Decision::Play(vertex) = black.choose(&game, Color::Black, &budget).unwrap() else {
            panic!("resigned")
        };
        game.play(Color::Black, vertex).unwrap();
        if vertex.is_pass() {
            break;
        }
        game.play(Color::White, Vertex::PASS).unwrap();
    }
    assert_eq!(game.board().stone(Vertex::new(2, 7)), None, "the dead white stone is gone");
    assert!(game.last().unwrap().vertex.is_pass(), "and then Black passes");
}

fn clocked(main: Duration) -> Budget {
    Budget { clocks: Some([Clock::new(TimeSystem::Absolute { main }); 2]), ..Budget::default() }
}

/// Thinking in slices counts as one search.
#[test]
fn timed_a_clock_is_thought_by_in_slices_that_add_up() {
    let empty = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
    let mut black = player(1);
    let start = Instant::now();
    black.choose(&empty, Color::Black, &clocked(Duration::from_secs(3))).unwrap();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    let thought = black.last().unwrap();
    assert_eq!(thought.report.simulations, thought.report.visits, "all slices are counted, on a new tree");
    assert!(thought.report.simulations > 200, "{}", thought.report.simulations);
    assert_eq!(thought.report.ownership.is_empty(), thought.report.simulations == 0);
}

/// A fixed number of playouts is run in full though the clock would stop an easy choice, and the tree's earlier visits
/// come on top.
#[test]
fn a_number_of_playouts_is_exact_with_or_without_a_clock() {
    let mut game = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
    let mut black = player(1);
    for _ in 0..4 {
        let budget = Budget { playouts: Some(700), ..clocked(Duration::from_secs(600)) };
        let Decision::Play(vertex) = black.choose(&game, Color::Black, &budget).unwrap() else { panic!() };
        assert_eq!(black.simulations(), Some(700));
        game.play(Color::Black, vertex).unwrap();
        let reply = black.last().unwrap().lines[black.last().unwrap().chosen.unwrap()][1];
        game.play(Color::White, reply).unwrap();
    }
    let report = &black.last().unwrap().report;
    assert!(report.visits > report.simulations, "the tree is kept: {} visits", report.visits);
}

/// Where only one move may be made no time is spent, with a clock as with a time for each move.
#[test]
fn timed_a_single_choice_is_made_at_once() {
    // A3 takes everything and is White's only legal move but the pass, which would lose.
    let game = position(". X X\nX X X\nX X X", Color::White, Rules::TROMP_TAYLOR);
    let hour = Duration::from_secs(3600);
    for budget in [clocked(hour), Budget { time: Some(hour), ..Budget::default() }] {
        let start = Instant::now();
        let decision = player(1).choose(&game, Color::White, &budget).unwrap();
        assert_eq!(decision, Decision::Play(Vertex::new(0, 0)));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

/// The search's favourite is not played where it would repeat the board: White kills everything by taking the ko at B4,
/// which is Black's second eye, but that position has been there before.
#[test]
fn superko_forbids_the_favourite() {
    let drawing = "
        . X O O .
        X . X O O
        X X O O .
        . X O O O
        X X O . O";
    let simple = Rules { ko: Ko::Simple, ..Rules::TROMP_TAYLOR };
    let mut game = position(drawing, Color::White, simple);
    // White is behind as the board stands and ahead with everything dead.
    game.set_komi(-10.0).unwrap();
    let (ko, stone) = (Vertex::new(1, 1), Vertex::new(2, 1));
    for vertex in [ko, Vertex::PASS, Vertex::PASS, stone, Vertex::PASS, Vertex::PASS] {
        game.play(game.to_play(), vertex).unwrap();
    }
    assert_eq!(game.to_play(), Color::White);
    let choose = |game: &Position| player(1).choose(game, Color::White, &Budget::playouts(3000)).unwrap();
    assert_eq!(choose(&game), Decision::Play(ko), "the favourite");
    game.set_rules(Rules::TROMP_TAYLOR);
    let Decision::Play(vertex) = choose(&game) else { panic!("resigned") };
    assert!(vertex != ko && game.is_legal(Color::White, vertex), "{vertex:?}");
}

/// GoYui's rule: a move that hardly ever wins is not worth a stone. Who may give up does that first.
#[test]
fn a_hopeless_game_is_passed_where_the_manners_say_so() {
    let lost =
        position(". O . O .\nO O O O O\n. O . O .\nO O O O O\nX . . . O", Color::Black, Rules::TROMP_TAYLOR);
    let mut budget = Budget::playouts(300);
    let goyui = || player(1).with_manners(Manners { pass_below: Some(0.1), ..Manners::default() });
    assert_eq!(goyui().choose(&lost, Color::Black, &budget).unwrap(), Decision::Play(Vertex::PASS));
    budget.may_resign = true;
    assert_eq!(goyui().choose(&lost, Color::Black, &budget).unwrap(), Decision::Resign);
    let stubborn = || player(1).with_manners(Manners { resign_below: None, ..Manners::default() });
    let Decision::Play(vertex) = stubborn().choose(&lost, Color::Black, &budget).unwrap() else { panic!() };
    assert!(!vertex.is_pass(), "the board as it stands is lost, so a pass is the last resort");
}

#[test]
fn nobody_resigns_an_open_game_for_one_lost_simulation() {
    // The move is chosen by RAVE and may have been tried once, and lost.
    let position = Position::new(Size::square(9).unwrap(), "chinese".parse().unwrap());
    let budget = Budget { playouts: Some(50), may_resign: true, ..Budget::default() };
    for recipe in ["bouzy-amaf", "search=flat search.depth=2 pick=best-value", "depth2", "uct"] {
        for seed in 1..=5 {
            let mut player = recipes::player(recipe, &Settings { seed, ..Default::default() }).unwrap();
            let decision = player.choose(&position, Color::Black, &budget).unwrap();
            assert!(matches!(decision, Decision::Play(_)), "{recipe}, seed {seed}: {decision:?}");
        }
    }
}

#[test]
fn a_handicap_is_told_to_the_search() {
    let settings = Settings::default();
    let mut white = recipes::player("uct reward=linear-komi:stone=3,moves=10", &settings).unwrap();
    let mut position = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
    position.fixed_handicap(4).unwrap();
    let mut extra = Vec::new();
    for _ in 0..3 {
        white.choose(&position, Color::White, &Budget::playouts(60)).unwrap();
        extra.push(white.last().unwrap().report.extra_komi);
        // Whatever it would play, the game goes on with the first points that are free.
        for color in [Color::White, Color::Black] {
            position.play(color, position.legal_moves(color)[0]).unwrap();
        }
    }
    // Four stones of three points, a fifth less after every two of the ten moves.
    let expected = [12.0, 9.6, 7.2];
    assert!(extra.iter().zip(expected).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-4), "{extra:?}");
    // An even game has none, though it is the same player.
    let even = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
    white.choose(&even, Color::Black, &Budget::playouts(60)).unwrap();
    assert_eq!(white.last().unwrap().report.extra_komi, 0.0);
}
