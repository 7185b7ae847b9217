//! Rules: each proposes moves for one reason, mostly around the last move. Playouts try them one after the other until
//! one proposes something; priors ask them all about one position. They draw nothing at random and change nothing.
//!
//! In reading order: this file (what a rule looks at, and lists with weights) · [`near`] the points around a point ·
//! [`atari`] chains of one liberty · [`fight`] chains of two to four · [`life`] eyes and nakade · [`ko`] · [`pattern`]
//! natural shapes · [`filter`] what is better not played.

pub mod atari;
pub mod fight;
pub mod filter;
pub mod ko;
pub mod life;
pub mod near;
pub mod pattern;

use goban::{AdjacentChains, Board, Color, Keep, Move, Point, Rng, SizeClass};

/// The position that a rule looks at: the board, the mover and the last moves.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, C: SizeClass, K: Keep> {
    /// The stones, with the ko.
    pub board: &'a Board<C, K>,
    /// For whom moves are proposed.
    pub mover: Color,
    /// Where the other one's last stone stands, if it was no pass and is still there.
    pub last: Option<Point>,
    /// Where the mover's own last stone stands, likewise.
    pub before: Option<Point>,
    /// Liberties of the chain of the last move; 0 if there is none.
    n_last: usize,
    /// One bit for each number of liberties that an own chain beside the last move has; bit 7 stands for all above.
    has_own: u8,
}

impl<'a, C: SizeClass, K: Keep> View<'a, C, K> {
    /// The view of `mover` after the moves `recent`, the latest first; a pass also stands for an unknown move.
    #[inline(always)]
    pub fn new(board: &'a Board<C, K>, mover: Color, recent: [Move; 2]) -> Self {
        // A stone that was taken back at once, or a suicide, is no place to look around.
        let standing = |mv: Move, color: Color| mv.point().filter(|&point| board.is_stone(point, color));
        let before = standing(recent[1], mover);
        let Some(last) = standing(recent[0], !mover) else {
            return Self { before, ..Self::anywhere(board, mover) };
        };
        let (n_last, has_own) = (board.n_liberties(last), board.liberties_beside(last, mover));
        Self { board, mover, last: Some(last), before, n_last, has_own }
    }

    /// The view of `mover` on a position of which nobody knows how it came about.
    #[inline(always)]
    pub fn anywhere(board: &'a Board<C, K>, mover: Color) -> Self {
        Self { board, mover, last: None, before: None, n_last: 0, has_own: 0 }
    }

    /// True if the last stone stands beside own ones or its chain has at most two liberties.
    #[inline(always)]
    pub fn is_contact(&self) -> bool {
        self.has_own != 0 || self.n_last <= 2
    }

    /// The last stone if its chain has exactly `n` liberties.
    #[inline(always)]
    pub fn last_with(&self, n: usize) -> Option<Point> {
        if self.n_last == n { self.last } else { None }
    }

    /// True if an own chain beside the last move has from `low` to `high` liberties, at most 6.
    #[inline(always)]
    pub fn has_own(&self, low: u32, high: u32) -> bool {
        self.has_own & ((1 << (high + 1)) - (1 << low)) != 0
    }

    /// The own chains beside the last move that have from `low` to `high` liberties, at most 6, by their heads.
    #[inline(always)]
    pub fn own(&self, low: u32, high: u32) -> AdjacentChains {
        match self.last {
            Some(last) if self.has_own(low, high) => {
                self.board.chains_beside_with(last, self.mover, low as usize, high as usize)
            }
            _ => AdjacentChains::NONE,
        }
    }
}

/// Proposed moves with weights: whole numbers, so that draws are exact.
#[derive(Clone, Copy, Debug)]
pub struct WeightedMoves {
    points: [Point; Self::CAPACITY],
    weights: [u16; Self::CAPACITY],
    len: usize,
    total: u32,
}

impl Default for WeightedMoves {
    fn default() -> Self {
        Self::new()
    }
}

impl WeightedMoves {
    /// Room for the surroundings of two moves.
    pub const CAPACITY: usize = 16;

    /// No moves yet.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { points: [Point::from_idx(0); Self::CAPACITY], weights: [0; Self::CAPACITY], len: 0, total: 0 }
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
        self.total = 0;
    }

    /// Proposes `point` with a weight of at least 1, unless it was proposed already or there is no room.
    #[inline]
    pub fn push(&mut self, point: Point, weight: u16) {
        if !self.as_slice().iter().copied().any(|other| other == point) {
            self.add(point, weight);
        }
    }

    /// As [`WeightedMoves::push`] for a point that was not proposed yet.
    #[inline(always)]
    pub fn add(&mut self, point: Point, weight: u16) {
        let len = self.len;
        if len < Self::CAPACITY {
            self.points[len] = point;
            self.weights[len] = weight;
            self.len = len + 1;
            self.total += u32::from(weight);
        }
    }

    /// The points.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Point] {
        &self.points[..self.len]
    }

    /// True without moves.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Draws a move by weight and takes it out of the list.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng) -> Option<Point> {
        if self.total == 0 {
            return None;
        }
        let mut rest = rng.below(self.total);
        let mut idx = 0;
        while idx + 1 < self.len && rest >= u32::from(self.weights[idx]) {
            rest -= u32::from(self.weights[idx]);
            idx += 1;
        }
        let point = self.points[idx];
        self.total -= u32::from(self.weights[idx]);
        self.len -= 1;
        self.points[idx] = self.points[self.len];
        self.weights[idx] = self.weights[self.len];
        Some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_by_weight_and_without_replacement() {
        let mut rng = Rng::new(1);
        let mut firsts = [0u32; 3];
        for _ in 0..40_000 {
            let mut list = WeightedMoves::new();
            for (idx, weight) in [(4, 1), (5, 2), (4, 9), (6, 5)] {
                list.push(Point::from_idx(idx), weight);
            }
            let mut drawn: Vec<usize> = std::iter::from_fn(|| list.draw(&mut rng)).map(Point::idx).collect();
            firsts[drawn[0] - 4] += 1;
            drawn.sort_unstable();
            assert_eq!(drawn, [4, 5, 6]);
        }
        // Expected 5000, 10000, 25000; standard deviations 66, 87, 97.
        assert!(firsts[0].abs_diff(5000) < 300 && firsts[1].abs_diff(10_000) < 400, "{firsts:?}");
    }
}
