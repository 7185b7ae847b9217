//! The neighbours of a point: the chains there, each once, and the empty points.

use super::table::{self, Idx};
use super::{Board, Keep};
use crate::class::{CompactInt, SizeClass};
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

/// The chains of one colour beside a point, each once, by their heads. They stay in a register: 16 bits each, the first
/// lowest, all ones where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjacentChains {
    heads: u64,
    n: u32,
}

impl AdjacentChains {
    /// No chains.
    pub const NONE: AdjacentChains = AdjacentChains { heads: u64::MAX, n: 0 };

    /// Number of chains.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.n as usize
    }

    /// True without chains.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    #[inline(always)]
    fn add(&mut self, head: Point) {
        const ONES: u64 = 0x0001_0001_0001_0001;
        // The place of the same head, if it is there, becomes 0; the usual test for a zero among the places.
        let differs = self.heads ^ (ONES * head.idx() as u64);
        if differs.wrapping_sub(ONES) & !differs & (ONES << 15) == 0 {
            self.heads ^= (head.idx() as u64 ^ 0xffff) << (16 * self.n);
            self.n += 1;
        }
    }
}

impl IntoIterator for AdjacentChains {
    type Item = Point;
    type IntoIter = Heads;

    #[inline(always)]
    fn into_iter(self) -> Heads {
        Heads { rest: self }
    }
}

/// The chains of an [`AdjacentChains`] one by one.
#[derive(Clone, Debug)]
pub struct Heads {
    rest: AdjacentChains,
}

impl Iterator for Heads {
    type Item = Point;

    #[inline(always)]
    fn next(&mut self) -> Option<Point> {
        if self.rest.n == 0 {
            return None;
        }
        let head = Point::from_idx((self.rest.heads & 0xffff) as usize);
        self.rest = AdjacentChains { heads: self.rest.heads >> 16, n: self.rest.n - 1 };
        Some(head)
    }
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// The chains of `color` beside `point`, each once.
    #[inline(always)]
    pub fn chains_beside(&self, point: Point, color: Color) -> AdjacentChains {
        let idx = Idx::of(point);
        let bits = self.code(point).neighbours_of(color);
        let mut found = AdjacentChains::NONE;
        if bits & bits.wrapping_sub(1) == 0 {
            // One neighbour at most, which is not looked for among the others.
            if bits != 0 {
                let stone = point.towards::<C>(bits.trailing_zeros() as usize / 2);
                found = AdjacentChains { heads: !0xffff | self.head(stone).idx() as u64, n: 1 };
            }
        } else {
            self.add_beside::<0>(idx, bits, &mut found);
            self.add_beside::<1>(idx, bits, &mut found);
            self.add_beside::<2>(idx, bits, &mut found);
            self.add_beside::<3>(idx, bits, &mut found);
        }
        found
    }

    #[inline(always)]
    fn add_beside<const I: usize>(&self, idx: Idx<C>, bits: u16, found: &mut AdjacentChains) {
        if bits & 1 << (2 * I) != 0 {
            found.add(self.state.heads.near::<I>(idx).point());
        }
    }

    /// The chains of `color` beside `point` that have from `low` to `high` liberties, each once. Quick for the last stone
    /// placed, where the board keeps chains in atari.
    #[inline(always)]
    pub fn chains_beside_with(&self, point: Point, color: Color, low: usize, high: usize) -> AdjacentChains {
        let idx = Idx::of(point);
        let bits = self.code(point).neighbours_of(color);
        let is_counted = self.is_counted_around(idx);
        let has_so_many = |head| (low..=high).contains(&self.n_liberties_of(Idx::of(head), is_counted));
        let mut found = AdjacentChains::NONE;
        let mut rest = bits;
        while rest != 0 {
            let stone = point.towards::<C>(rest.trailing_zeros() as usize / 2);
            rest &= rest - 1;
            let head = self.head(stone);
            if has_so_many(head) {
                found.add(head);
            }
        }
        found
    }

    /// The empty points beside `point`.
    #[inline(always)]
    pub fn empty_beside(&self, point: Point) -> C::Set {
        table::neighbours::<C>(Idx::of(point)).intersection(&self.state.empty)
    }

    /// False if the board knows, by keeping the chains in atari, that none of `color` is.
    #[inline(always)]
    pub fn may_have_atari(&self, color: Color) -> bool {
        !K::ATARI || !self.state.atari[color.idx()].is_empty()
    }

    /// False if the board knows, by keeping the chains in atari, that the chain of `color` at `stone` is not.
    #[inline(always)]
    pub(crate) fn may_be_in_atari(&self, stone: Point, color: Color) -> bool {
        !K::ATARI || !self.adjacency(stone).is_disjoint(&self.state.atari[color.idx()])
    }

    /// False if the board knows, by keeping the chains in atari, that a stone of `color` at the empty point takes nothing.
    #[inline(always)]
    pub(super) fn may_take(&self, idx: Idx<C>, color: Color) -> bool {
        !K::ATARI || self.state.atari[(!color).idx()].contains(idx.point())
    }

    /// The first empty neighbour of `point`.
    #[inline(always)]
    pub(crate) fn empty_neighbour(&self, point: Point) -> Option<Point> {
        let bits = self.code(point).empty_neighbours();
        (bits != 0).then(|| point.towards::<C>(bits.trailing_zeros() as usize / 2))
    }

    /// True if the chain named by `head` has exactly one liberty.
    #[inline(always)]
    pub(crate) fn has_one_liberty(&self, head: Point) -> bool {
        self.adjacency(head).meets_once(&self.state.empty)
    }

    /// True if a stone of `color` at the empty `point` would take something.
    #[inline(always)]
    pub(crate) fn takes(&self, point: Point, color: Color) -> bool {
        let idx = Idx::of(point);
        self.may_take(idx, color) && self.takes_beside(idx, self.code(point).neighbours_of(!color))
    }

    /// True if one of the chains in the directions `bits` has exactly one liberty; seldom asked, so it stays out of the way.
    #[inline(never)]
    fn takes_beside(&self, idx: Idx<C>, bits: u16) -> bool {
        self.is_taken::<0>(idx, bits)
            || self.is_taken::<1>(idx, bits)
            || self.is_taken::<2>(idx, bits)
            || self.is_taken::<3>(idx, bits)
    }

    #[inline(always)]
    fn is_taken<const I: usize>(&self, idx: Idx<C>, bits: u16) -> bool {
        bits & 1 << (2 * I) != 0 && self.has_one_liberty(self.state.heads.near::<I>(idx).point())
    }

    /// All points beside the empty `point` or one of the chains of `color` beside it. The point itself is one of them if,
    /// and only if, there is such a chain.
    #[inline(always)]
    pub(crate) fn reach(&self, point: Point, color: Color) -> C::Set {
        let idx = Idx::of(point);
        let bits = self.code(point).neighbours_of(color);
        let mut reach = *table::neighbours::<C>(idx);
        if bits != 0 {
            self.add_reach::<0>(idx, bits, &mut reach);
            self.add_reach::<1>(idx, bits, &mut reach);
            self.add_reach::<2>(idx, bits, &mut reach);
            self.add_reach::<3>(idx, bits, &mut reach);
        }
        reach
    }

    /// True if there are two or more chains of `color` beside `point`.
    #[inline(always)]
    pub(crate) fn joins(&self, point: Point, color: Color) -> bool {
        let bits = self.code(point).neighbours_of(color);
        bits & bits.wrapping_sub(1) != 0 && self.chains_beside(point, color).len() >= 2
    }

    /// The number of stones that the chains of `color` beside `point` have together.
    #[inline(always)]
    pub(crate) fn n_stones_beside(&self, point: Point, color: Color) -> usize {
        let bits = self.code(point).neighbours_of(color);
        if bits & bits.wrapping_sub(1) != 0 {
            return self.chains_beside(point, color).into_iter().map(|head| self.chain_len(head)).sum();
        }
        // Mostly there is one neighbour at most.
        if bits == 0 { 0 } else { self.chain_len(point.towards::<C>(bits.trailing_zeros() as usize / 2)) }
    }

    /// The number of empty points in [`Board::reach`]: quicker to count than to take the point itself out.
    #[inline(always)]
    pub(crate) fn n_reached(&self, point: Point, color: Color) -> usize {
        self.reach(point, color).intersection(&self.state.empty).len()
    }

    /// Adds what the chain of the neighbour in direction `I` touches; a chain that is there twice does no harm.
    #[inline(always)]
    fn add_reach<const I: usize>(&self, idx: Idx<C>, bits: u16, reach: &mut C::Set) {
        if bits & 1 << (2 * I) != 0 {
            *reach = reach.union(self.state.adjacency.at(self.state.heads.near::<I>(idx)));
        }
    }

    /// The number of liberties of the chain at `point`. Quick for the last stone placed, where the board keeps chains in
    /// atari.
    #[inline(always)]
    pub fn n_liberties(&self, point: Point) -> usize {
        let idx = Idx::of(point);
        self.n_liberties_of(self.state.heads.at(idx), self.is_counted_around(idx))
    }

    /// One bit for each number of liberties that a chain of `color` beside the enemy stone at `stone` has; bit 7 stands for
    /// all above. Quick for the last stone placed, where the board keeps chains in atari.
    #[inline(always)]
    pub fn liberties_beside(&self, stone: Point, color: Color) -> u8 {
        debug_assert!(self.is_stone(stone, !color));
        if self.is_counted_around(Idx::of(stone)) {
            debug_assert_eq!(self.state.beside_last, self.count_beside(stone, color));
            return self.state.beside_last;
        }
        self.count_beside(stone, color)
    }

    #[inline(never)]
    pub(super) fn count_beside(&self, point: Point, color: Color) -> u8 {
        let bit = |head| 1 << self.liberties(head).len().min(7);
        self.chains_beside(point, color).into_iter().fold(0, |bits, head| bits | bit(head))
    }

    /// Whether the liberties of the chain at `idx` and of those beside it were counted when the last stone was placed.
    #[inline(always)]
    fn is_counted_around(&self, idx: Idx<C>) -> bool {
        K::ATARI && usize::from(self.state.last) == idx.get()
    }

    #[inline(always)]
    fn n_liberties_of(&self, head: Idx<C>, is_counted: bool) -> usize {
        let count = || self.state.adjacency.at(head).intersection(&self.state.empty).len();
        if !is_counted {
            return count();
        }
        debug_assert_eq!(self.state.n_liberties.at(head).unpack(), count());
        self.state.n_liberties.at(head).unpack()
    }

    /// All points beside the stones of the chain at `point`, whatever stands there; border points may be among them.
    #[inline(always)]
    pub(crate) fn adjacency(&self, point: Point) -> &C::Set {
        self.state.adjacency.at(self.state.heads.at(Idx::of(point)))
    }
}
