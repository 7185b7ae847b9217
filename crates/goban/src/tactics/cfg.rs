//! Distance in the common-fate graph: a chain is one place, and a step leads from a place to a neighbouring one.
//!
//! Stones of a chain share their fate, so a move at one end of it is near to what happens at the other end. [Graepel 2001]

use crate::board::{Board, Keep};
use crate::class::{SizeClass, Table};
use crate::point::Point;
use crate::set::PointSet;

/// Distances from one point, or the chain that stands there, to all others.
#[derive(Clone, Copy)]
pub struct Distances<C: SizeClass> {
    table: C::Table<u8>,
}

impl<C: SizeClass> Distances<C> {
    /// Farther than the limit, or off the board.
    pub const FAR: u8 = u8::MAX;

    /// Distances from nowhere: all far.
    pub fn new() -> Self {
        Self { table: C::Table::filled(Self::FAR) }
    }

    /// The distance of `point` in steps; [`Distances::FAR`] beyond the limit.
    #[inline(always)]
    pub fn at(&self, point: Point) -> u8 {
        self.table[point.idx()]
    }

    /// Measures the distances from `start` up to `limit` steps.
    pub fn measure<K: Keep>(&mut self, board: &Board<C, K>, start: Point, limit: u8) {
        self.table = C::Table::filled(Self::FAR);
        let mut seen = C::Set::EMPTY;
        let mut ring = C::Set::EMPTY;
        reach(board, start, &mut seen, &mut ring);
        for distance in 0..=limit {
            let mut next = C::Set::EMPTY;
            for point in ring.iter() {
                self.table[point.idx()] = distance;
                if distance < limit {
                    board.neighbours(point).for_each(|near| reach(board, near, &mut seen, &mut next));
                }
            }
            if next.is_empty() {
                break;
            }
            ring = next;
        }
    }
}

impl<C: SizeClass> Default for Distances<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Adds a point not seen before, with all stones of its chain, to the ring.
#[inline]
fn reach<C: SizeClass, K: Keep>(board: &Board<C, K>, point: Point, seen: &mut C::Set, ring: &mut C::Set) {
    if seen.contains(point) {
        return;
    }
    let mut add = |point| {
        seen.insert(point);
        ring.insert(point);
    };
    if board.empty().contains(point) {
        add(point);
    } else {
        board.chain(point).for_each(add);
    }
}
