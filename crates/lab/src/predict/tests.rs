//! Predictors on games of our own.

use goban::{Color, PlayedMove, Rng, Rules, Size};
use sgf::GameResult;

use super::*;
use crate::phase::GamePhase;
use records::{RecordPlace, RecordStep, RecordedGame};

/// Games of uniformly random legal moves, a pass here and there.
fn random_games(n: usize, n_moves: usize) -> Vec<RecordedGame> {
    let mut rng = Rng::new(11);
    let game = |number: usize| {
        let size = Size::square(9).unwrap();
        let mut position = Position::new(size, Rules::CHINESE);
        let mut steps = Vec::new();
        for _ in 0..n_moves {
            let color = position.to_play();
            let moves = position.legal_moves(color);
            let vertex = if rng.chance(0.05) || moves.is_empty() {
                Vertex::PASS
            } else {
                moves[rng.below(moves.len() as u32) as usize]
            };
            position.play(color, vertex).unwrap();
            steps.push(RecordStep::Play(PlayedMove { color, vertex }));
        }
        let place = RecordPlace { file: "random".to_string(), number: number as u64 };
        RecordedGame {
            place,
            source: "random".to_string(),
            size,
            komi: Some(7.0),
            handicap: 0,
            result: GameResult::Unknown,
            first: Color::Black,
            steps,
        }
    };
    (1..=n).map(game).collect()
}

fn run(games: &[RecordedGame], text: &str, settings: &PredictSettings) -> Prediction {
    evaluate(games, &text.parse().unwrap(), settings, || {}).unwrap()
}

/// Mean of ln(legal moves) and of k/legal over all moves but passes, counted without any of the code under test but
/// the replay; the number of the moves as well.
fn by_counting(games: &[RecordedGame], k: usize) -> (f64, f64, u64) {
    let (mut log, mut hits, mut n) = (0.0, 0.0, 0);
    for game in games {
        let mut position = Position::new(game.size, Rules::CHINESE);
        for play in game.plays() {
            if !play.vertex.is_pass() {
                let n_legal =
                    position.size().vertices().filter(|&v| position.is_legal(play.color, v)).count();
                log += (n_legal as f64).ln();
                hits += (k as f64 / n_legal as f64).min(1.0);
                n += 1;
            }
            position.play(play.color, play.vertex).unwrap();
        }
    }
    (log / n as f64, hits / n as f64, n)
}

#[test]
fn the_loss_of_uniform_is_the_mean_of_ln_legal_moves() {
    let games = random_games(6, 60);
    let uniform = run(&games, "uniform", &PredictSettings::default());
    for k in [1, 7, 50] {
        let (log, hits, n) = by_counting(&games, k);
        assert_eq!(uniform.all.positions, n);
        assert!((uniform.all.log_loss.mean - log).abs() < 1e-12);
        assert!((uniform.all.log_legal.mean - log).abs() < 1e-12);
        assert!((uniform.all.top[k - 1].mean - hits).abs() < 1e-12, "top-{k}");
    }
    assert_eq!((uniform.games, uniform.refused, uniform.all.impossible), (6, 0, 0));
    assert_eq!(uniform.passes + uniform.all.positions, 360);
    assert!(uniform.passes > 0);
    let parts: Vec<_> = uniform.phases.iter().map(|part| (part.phase.unwrap(), part.positions)).collect();
    assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), uniform.all.positions);
    // Ten, thirty and twenty of sixty moves, less the passes.
    assert!(parts[0].1 <= 60 && parts[1].1 <= 180 && parts[2].1 <= 120, "{parts:?}");
    assert_eq!(parts.iter().map(|part| part.0).collect::<Vec<_>>(), GamePhase::ALL);
    assert!(
        uniform.phases[0].log_loss.mean > uniform.phases[2].log_loss.mean,
        "fewer moves are left at the end"
    );
}

#[test]
fn a_flat_prior_is_uniform_over_the_moves_that_fill_no_eye() {
    let games = random_games(3, 20);
    // There are no eyes in the first twenty moves, so the two are the same.
    let [uniform, flat] =
        ["uniform", "flat-p"].map(|text| run(&games, text, &PredictSettings::default()).all);
    assert!((uniform.log_loss.mean - flat.log_loss.mean).abs() < 1e-6);
    assert!(uniform.top.iter().zip(&flat.top).all(|(a, b)| (a.mean - b.mean).abs() < 1e-9));
    assert!(flat.log_loss.se > 0.0 && flat.log_loss.se < 0.1);
    // An eye that is filled was impossible: White lives nowhere near, Black fills A9 inside his own wall.
    let mut game = random_games(1, 1).remove(0);
    game.steps.clear();
    let mut color = Color::Black;
    for vertex in records::line::points("badaabdebbffaa") {
        game.steps.push(RecordStep::Play(PlayedMove { color, vertex: vertex.unwrap() }));
        color = !color;
    }
    let flat = run(&[game], "flat-p", &PredictSettings { mixed: 0.01, ..PredictSettings::default() });
    assert_eq!((flat.all.impossible, flat.all.positions), (1, 7));
}

#[test]
fn gammas_prefer_moves_near_the_last_one() {
    // Every move next to the one before, on a snake over the board.
    let mut game = random_games(1, 1).remove(0);
    game.steps.clear();
    let mut color = Color::Black;
    for number in 0..30 {
        let (row, col) = (number / 9, number % 9);
        let vertex = Vertex::new(if row % 2 == 0 { col } else { 8 - col }, row + 2);
        game.steps.push(RecordStep::Play(PlayedMove { color, vertex }));
        color = !color;
    }
    let games = [game];
    let [uniform, gammas] =
        ["uniform", "gammas"].map(|text| run(&games, text, &PredictSettings::default()).all);
    assert!(
        gammas.log_loss.mean < uniform.log_loss.mean - 1.0,
        "{:?} {:?}",
        gammas.log_loss,
        uniform.log_loss
    );
    assert!(gammas.top[4].mean > 0.8, "{:?}", gammas.top[4]);
    // Without what it knows it is a flat prior.
    let blind =
        run(&games, "gammas:last=false,before=false,line=false,pass=1", &PredictSettings::default()).all;
    assert!((blind.log_loss.mean - uniform.log_loss.mean).abs() < 1e-6);
}

#[test]
fn random_predictors_depend_on_the_seed_and_not_on_the_threads() {
    let games = random_games(3, 12);
    for text in ["search:uct@playouts=90", "policy:uniform@playouts=40"] {
        let settings = PredictSettings { seed: 5, ..PredictSettings::default() };
        let loss = |settings: &PredictSettings| run(&games, text, settings).all.log_loss.mean;
        let first = loss(&settings);
        assert_eq!(first, loss(&PredictSettings { parallel: 3, ..settings.clone() }), "{text}");
        assert_ne!(first, loss(&PredictSettings { seed: 6, ..settings }), "{text}");
        // Random games cannot be foreseen: nothing beats the number of moves by much, and nothing is far worse.
        let (log, _, _) = by_counting(&games, 1);
        assert!((first - log).abs() < 0.7, "{text}: {first} {log}");
    }
}

#[test]
fn a_search_sees_the_capture() {
    // White's big chain is in atari, and Black's three stones in the corner are, too: all depends on who takes first.
    let mut game = random_games(1, 1).remove(0);
    game.steps.clear();
    game.size = Size::square(5).unwrap();
    let drawing = "\
        . X O O O\n\
        X X O X O\n\
        O O O X .\n\
        O X X X X\n\
        X X . X .";
    let setup = goban::Setup::parse(drawing).unwrap();
    let stones = setup.stones().map(|(vertex, stone)| (vertex, Some(stone))).collect();
    game.steps.push(RecordStep::Setup { stones, to_play: Some(Color::Black) });
    game.steps.push(RecordStep::Play(PlayedMove { color: Color::Black, vertex: Vertex::new(4, 2) }));
    let games = [game];
    let search = run(&games, "search:default@playouts=400", &PredictSettings::default()).all;
    let uniform = run(&games, "uniform", &PredictSettings::default()).all;
    assert_eq!(search.positions, 1);
    assert_eq!(search.top[0].mean, 1.0);
    assert!(search.log_loss.mean < uniform.log_loss.mean, "{search:?}");
    assert!(search.log_loss.se.is_nan(), "one game tells nothing about others");
}

#[test]
fn refused_games_count_up_to_the_refusal() {
    let mut games = random_games(2, 10);
    let again =
        games[0].steps.iter().find(|step| matches!(step, RecordStep::Play(play) if !play.vertex.is_pass()));
    let Some(RecordStep::Play(first)) = again.cloned() else { panic!("only passes") };
    games[0].steps.insert(8, RecordStep::Play(PlayedMove { color: Color::Black, vertex: first.vertex }));
    let uniform = run(&games, "uniform", &PredictSettings::default());
    assert_eq!((uniform.refused, uniform.passes + uniform.all.positions), (1, 18));
}
