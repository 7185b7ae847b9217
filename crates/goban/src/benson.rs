//! Unconditional life: chains that survive although their owner always passes (Benson 1976).
//!
//! For one colour: its chains, and the regions that these leave, of empty points and enemy stones. A region is
//! *vital* to a chain if all its empty points are liberties of that chain. Chains with fewer than two vital
//! regions are dropped, then regions that touch a dropped chain, until nothing changes; what is left lives.
//!
//! [`Regions`] finds the chains, for all who ask; which of the regions are territory has several answers.

use crate::any::{AnyBoard, to_vertices};
use crate::board::{Board, Keep};
use crate::class::{PointMap, SizeClass};
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;
use crate::vertex::Vertex;
use crate::with_board;

/// The stones and points of one colour that no attack takes, even if their owner passes every time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassAlive<S> {
    /// The stones of its pass-alive chains.
    pub stones: S,
    /// Regions with pass-alive chains around them in which the enemy can never make an eye: empty points and
    /// the enemy's dead stones.
    pub territory: S,
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// The pass-alive chains of `color` and the territory they enclose.
    pub fn pass_alive(&self, color: Color) -> PassAlive<C::Set> {
        let own = self.stones(color);
        let mut regions = Regions::<C>::new();
        for points in C::parts(&self.empty().union(&self.stones(!color))) {
            regions.add(self, points, color, Suicide::Forbidden);
        }
        let alive = regions.pass_alive(self, &own);
        let mut territory = C::Set::EMPTY;
        // Without stones the whole board is one region that nobody owns.
        if !alive.is_empty() {
            let (beside, dropped) = (C::dilate(&alive), own.difference(&alive));
            for points in regions.all().iter().filter(|points| C::dilate(points).is_disjoint(&dropped)) {
                if points.intersection(self.empty()).difference(&beside).is_empty() {
                    territory = territory.union(points);
                }
            }
        }
        PassAlive { stones: alive, territory }
    }
}

/// Whether an attacker may fill the last liberty of his own stones, which makes it harder to live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suicide {
    /// He may not: a region is vital to a chain if all its empty points are liberties of the chain.
    Forbidden,
    /// He may: all its points have to lie beside the chain.
    Legal,
}

/// The regions of a colour and the chains they are vital to.
pub struct Regions<C: SizeClass> {
    n: usize,
    points: C::PointMap<C::Set>,
    /// Per region: the heads of the chains it is vital to, at most four, `None` after the last.
    vital: C::PointMap<[Option<Point>; 4]>,
}

impl<C: SizeClass> Regions<C> {
    /// No region yet.
    #[allow(clippy::new_without_default, reason = "an empty list of regions is nobody's default")]
    pub fn new() -> Self {
        Self { n: 0, points: PointMap::filled(C::Set::EMPTY), vital: PointMap::filled([None; 4]) }
    }

    /// The points of each region.
    pub fn all(&self) -> &[C::Set] {
        &self.points.as_ref()[..self.n]
    }

    /// Adds a region of `color`: a connected part of all that is not a stone of that colour.
    pub fn add<K: Keep>(&mut self, board: &Board<C, K>, points: C::Set, color: Color, suicide: Suicide) {
        let empty = points.intersection(board.empty());
        // A region of enemy stones alone cannot be: they would have no liberty.
        let Some(first) = empty.first() else { return };
        let stones = points.difference(&empty);
        let is_vital = |head: &Point| {
            empty.difference(&board.liberties(*head)).is_empty()
                && (suicide == Suicide::Forbidden || stones.is_empty() || {
                    let mut chain = C::Set::EMPTY;
                    board.chain(*head).for_each(|stone| chain.insert(stone));
                    stones.difference(&C::dilate(&chain)).is_empty()
                })
        };
        let vital = board.chains_beside(first, color).into_iter().filter(is_vital);
        for (to, head) in self.vital[self.n].iter_mut().zip(vital) {
            *to = Some(head);
        }
        self.points[self.n] = points;
        self.n += 1;
    }

    /// The stones of chains that are left when chains with fewer than two vital regions are dropped, then regions that
    /// touch a dropped chain, until nothing changes. `own` are all stones of the colour.
    pub fn pass_alive<K: Keep>(&self, board: &Board<C, K>, own: &C::Set) -> C::Set {
        let mut dropped = C::Set::EMPTY;
        loop {
            let alive = self.alive_without(board, &dropped);
            let next = own.difference(&alive);
            if alive.is_empty() || next == dropped {
                return alive;
            }
            dropped = next;
        }
    }

    /// The stones of chains with two vital regions that do not touch `dropped`.
    fn alive_without<K: Keep>(&self, board: &Board<C, K>, dropped: &C::Set) -> C::Set {
        let beside = C::dilate(dropped);
        let mut n_vital: C::PointMap<u8> = PointMap::filled(0);
        let mut alive = C::Set::EMPTY;
        for (points, vital) in self.all().iter().zip(self.vital.as_ref()) {
            if vital[0].is_none() || !points.is_disjoint(&beside) {
                continue;
            }
            for head in vital.iter().flatten() {
                let n = &mut n_vital[head.idx()];
                *n = n.saturating_add(1);
                if *n == 2 {
                    board.chain(*head).for_each(|stone| alive.insert(stone));
                }
            }
        }
        alive
    }
}

impl AnyBoard {
    /// The pass-alive stones of `color` and the territory they enclose, row by row; see [`Board::pass_alive`].
    pub fn pass_alive(&self, color: Color) -> PassAlive<Vec<Vertex>> {
        with_board!(self, |board| {
            let found = board.pass_alive(color);
            PassAlive {
                stones: to_vertices(board, &found.stones),
                territory: to_vertices(board, &found.territory),
            }
        })
    }
}
