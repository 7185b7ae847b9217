//! Positions from random games, and what brute force needs.

use goban::{Board, Color, Move, Point, PointSet, Rng, Size, SizeClass};

/// Calls `check` on positions from random games: every few moves of games on boards of class `C`, sides from 3 on.
pub(crate) fn on_random_boards<C: SizeClass>(n_games: u64, every: usize, mut check: impl FnMut(&Board<C>)) {
    for seed in 0..n_games {
        let mut rng = Rng::new(seed);
        let mut side = |max: usize| 3 + rng.below(max as u32 - 2) as usize;
        let size = Size::new(side(C::SIDE), side(C::SIDE)).unwrap();
        let mut board = Board::<C>::new(size);
        let mut color = Color::Black;
        for n in 0..size.area() * 2 {
            let points: Vec<Point> =
                board.empties().filter(|&point| may_play(&board, color, point)).collect();
            if points.is_empty() {
                break;
            }
            board.play(color, Move::at(points[rng.below(points.len() as u32) as usize]));
            color = !color;
            if n % every == 0 {
                check(&board);
            }
        }
    }
}

fn may_play<C: SizeClass>(board: &Board<C>, color: Color, point: Point) -> bool {
    board.is_legal(color, point) && !board.is_eye(point, color, goban::EyeRule::Standard)
}

/// The board after a move.
pub(crate) fn played<C: SizeClass>(board: &Board<C>, color: Color, point: Point) -> Board<C> {
    let mut copy = *board;
    copy.play(color, Move::at(point));
    copy
}

/// All heads of chains of a colour.
pub(crate) fn chains<C: SizeClass>(board: &Board<C>, color: Color) -> Vec<Point> {
    board.stones(color).iter().filter(|&stone| board.head(stone) == stone).collect()
}
