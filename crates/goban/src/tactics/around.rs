//! Which enemy chains touch a chain.

use std::ops::ControlFlow;

use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::point::Point;
use crate::set::PointSet;

/// Calls `visit` with the head of every enemy chain that touches the chain at `stone`, each once, until it breaks off;
/// returns what it broke off with.
#[inline]
pub fn find_enemy<C: SizeClass, K: Keep, B>(
    board: &Board<C, K>,
    stone: Point,
    mut visit: impl FnMut(Point) -> ControlFlow<B>,
) -> Option<B> {
    let enemy = !board.stone(stone)?;
    let mut seen = C::Set::EMPTY;
    for own in board.chain(stone) {
        let mut rest = board.code(own).neighbours_of(enemy);
        while rest != 0 {
            let head = board.head(own.towards::<C>(rest.trailing_zeros() as usize / 2));
            rest &= rest - 1;
            if seen.contains(head) {
                continue;
            }
            seen.insert(head);
            if let ControlFlow::Break(found) = visit(head) {
                return Some(found);
            }
        }
    }
    None
}

/// Calls `visit` with the head of every enemy chain that touches the chain at `stone`, each once.
#[inline]
pub fn each_enemy<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, mut visit: impl FnMut(Point)) {
    find_enemy(board, stone, |head| {
        visit(head);
        ControlFlow::<()>::Continue(())
    });
}
