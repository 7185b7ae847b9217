//! Ko: taking it back or filling it while the fight is fresh.

use goban::tactics::{Candidates, Strength, is_bad_self_atari};
use goban::{Board, Keep, Point, SizeClass};

use super::View;

/// Moves after which a ko is forgotten.
const MAX_AGE: u32 = 3;

/// The ko that was taken last.
#[derive(Clone, Copy, Debug)]
pub struct Recall {
    point: Point,
    /// Moves since it was taken; many if none was.
    age: u32,
}

impl Default for Recall {
    fn default() -> Self {
        Self { point: Point::from_idx(0), age: MAX_AGE }
    }
}

impl Recall {
    /// The memory before the first move: the ko of `board`, if there is one.
    #[inline]
    pub fn new<C: SizeClass, K: Keep>(board: &Board<C, K>) -> Self {
        board.ko().map_or_else(Self::default, |point| Self { point, age: 0 })
    }

    /// A move was played on `board`.
    #[inline]
    pub fn played<C: SizeClass, K: Keep>(&mut self, board: &Board<C, K>) {
        match board.ko() {
            // A playout is far too short for this to start again from 0.
            None => self.age = self.age.wrapping_add(1),
            Some(point) => *self = Self { point, age: 0 },
        }
    }

    /// Proposes the point of a ko that was taken less than three moves ago: for one side it takes back, for the other
    /// it fills.
    #[inline(always)]
    pub fn fight<C: SizeClass, K: Keep>(&self, view: &View<'_, C, K>, out: &mut Candidates) {
        if (1..MAX_AGE).contains(&self.age)
            && view.board.is_legal(view.mover, self.point)
            && !is_bad_self_atari(view.board, view.mover, self.point, Strength::Strict)
        {
            out.push(self.point);
        }
    }
}
