//! The ladder reader against trying everything, on random positions.

mod random;

use goban::tactics;
use goban::{Board, Color, Move, Point, PointSet, Upto9};
use random::{chains, on_random_boards, played};

/// Whether `hunter`, to move, takes the chain at `stone` by nothing but ataris, the other side playing anything: by
/// trying everything. `None` if that goes deeper than `depth`.
fn slow_hunt(board: &Board<Upto9>, hunter: Color, stone: Point, depth: usize) -> Option<bool> {
    let liberties = board.liberties(stone);
    match liberties.len() {
        1 => Some(board.is_legal(hunter, liberties.first().unwrap())),
        2 => {
            for point in liberties.iter().filter(|&point| board.is_legal(hunter, point)) {
                if slow_is_lost(&played(board, hunter, point), !hunter, stone, depth)? {
                    return Some(true);
                }
            }
            Some(false)
        }
        _ => Some(false),
    }
}

/// Whether the chain at `stone`, in atari, is lost with its owner to move, whatever he plays.
fn slow_is_lost(board: &Board<Upto9>, owner: Color, stone: Point, depth: usize) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    for point in board.empty().iter().filter(|&point| board.is_legal(owner, point)) {
        if !slow_hunt(&played(board, owner, point), !owner, stone, depth)? {
            return Some(false);
        }
    }
    // Passing helps only if a ko keeps the hunters from taking.
    let mut passed = *board;
    passed.play(owner, Move::PASS);
    slow_hunt(&passed, !owner, stone, depth)
}

/// A chain that extends into a ladder is one that the reader takes after the move.
fn check_caught_after(board: &Board<Upto9>, owner: Color, stone: Point) {
    for point in board.liberties(stone).iter().filter(|&point| board.is_legal(owner, point)) {
        let is_caught = tactics::ladder::is_caught_after(board, owner, point, 100_000);
        if let Some(expected) = slow_hunt(&played(board, owner, point), !owner, point, 20) {
            assert_eq!(is_caught, expected, "{board:?}");
        }
    }
}

#[test]
fn ladders_are_read_as_by_trying_everything() {
    let (mut n_caught, mut n_escaped, mut n_deep, mut n_edge) = (0, 0, 0, [0, 0]);
    let mut check = |board: &Board<Upto9>| {
        for owner in Color::BOTH {
            for stone in chains(board, owner).into_iter().filter(|&stone| board.liberties(stone).len() <= 2) {
                let Some(expected) = slow_hunt(board, !owner, stone, 20) else {
                    n_deep += 1;
                    continue;
                };
                let found = tactics::ladder::capturing_move(board, stone, 100_000);
                check_caught_after(board, owner, stone);
                assert_eq!(
                    found.is_some(),
                    expected,
                    "{owner} {} {board:?}",
                    board.size().show(board.vertex(stone.into()))
                );
                if let Some(point) = found.filter(|_| board.liberties(stone).len() == 2) {
                    let is_lost = slow_is_lost(&played(board, !owner, point), owner, stone, 20);
                    assert!(is_lost.unwrap_or(true), "{board:?}");
                }
                if board.liberties(stone).len() == 1 {
                    let is_lost = slow_is_lost(board, owner, stone, 20).unwrap_or(false);
                    let escape = tactics::ladder::escaping_move(board, stone, 100_000);
                    assert_eq!(escape.is_none(), is_lost, "{board:?}");
                    if tactics::ladder::is_edge_ladder(board, stone) {
                        n_edge[usize::from(is_lost)] += 1;
                    }
                }
                *(if expected { &mut n_caught } else { &mut n_escaped }) += 1;
            }
        }
    };
    on_random_boards::<Upto9>(150, 3, &mut check);
    assert!(n_caught > 1000 && n_escaped > 1000 && n_deep < 100, "{n_caught} {n_escaped} {n_deep}");
    // The test without reading may be wrong, but rarely.
    assert!(n_edge[1] > 50 && n_edge[0] * 20 < n_edge[1], "{n_edge:?} edge ladders refuted and confirmed");
}
