//! Distance in the common-fate graph: a chain is one place, and a step leads from a place to a neighbouring one.
//!
//! Stones of a chain share their fate, so a move at one end of it is near to what happens at the other end. [Graepel 2001]

use crate::board::{Board, Keep};
use crate::class::{PointMap, SizeClass};
use crate::point::Point;
use crate::set::PointSet;

/// Distances from one point, or the chain that stands there, to all others.
#[derive(Clone, Copy)]
pub struct Distances<C: SizeClass> {
    table: C::PointMap<u8>,
}

impl<C: SizeClass> Distances<C> {
    /// Farther than the limit, or off the board.
    pub const FAR: u8 = u8::MAX;

    /// Distances from nowhere: all far.
    pub fn new() -> Self {
        Self { table: C::PointMap::filled(Self::FAR) }
    }

    /// The distance of `point` in steps; [`Distances::FAR`] beyond the limit.
    #[inline(always)]
    pub fn at(&self, point: Point) -> u8 {
        self.table[point.idx()]
    }

    /// Measures the distances from `start` up to `limit` steps.
    pub fn measure<K: Keep>(&mut self, board: &Board<C, K>, start: Point, limit: u8) {
        self.table = C::PointMap::filled(Self::FAR);
        let on_board = C::on_board(board.size());
        let mut ring = C::Set::EMPTY;
        ring.insert(start);
        let mut seen = C::Set::EMPTY;
        for distance in 0..=limit {
            ring = with_chains(board, &ring);
            seen = seen.union(&ring);
            ring.iter().for_each(|point| self.table[point.idx()] = distance);
            ring = C::dilate(&ring).intersection(&on_board).difference(&seen);
            if ring.is_empty() {
                break;
            }
        }
    }
}

impl<C: SizeClass> Default for Distances<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// The points together with all stones of their chains.
#[inline]
fn with_chains<C: SizeClass, K: Keep>(board: &Board<C, K>, points: &C::Set) -> C::Set {
    let mut all = *points;
    let mut stones = points.difference(board.empty());
    while let Some(stone) = stones.first() {
        for stone in board.chain(stone) {
            all.insert(stone);
            stones.remove(stone);
        }
    }
    all
}
