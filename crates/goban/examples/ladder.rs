//! Times the ladder reader on ladders across the whole board: `cargo run --release -p goban --example ladder`.

use std::hint::black_box;
use std::time::Instant;

use goban::tactics::ladder::{MAX_NODES, capturing_move};
use goban::{AnyBoard, Color, Size, with_board};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for side in [9, 13, 19, 25] {
        let size = Size::square(side)?;
        let mut board = AnyBoard::new(size);
        for (color, name) in
            [(Color::White, "C4"), (Color::Black, "B4"), (Color::Black, "C3"), (Color::Black, "D3")]
        {
            board.play(color, size.parse_vertex(name)?);
        }
        let prey = size.parse_vertex("C4")?;
        let n_reads = 20_000;
        let begin = Instant::now();
        let found = with_board!(&board, |board| {
            let stone = board.point(prey);
            let mut found = None;
            for _ in 0..n_reads {
                found = capturing_move(black_box(board), black_box(stone), MAX_NODES);
            }
            found.map(|point| size.show(board.vertex(point.into())))
        });
        let micros = begin.elapsed().as_secs_f64() * 1e6 / f64::from(n_reads);
        println!("{size}: {found:?} in {micros:.2} µs");
    }
    Ok(())
}
