//! Counts what one uniform playout costs; run it under callgrind with two numbers of playouts.
use goban::*;
use playout::*;
fn run<C: SizeClass>(side: usize, n: usize) {
    let size = Size::square(side).unwrap();
    let board = Board::<C, Full>::new(size);
    let mut playout = Playout::<C, _>::new(size, Uniform::default());
    let mut rng = Rng::new(1);
    let mut moves = Vec::new();
    let (mut n_moves, mut wins) = (0usize, 0usize);
    let start = std::time::Instant::now();
    for _ in 0..n {
        moves.clear();
        let ending = playout.run(&board, Color::Black, &mut rng, &mut moves);
        n_moves += usize::from(ending.n_moves);
        wins += usize::from(ending.margin() as f32 > 7.5);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{side} {n} moves {:.2} black {:.4} us {:.2} bytes {}",
        n_moves as f64 / n as f64,
        wins as f64 / n as f64,
        seconds / n as f64 * 1e6,
        size_of::<Board<C, Lean>>()
    );
}
fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    match args[0] {
        9 => run::<Upto9>(9, args[1]),
        13 => run::<Upto13>(13, args[1]),
        _ => run::<Upto19>(19, args[1]),
    }
}
