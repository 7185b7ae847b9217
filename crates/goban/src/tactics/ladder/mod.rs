//! Ladders, read move by move: can a chain be taken by putting it into atari again and again?
//!
//! The hunters play at one of the two liberties of the chain, their *prey*; the prey's side takes hunters that touch it or
//! extends. The prey has escaped when it has three liberties, when no atari is legal, or when a ko keeps the hunters from
//! taking it; ko threats are not counted for anybody. It also counts as escaped when the positions that may be read are
//! used up. So a chain that is said to be caught is caught for certain: a chain in atari has no other moves. One that is
//! said to escape may still fall to a net, or to a ladder longer than was read.
//!
//! KataGo's networks are told of ladders by other rules, which forgive some kos and count very long ladders as caught: their planes have a reader of
//! their own in the crate `model`.
//!
//! `sketch` is the position that is read, `edge` a test without reading for playouts.

mod edge;
mod sketch;

pub use edge::is_edge_ladder;
pub use sketch::{Grown, all_beside, grow};

use std::ops::ControlFlow;

use super::{around, n_liberties_after, pair};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::{Move, Point};
use crate::set::PointSet;
use sketch::Sketch;

/// Positions with the prey to move that are read by default; a ladder across the whole board has about forty. When they
/// are used up the prey counts as escaped.
pub const MAX_NODES: usize = 500;

/// Moves of one variation that are read; no ladder is so long.
const MAX_DEPTH: usize = 400;

/// Whether a ladder takes a chain, depending on who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LadderStatus {
    /// It is caught even if its owner moves first.
    Captured,
    /// Whoever moves first has his way.
    Unsettled,
    /// It cannot be caught in a ladder.
    Escaped,
}

/// Reads both ways: hunters first, and owner first.
pub fn status<C: SizeClass, K: Keep>(board: &Board<C, K>, stone: Point, max_nodes: usize) -> LadderStatus {
    if capturing_move(board, stone, max_nodes).is_none() {
        LadderStatus::Escaped
    } else if escaping_move(board, stone, max_nodes).is_none() {
        LadderStatus::Captured
    } else {
        LadderStatus::Unsettled
    }
}

/// The hunters' first move of a ladder that takes the chain at `stone`: its last liberty, or one of two.
pub fn capturing_move<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    stone: Point,
    max_nodes: usize,
) -> Option<Point> {
    if board.liberties(stone).len() > 2 {
        return None;
    }
    LadderReader { n_left: max_nodes }.hunt(&Sketch::<C>::new(board, stone)?, 0)
}

/// A move of the owner of the chain at `stone`, which has at most two liberties, after which no ladder takes it; `None`
/// if it is caught. The moves tried are the liberties of the chain and captures of stones that touch it; if it is not yet
/// in atari, ataris on such stones too. A stone far away that breaks the ladder is not looked for.
pub fn escaping_move<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    stone: Point,
    max_nodes: usize,
) -> Option<Point> {
    let mut reader = LadderReader { n_left: max_nodes };
    let sketch = Sketch::<C>::new(board, stone)?;
    let escape = reader.flee(&mut { sketch }, 0);
    if escape.is_some() || board.liberties(stone).len() < 2 {
        return escape;
    }
    let owner = board.stone(stone)?;
    let mut try_at = |point: Point| {
        let mut next = sketch;
        board.is_legal(owner, point) && next.flee(point) && reader.hunt(&next, 1).is_none()
    };
    around::find_enemy(board, stone, |head| {
        let ataris = pair(&board.liberties(head)).into_iter().flatten();
        match ataris.into_iter().find(|&point| try_at(point)) {
            Some(point) => ControlFlow::Break(point),
            None => ControlFlow::Continue(()),
        }
    })
}

/// True if the chain that a legal stone of `color` at `point` makes is then taken in a ladder: a move into a ladder, or one
/// that shortens its own chain until it can be caught. It plays on a copy, so it is for trees rather than playouts.
pub fn is_caught_after<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    color: Color,
    point: Point,
    max_nodes: usize,
) -> bool {
    if n_liberties_after(board, color, point, 3) > 2 {
        return false;
    }
    let mut copy = *board;
    copy.play(color, Move::at(point));
    capturing_move(&copy, point, max_nodes).is_some()
}

struct LadderReader {
    /// Positions that may still be read.
    n_left: usize,
}

impl LadderReader {
    /// The hunters' move that leads to capture, if there is one.
    fn hunt<C: SizeClass>(&mut self, sketch: &Sketch<C>, depth: usize) -> Option<Point> {
        let liberties = sketch.liberties();
        if liberties.len() == 1 {
            return liberties.first().filter(|&point| !sketch.is_ko(point));
        }
        let [a, b] = pair(&liberties)?;
        // Where the prey has three open points at the other liberty it is out at once.
        let (n_at_a, n_at_b) = (sketch.n_open(a, b), sketch.n_open(b, a));
        let moves = if n_at_b <= n_at_a { [(a, n_at_b), (b, n_at_a)] } else { [(b, n_at_a), (a, n_at_b)] };
        for (point, _) in moves.into_iter().filter(|&(_, n_open)| n_open < 3) {
            let mut next = *sketch;
            if next.hunt(point) && self.flee(&mut next, depth + 1).is_none() {
                return Some(point);
            }
        }
        None
    }

    /// The move of the prey's side that leads out, if there is one.
    fn flee<C: SizeClass>(&mut self, sketch: &mut Sketch<C>, depth: usize) -> Option<Point> {
        let liberties = sketch.liberties();
        if self.n_left == 0 || depth > MAX_DEPTH {
            return liberties.first();
        }
        self.n_left -= 1;
        let captures = sketch.counter_captures();
        let moves = captures.iter().chain(liberties.difference(&captures).iter());
        for point in moves {
            let mut next = *sketch;
            if next.flee(point) && self.hunt(&next, depth + 1).is_none() {
                return Some(point);
            }
        }
        None
    }
}
