//! Fills γ for a few fixed positions again and again, for counting instructions:
//! `gamma_cost SIDE STAGE REPEATS` with STAGE one of `none`, `cheap`, `patterns`, `third`, `whole`. The difference of two
//! numbers of repeats leaves out all that happens once.

#[path = "../tests/positions/mod.rs"]
mod positions;

use std::env;
use std::hint::black_box;

use goban::{Move, Size, SizeClass, Upto9, Upto13, Upto19};
use model::Wanted;
use model::tactics::Tactics;
use positions::Played;

fn fill<C: SizeClass>(position: &Played<C>, moves: &[Move], stage: &str, out: &mut [f32]) {
    let (model, view) = (Tactics::of(position.board.size()), position.view());
    match stage {
        "cheap" => model.fill_cheap(&view, Wanted::default(), moves, out, |_, _| {}),
        "third" => {
            out.iter_mut().zip(1..).for_each(|(gamma, n)| *gamma = (n * 37 % 101) as f32);
            model.multiply_patterns_of_likeliest(&view, moves, moves.len().div_ceil(3), out);
        }
        "patterns" => model.multiply_patterns(&view, moves, out),
        "whole" => model.fill_gammas(&view, Wanted::default(), moves, out, |_, _| {}),
        _ => {}
    }
}

fn run<C: SizeClass>(side: usize, stage: &str, n_repeats: usize) -> f32 {
    // An eighth, a third and a half of the board's points.
    let size = Size::square(side).unwrap();
    let game = positions::game::<C>(size, side * side / 2, 1);
    let chosen = [side * side / 8, side * side / 3, side * side / 2].map(|number| &game[number]);
    let mut sum = 0.0;
    for position in chosen {
        let mut moves = Vec::new();
        position.view().moves(&mut moves);
        let mut gammas = vec![1.0; moves.len()];
        for _ in 0..n_repeats {
            fill(black_box(position), black_box(&moves), stage, black_box(&mut gammas));
            sum += gammas[0];
        }
    }
    sum
}

fn main() {
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let number = |idx: usize| args.get(idx).and_then(|text: &String| text.parse().ok());
    let (Some(side), Some(stage), Some(n_repeats)) = (number(0), args.get(1), number(2)) else {
        eprintln!("expected SIDE STAGE REPEATS, such as 9 whole 100");
        return;
    };
    let sum = match side {
        1..=9 => run::<Upto9>(side, stage, n_repeats),
        10..=13 => run::<Upto13>(side, stage, n_repeats),
        _ => run::<Upto19>(side.min(19), stage, n_repeats),
    };
    println!("{sum}");
}
