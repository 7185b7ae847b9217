//! Dead stones in games of people, who stop with dead stones on the board: the count must be the one they agreed on.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use goban::{Color, Position, Rules, Size, Vertex};
use player::{Budget, Decision, Player, dead, recipes};

const N_GAMES: usize = 400;
const N_CLEANED: usize = 40;

/// The final position and Black's margin of a line of the list, if it is a counted GoQuest game.
fn game(line: &str) -> Option<(Position, f32)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [size, komi, _, result, _, source, _, moves] = fields[..] else { return None };
    if source != "goquest" || !moves.ends_with("tttt") {
        return None;
    }
    let margin: f32 = result.get(2..)?.parse().ok()?;
    let mut position = Position::new(Size::square(size.parse().ok()?).ok()?, Rules::CHINESE);
    position.set_komi(komi.parse().ok()?).ok()?;
    for pair in moves.as_bytes().chunks(2) {
        let vertex = match pair {
            b"tt" => Vertex::PASS,
            _ => Vertex::new(usize::from(pair[0] - b'a'), usize::from(pair[1] - b'a')),
        };
        position.play(position.to_play(), vertex).ok()?;
    }
    Some((position, if result.starts_with(Color::Black.letter()) { margin } else { -margin }))
}

/// The counted GoQuest games on 9×9 of the data folder, if there is one.
fn games() -> Option<impl Iterator<Item = (Position, f32)>> {
    let Some(data) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set");
        return None;
    };
    let path = PathBuf::from(data).join("games/9x9.txt.gz");
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(path).unwrap())).lines();
    Some(lines.map_while(Result::ok).filter_map(|line| game(&line)))
}

/// Lets `color` capture what is dead, as after `kgs-genmove_cleanup`, while the opponent passes; returns the number of
/// its moves, the last of which is the pass, or nothing if it never passes.
fn clean_up(position: &mut Position, color: Color) -> Option<usize> {
    let mut player = recipes::player("default", &mcts::Settings::default()).unwrap();
    let budget = Budget { cleanup: true, ..Budget::playouts(100) };
    if position.to_play() != color {
        position.play(!color, Vertex::PASS).unwrap();
    }
    for n_moves in 1..=60 {
        let Ok(Decision::Play(vertex)) = player.choose(position, color, &budget) else { return None };
        position.play(color, vertex).unwrap();
        if vertex.is_pass() {
            return Some(n_moves);
        }
        position.play(!color, Vertex::PASS).unwrap();
    }
    None
}

/// Both players clean up, and the board as it stands has the count that people agreed on with the dead stones on it.
fn check_cleanup(position: &Position) -> Result<(), String> {
    let before = dead::judged_score(position).margin();
    let mut position = position.clone();
    for color in Color::BOTH {
        clean_up(&mut position, color).ok_or_else(|| format!("{color} never passes"))?;
        let board = position.board();
        if dead::dead_stones(&position).iter().any(|&vertex| board.stone(vertex) == Some(!color)) {
            return Err(format!("{color} passes before all is captured"));
        }
    }
    let after = position.score().margin();
    if after == before { Ok(()) } else { Err(format!("counted {before} before, {after} afterwards")) }
}

#[test]
fn what_is_dead_is_captured_when_asked_for() {
    let Some(games) = games() else { return };
    let has_dead = |position: &Position| !dead::dead_stones(position).is_empty();
    let settled = games
        .filter(|(position, margin)| has_dead(position) && dead::judged_score(position).margin() == *margin);
    let failures: Vec<String> =
        settled.take(N_CLEANED).filter_map(|(position, _)| check_cleanup(&position).err()).collect();
    println!("{} of {N_CLEANED} games: {failures:?}", failures.len());
    assert!(failures.len() * 20 <= N_CLEANED, "{} of {N_CLEANED}: {failures:#?}", failures.len());
}

#[test]
fn people_agree_with_our_count() {
    let Some(games) = games() else { return };
    let games = games.take(N_GAMES);
    let (mut n, mut n_exact, mut n_winner) = (0, 0, 0);
    for (position, margin) in games {
        let judged = dead::judged_score(&position).margin();
        n += 1;
        n_exact += usize::from(judged == margin);
        n_winner += usize::from((judged > 0.0) == (margin > 0.0));
    }
    println!("{n} games, {n_exact} counted exactly, {n_winner} with the right winner");
    assert_eq!(n, N_GAMES);
    assert!(
        n_exact * 100 >= n * 89 && n_winner * 100 >= n * 95,
        "{n_exact} exact, {n_winner} winners of {n}"
    );
}
