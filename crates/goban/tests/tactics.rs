//! Tactics against brute force on random positions: what a question says must be what playing it out shows.

use goban::tactics::{self, Candidates};
use goban::{Board, Color, Full, Move, Point, PointSet, Rng, Size, SizeClass, Upto9, Upto13, Upto19};

/// Calls `check` on positions from random games: every few moves of games on boards of class `C`, sides from 3 on.
fn on_random_boards<C: SizeClass>(n_games: u64, every: usize, mut check: impl FnMut(&Board<C>)) {
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
fn played<C: SizeClass>(board: &Board<C>, color: Color, point: Point) -> Board<C> {
    let mut copy = *board;
    copy.play(color, Move::at(point));
    copy
}

/// All heads of chains of a colour.
fn chains<C: SizeClass>(board: &Board<C>, color: Color) -> Vec<Point> {
    board.stones(color).iter().filter(|&stone| board.head(stone) == stone).collect()
}

fn check_after<C: SizeClass>(board: &Board<C>) {
    for color in Color::BOTH {
        for point in board.empty().iter() {
            let found = tactics::after(board, color, point);
            let n_taken =
                (board.n_on_board(!color) - played(board, color, point).n_on_board(!color), found.n_captured);
            assert_eq!(n_taken.0, n_taken.1, "{board:?}");
            assert_eq!(found.n_captured, tactics::after::n_captured_by(board, color, point));
            if board.is_suicide_for(color, point) {
                assert!(found.liberties.is_empty());
                continue;
            }
            let copy = played(board, color, point);
            assert_eq!(found.liberties, copy.liberties(point), "{board:?}");
            assert_eq!(found.n_stones, copy.chain_len(point));
            let n_liberties = copy.liberties(point).len();
            for limit in 1..5 {
                let n = tactics::n_liberties_after(board, color, point, limit);
                assert_eq!(n.min(limit), n_liberties.min(limit), "{board:?}");
                assert!(n <= n_liberties);
            }
        }
    }
}

#[test]
fn a_move_is_foreseen_as_it_is_played() {
    on_random_boards::<Upto9>(60, 3, check_after);
    on_random_boards::<Upto13>(6, 9, check_after);
    on_random_boards::<Upto19>(3, 25, check_after);
}

/// The legal points that take something, by trying all.
fn all_captures<C: SizeClass>(board: &Board<C>, color: Color) -> Vec<Point> {
    let takes = |point: &Point| played(board, color, *point).n_on_board(!color) < board.n_on_board(!color);
    board.empty().iter().filter(|&point| board.is_legal(color, point)).filter(takes).collect()
}

fn sorted(out: &Candidates) -> Vec<Point> {
    let mut points = out.as_slice().to_vec();
    points.sort();
    points
}

#[test]
fn captures_are_all_the_captures() {
    on_random_boards::<Upto9>(60, 2, |board| {
        for color in Color::BOTH {
            let mut out = Candidates::new();
            tactics::atari::captures(board, color, &mut out);
            assert_eq!(sorted(&out), all_captures(board, color), "{board:?}");
        }
    });
}

fn check_saves(board: &Board<Upto9, Full>, color: Color, stone: Point) {
    let mut counter = Candidates::new();
    tactics::atari::counter_captures(board, stone, &mut counter);
    // A capture is a counter-capture if it gives the chain a liberty where a stone stood.
    let frees = |&point: &Point| {
        let copy = played(board, color, point);
        let taken = board.stones(!color).difference(&copy.stones(!color));
        let touches = |own| taken.iter().any(|stone| board.neighbours(own).any(|near| near == stone));
        board.chain(stone).any(touches)
    };
    let expected: Vec<Point> = all_captures(board, color).into_iter().filter(frees).collect();
    assert_eq!(sorted(&counter), expected, "{board:?}");
    assert_eq!(tactics::atari::has_counter_capture(board, stone), !expected.is_empty());

    let mut saves = Candidates::new();
    tactics::atari::saves(board, stone, &mut saves);
    let liberty = board.liberties(stone).first().unwrap();
    let extends =
        board.is_legal(color, liberty) && played(board, color, liberty).liberties(liberty).len() >= 2;
    assert_eq!(saves.contains(liberty), extends || expected.contains(&liberty), "{board:?}");
}

#[test]
fn saves_are_what_frees_a_chain() {
    on_random_boards::<Upto9>(60, 2, |board| {
        for color in Color::BOTH {
            for stone in chains(board, color).into_iter().filter(|&stone| board.liberties(stone).len() == 1) {
                check_saves(board, color, stone);
            }
        }
    });
}

#[test]
fn a_snapback_loses_the_taker() {
    let mut n_seen = 0;
    on_random_boards::<Upto9>(200, 2, |board| {
        for color in Color::BOTH {
            for point in board.empty().iter().filter(|&point| board.is_legal(color, point)) {
                let copy = played(board, color, point);
                let n_taken = board.n_on_board(!color) - copy.n_on_board(!color);
                let retaken = tactics::atari::taking_point(&copy, point);
                let is_snapback = n_taken == 1 && copy.chain_len(point) > 1 && retaken.is_some();
                assert_eq!(tactics::atari::is_snapped_back(board, color, point), is_snapback, "{board:?}");
                n_seen += usize::from(is_snapback);
            }
        }
    });
    assert!(n_seen > 10, "only {n_seen} snapbacks");
}
