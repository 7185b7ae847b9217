//! Random games replayed by real GNU Go: the same legal moves, captures and stones at every ply, the same score at the
//! end.
//!
//! A hundred games on each board; `TENGEN_GNUGO_GAMES=5` asks for fewer, since the large board takes most of a minute.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use goban::{Color, EyeRule, Position, Rng, Rules, Size, Vertex};
use gtp::Client;

const PATIENCE: Duration = Duration::from_secs(120);
const KOMI: f32 = 6.5;

#[test]
fn on_9x9() {
    compare(9, 100);
}

#[test]
fn on_19x19() {
    compare(19, 60);
}

/// Plays `n_games` games, or as many as the environment wants.
fn compare(side: usize, n_games: u64) {
    let Some(gnugo) = find_gnugo() else {
        println!("skipped: no gnugo on the PATH (Debian: apt-get install gnugo)");
        return;
    };
    let n_games = std::env::var("TENGEN_GNUGO_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(n_games);
    // The lowest level is as good at rules as the highest, and quick to see that a board is settled.
    let command = format!("{} --mode gtp --chinese-rules --level 1", gnugo.display());
    let mut gnugo = Client::start(&command).unwrap();
    let start = Instant::now();
    let (mut n_plies, mut scoring) = (0, Duration::ZERO);
    for seed in 0..n_games {
        let game = replay(&mut gnugo, side, seed);
        n_plies += game.plays().len();
        let before = Instant::now();
        compare_score(&mut gnugo, &game, seed);
        scoring += before.elapsed();
    }
    let total = start.elapsed();
    println!(
        "{side}x{side}: {n_games} games, {n_plies} plies agree; {total:.1?}, of which scoring {scoring:.1?}"
    );
}

/// Plays a random game and compares every position; returns the last one.
fn replay(gnugo: &mut Client, side: usize, seed: u64) -> Position {
    let mut rng = Rng::new(seed);
    let mut position = Position::new(Size::square(side).unwrap(), Rules::CHINESE);
    position.set_komi(KOMI).unwrap();
    let mut expected = vec![Expected::Nothing; 3];
    for command in [format!("boardsize {side}"), "clear_board".to_string(), format!("komi {KOMI}")] {
        gnugo.send(&command).unwrap();
    }
    // A cycle of several kos would last for ever under simple ko.
    while !position.is_over() && position.plays().len() < 4 * position.size().area() {
        let color = position.to_play();
        let vertex = random_move(&position, &mut rng);
        position.play(color, vertex).unwrap();
        gnugo.send(&format!("play {color} {}", position.size().show(vertex))).unwrap();
        expected.push(Expected::Nothing);
        ask_all(gnugo, &position, &mut expected);
    }
    // The whole game is under way before the first answer is read, so that nobody waits for the other.
    let size = position.size();
    for (n, expected) in expected.into_iter().enumerate() {
        let answer = gnugo.receive(PATIENCE).unwrap();
        let place = || format!("seed {seed}, command {n}, about move {}", n / 7);
        match expected {
            Expected::Nothing => assert_eq!(answer, "", "{}", place()),
            Expected::Number(number) => assert_eq!(answer, number.to_string(), "captures: {}", place()),
            Expected::Points(points) => assert_eq!(to_points(size, &answer), points, "points: {}", place()),
        }
    }
    position
}

/// What GNU Go must answer.
#[derive(Clone)]
enum Expected {
    Nothing,
    Number(u32),
    Points(BTreeSet<Vertex>),
}

/// Asks for legal moves, captures and stones of both colours, and notes what we think.
fn ask_all(gnugo: &mut Client, position: &Position, expected: &mut Vec<Expected>) {
    for color in Color::BOTH {
        for question in ["all_legal", "captures", "list_stones"] {
            gnugo.send(&format!("{question} {color}")).unwrap();
        }
        expected.push(Expected::Points(position.legal_moves(color).into_iter().collect()));
        expected.push(Expected::Number(position.n_captured(!color)));
        expected.push(Expected::Points(position.board().stones(color).into_iter().collect()));
    }
}

fn to_points(size: Size, answer: &str) -> BTreeSet<Vertex> {
    answer.split_whitespace().map(|word| size.parse_vertex(word).unwrap()).collect()
}

/// Any legal move that fills no eye; a pass when there is none.
fn random_move(position: &Position, rng: &mut Rng) -> Vertex {
    let color = position.to_play();
    let mut moves = position.legal_moves(color);
    moves.retain(|&vertex| !position.board().is_eye(vertex, color, EyeRule::Standard));
    if moves.is_empty() { Vertex::PASS } else { moves[rng.below(moves.len() as u32) as usize] }
}

/// A board played out to the last eye has no dead stones, so both must count the same.
fn compare_score(gnugo: &mut Client, position: &Position, seed: u64) {
    assert!(position.is_over(), "seed {seed}: no end after {} moves", position.plays().len());
    let theirs = gnugo.ask("final_score", PATIENCE).unwrap();
    let sign = if theirs.starts_with('B') { 1.0 } else { -1.0 };
    let margin = theirs.get(2..).and_then(|points| points.parse::<f32>().ok()).map(|points| sign * points);
    assert_eq!(
        margin,
        Some(position.score().margin()),
        "seed {seed}: GNU Go says {theirs}\n{}",
        position.to_setup()
    );
}

fn find_gnugo() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join("gnugo")).find(|program| program.is_file())
}
