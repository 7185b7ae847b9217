//! Times the ladder reader on ladders across the whole board: `cargo run --release -p tengen-goban --example ladder`.

use std::hint::black_box;
use std::time::Instant;

use goban::tactics::ladder::{MAX_NODES, capturing_move};
use goban::{AnyBoard, Color, Size, with_board};

/// Reads in a batch.
const N_READS: u32 = 50;

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
        let (mut best, mut found) = (f64::INFINITY, None);
        with_board!(&board, |board| {
            let stone = board.point(prey);
            // The fastest of many short batches: others may be using the machine.
            for _ in 0..300 {
                let begin = Instant::now();
                for _ in 0..N_READS {
                    found = capturing_move(black_box(board), black_box(stone), MAX_NODES);
                }
                best = best.min(begin.elapsed().as_secs_f64() * 1e6 / f64::from(N_READS));
            }
            println!(
                "{size}: {} in {best:.2} µs",
                found.map_or("escaped".to_string(), |point| size.show(board.vertex(point.into())))
            );
        });
    }
    Ok(())
}
