//! Replays game lists from standard input and prints how fast, under the rules given as argument:
//! `zcat 9x9.txt.gz | cargo run --release -p tengen-goban --example replay -- tromp-taylor`

use std::io::Read;
use std::time::Instant;

use goban::{Color, Position, Rules, Size, Vertex};

/// Reads pairs of SGF letters; `tt` is a pass.
fn vertices(letters: &str) -> impl Iterator<Item = Vertex> + '_ {
    letters.as_bytes().chunks_exact(2).map(|pair| {
        let [col, row] = [pair[0], pair[1]].map(|letter| usize::from(letter.wrapping_sub(b'a')));
        if pair == b"tt" { Vertex::PASS } else { Vertex::new(col, row) }
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules: Rules = std::env::args().nth(1).as_deref().unwrap_or("tromp-taylor").parse()?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut position = Position::new(Size::square(9)?, rules);
    let (mut n_games, mut n_plies, mut n_refused) = (0, 0, 0);
    let start = Instant::now();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [side, _, _, _, _, _, setup, moves] = fields[..] else { continue };
        position.reset(Size::square(side.parse()?)?, rules);
        if setup != "-" {
            let stones: Vec<_> = vertices(setup).map(|vertex| (vertex, Some(Color::Black))).collect();
            position.setup(&stones, Color::White)?;
        }
        n_games += 1;
        for vertex in vertices(moves) {
            if let Err(illegal) = position.play(position.to_play(), vertex) {
                n_refused += 1;
                println!("game {n_games} move {}: {illegal}", position.plays().len() + 1);
                break;
            }
        }
        n_plies += position.plays().len();
    }
    let elapsed = start.elapsed();
    let rate = n_plies as f64 / elapsed.as_secs_f64();
    println!("{n_games} games, {n_plies} plies, {n_refused} refused, {rate:.0} plies per second ({rules})");
    Ok(())
}
