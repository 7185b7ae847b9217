//! Every named recipe thinks as it did: a checksum of the visits, values and chosen moves of short searches, for each
//! recipe on three positions of two board sizes, in `tests/fingerprints.txt`. A commit that changes a line says why.
//!
//! `cargo test -p tengen-player --test it fingerprints -- --ignored` writes the file anew.
//!
//! Lines that changed on purpose since the file was first written:
//!
//! - `goyui-*` and `mogo-*` after their first move: `tree=fresh`, as their authors build a new tree for every move;
//! - `mogo-rave-prior`: `prior=handcrafted` prefers what the policy `mogo` would play, and calls no move bad;
//! - `bouzy-temperature`: the playouts learn from points, which that search maximises;
//! - `connect-four`: careful playouts and an exploration constant of 0.6, with which it finds the winning first move.

use goban::{AnyBoard, Color, EyeRule, Rng, Size, Vertex};
use mcts::go_search::{self, Situation};
use mcts::{Limits, LoadedNet, Settings};
use player::recipes::{self, SHELF};
use recipe::Choice;
use std::fmt::Write as _;
use std::sync::Arc;

/// Board side, simulations before each of the two moves that are searched.
const BOARDS: [(usize, u64); 2] = [(9, 250), (13, 150)];
/// Random moves before the search.
const N_MOVES: [usize; 3] = [0, 15, 40];
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fingerprints.txt");

/// A board after some random moves that fill no eye, and the last five of them.
fn position(side: usize, n_moves: usize) -> (AnyBoard, Color, [Option<Vertex>; 5]) {
    let size = Size::square(side).unwrap();
    let mut board = AnyBoard::new(size);
    let mut rng = Rng::new(side as u64);
    let (mut to_play, mut recent) = (Color::Black, [None; 5]);
    let mut n_played = 0;
    while n_played < n_moves {
        let vertex = Vertex::new(rng.below(side as u32) as usize, rng.below(side as u32) as usize);
        if board.is_legal(to_play, vertex) && !board.is_eye(vertex, to_play, EyeRule::Standard) {
            board.play(to_play, vertex);
            recent = [Some(vertex), recent[0], recent[1], recent[2], recent[3]];
            to_play = !to_play;
            n_played += 1;
        }
    }
    (board, to_play, recent)
}

/// FNV-1a over words.
fn add(sum: &mut u64, word: u64) {
    for byte in word.to_le_bytes() {
        *sum = (*sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

/// What a recipe thinks before two moves in a row.
fn fingerprint(name: &str, side: usize, n_moves: usize, simulations: u64) -> u64 {
    let recipe = recipes::parse(name).unwrap();
    let (board, to_play, recent) = position(side, n_moves);
    let situation = Situation { board: &board, to_play, komi: 7.5, n_passes: 0, recent, before: None };
    // A recipe that asks a loaded network asks one that answers by the position's hash.
    let fake = model::net::build(&Choice::new(&model::net::fake::VARIANT)).unwrap();
    let settings = Settings { seed: 7, net: Some(LoadedNet(Arc::from(fake))), ..Settings::default() };
    let mut search = go_search::build(&recipe, &situation, &settings).unwrap();
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for _ in 0..2 {
        let report = search.run(&Limits::simulations(simulations));
        for arm in &report.arms {
            let vertex = search.vertex(arm.action);
            add(
                &mut sum,
                if vertex.is_pass() { u64::MAX } else { (vertex.row() << 8 | vertex.col()) as u64 },
            );
            add(&mut sum, arm.visits.into());
            add(&mut sum, arm.value.to_bits().into());
        }
        add(&mut sum, report.nodes as u64);
        let Some(chosen) = search.pick(&report) else { break };
        search.advance(chosen);
    }
    sum
}

fn all() -> String {
    let mut text = String::new();
    for (name, _) in SHELF.recipes {
        for (side, simulations) in BOARDS {
            for n_moves in N_MOVES {
                let sum = fingerprint(name, side, n_moves, simulations);
                writeln!(text, "{name} {side}x{side} after {n_moves} moves: {sum:016x}").unwrap();
            }
        }
    }
    text
}

#[test]
fn every_recipe_thinks_as_it_did() {
    let (now, before) = (all(), std::fs::read_to_string(FILE).unwrap());
    let changed: Vec<&str> = now.lines().filter(|line| !before.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty() && now.lines().count() == before.lines().count(), "{}", changed.join("\n"));
}

#[test]
#[ignore = "writes the file that the other test reads"]
fn write_the_file_anew() {
    std::fs::write(FILE, all()).unwrap();
}
