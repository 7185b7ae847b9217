//! Ko: taking it back or filling it while the fight is fresh.

use goban::tactics::{Candidates, Strength, is_bad_self_atari};
use goban::{Board, Keep, Point, SizeClass};

use super::View;

/// Moves after which a ko is forgotten.
const MAX_AGE: u8 = 3;

/// The ko that was taken last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recall {
    point: Option<Point>,
    /// Moves since it was taken.
    age: u8,
}

impl Recall {
    /// What is known when nothing has been seen.
    #[inline]
    pub fn new<C: SizeClass, K: Keep>(board: &Board<C, K>) -> Self {
        Self { point: board.ko(), age: 0 }
    }

    /// A move was played on `board`.
    #[inline]
    pub fn played<C: SizeClass, K: Keep>(&mut self, board: &Board<C, K>) {
        match board.ko() {
            None => self.age = self.age.saturating_add(1),
            point => *self = Self { point, age: 0 },
        }
    }

    /// Proposes the point of a ko that was taken less than three moves ago: for one side it takes back, for the other
    /// it fills.
    #[inline(always)]
    pub fn fight<C: SizeClass, K: Keep>(&self, view: &View<'_, C, K>, out: &mut Candidates) {
        if (1..MAX_AGE).contains(&self.age)
            && let Some(point) = self.point
            && view.board.is_legal(view.mover, point)
            && !is_bad_self_atari(view.board, view.mover, point, Strength::Strict)
        {
            out.push(point);
        }
    }
}
