//! Dead stones in games of people, who stop with dead stones on the board: the count must be the one they agreed on.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use goban::{Color, Position, Rules, Size, Vertex};
use player::dead;

const N_GAMES: usize = 400;

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

#[test]
fn people_agree_with_our_count() {
    let Some(data) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set");
        return;
    };
    let path = PathBuf::from(data).join("games/9x9.txt.gz");
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(path).unwrap())).lines();
    let games = lines.map_while(Result::ok).filter_map(|line| game(&line)).take(N_GAMES);
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
