//! A position reduced to sets of points, cheap to copy: the board of the ladder reader.
//!
//! A whole 19×19 board is tens of kilobytes; this is seven sets. Chains are found by growing them from a stone, and only
//! until it is clear that they have two liberties, which in a ladder is after a step or two.

use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::point::Point;
use crate::set::PointSet;
use crate::tactics::{around, only};

/// A chain that is hunted, and all stones.
#[derive(Clone, Copy)]
pub(super) struct Sketch<C: SizeClass> {
    /// The hunted chain.
    prey: C::Set,
    /// All points beside it; points of the chain and of the border may be among them.
    beside: C::Set,
    /// All stones of its colour.
    friends: C::Set,
    /// All stones of the other colour.
    hunters: C::Set,
    empty: C::Set,
    /// Stones of hunters that may be in atari: at least one of every chain in atari that touches the prey.
    suspects: C::Set,
    ko: Option<Point>,
}

/// A chain as far as it was grown: completely, if it has fewer liberties than asked for.
pub struct Grown<S> {
    /// Its stones.
    pub stones: S,
    /// Its liberties.
    pub liberties: S,
}

/// Grows the chain of `stone` among `own` until it is complete or has `enough` liberties, in a position that is given as sets.
#[inline]
pub fn grow<C: SizeClass>(stone: Point, own: &C::Set, empty: &C::Set, enough: usize) -> Grown<C::Set> {
    let mut stones = C::Set::EMPTY;
    stones.insert(stone);
    let mut reach = C::NEIGHBOURS[stone.idx()];
    loop {
        let liberties = reach.intersection(empty);
        let more = reach.intersection(own).difference(&stones);
        if more.is_empty() || liberties.len_up_to(enough) == enough {
            return Grown { stones, liberties };
        }
        stones = stones.union(&more);
        reach = reach.union(&all_beside::<C>(&more));
    }
}

/// All points beside those of a small set; border points may be among them.
#[inline]
pub fn all_beside<C: SizeClass>(points: &C::Set) -> C::Set {
    points.iter().fold(C::Set::EMPTY, |beside, point| beside.union(&C::NEIGHBOURS[point.idx()]))
}

impl<C: SizeClass> Sketch<C> {
    /// The chain at `stone` as the prey, on the board as it stands.
    pub(super) fn new<K: Keep>(board: &Board<C, K>, stone: Point) -> Option<Self> {
        let color = board.stone(stone)?;
        let mut prey = C::Set::EMPTY;
        board.chain(stone).for_each(|stone| prey.insert(stone));
        let mut suspects = C::Set::EMPTY;
        around::each_enemy(board, stone, |head| {
            if board.liberties(head).len() == 1 {
                suspects.insert(head);
            }
        });
        Some(Self {
            prey,
            beside: *board.adjacency(stone),
            friends: board.stones(color),
            hunters: board.stones(!color),
            empty: *board.empty(),
            suspects,
            ko: board.ko(),
        })
    }

    /// The liberties of the prey.
    #[inline(always)]
    pub(super) fn liberties(&self) -> C::Set {
        self.beside.intersection(&self.empty)
    }

    /// Whether a ko forbids the move.
    #[inline(always)]
    pub(super) fn is_ko(&self, point: Point) -> bool {
        self.ko == Some(point)
    }

    /// The empty points beside `point`, `without` left out.
    #[inline(always)]
    pub(super) fn n_open(&self, point: Point, without: Point) -> usize {
        let mut open = C::NEIGHBOURS[point.idx()].intersection(&self.empty);
        open.remove(without);
        open.len()
    }

    /// The points at which the prey's side can take hunters that touch it.
    #[inline]
    pub(super) fn counter_captures(&mut self) -> C::Set {
        let mut points = C::Set::EMPTY;
        let mut rest = self.suspects;
        while let Some(stone) = rest.first() {
            rest.remove(stone);
            let chain = grow::<C>(stone, &self.hunters, &self.empty, 2);
            match only(&chain.liberties) {
                Some(point) => {
                    rest = rest.difference(&chain.stones);
                    if !self.is_ko(point) && !chain.stones.is_disjoint(&self.beside) {
                        points.insert(point);
                    }
                }
                None => self.suspects.remove(stone),
            }
        }
        points
    }

    /// A stone of the hunters at `point`, a liberty of the prey that has another; false if it is not legal, and the
    /// sketch is spoilt then.
    #[inline]
    pub(super) fn hunt(&mut self, point: Point) -> bool {
        if self.is_ko(point) {
            return false;
        }
        let near = &C::NEIGHBOURS[point.idx()];
        self.empty.remove(point);
        let is_alone = near.is_disjoint(&self.hunters);
        self.hunters.insert(point);
        let taken = self.taken(&near.intersection(&self.friends).difference(&self.prey), true);
        self.friends = self.friends.difference(&taken);
        self.empty = self.empty.union(&taken);
        let open = near.intersection(&self.empty);
        if open.len() < 2 {
            let chain = grow::<C>(point, &self.hunters, &self.empty, 2);
            match chain.liberties.len() {
                0 => return false,
                1 => self.suspects.insert(point),
                _ => {}
            }
        }
        self.ko = if is_alone && open == taken { only(&taken) } else { None };
        true
    }

    /// A stone of the prey's side at `point`, a liberty of the prey or a point that takes hunters; false if it is not
    /// legal, and the sketch is spoilt then. Elsewhere the caller must know that it is legal.
    #[inline]
    pub(super) fn flee(&mut self, point: Point) -> bool {
        if self.is_ko(point) {
            return false;
        }
        let near = &C::NEIGHBOURS[point.idx()];
        self.empty.remove(point);
        let is_alone = near.is_disjoint(&self.friends);
        self.friends.insert(point);
        let taken = self.taken(&near.intersection(&self.hunters), false);
        self.hunters = self.hunters.difference(&taken);
        self.suspects = self.suspects.difference(&taken);
        self.empty = self.empty.union(&taken);
        if !near.is_disjoint(&self.prey) {
            self.join(point);
        }
        let open = near.intersection(&self.empty);
        self.ko = if is_alone && open == taken { only(&taken) } else { None };
        !self.liberties().is_empty()
    }

    /// The stones of the chains at `seeds` that have no liberty left. They are friends of the prey or hunters; a chain of
    /// hunters with one liberty becomes a suspect.
    #[inline]
    fn taken(&mut self, seeds: &C::Set, are_friends: bool) -> C::Set {
        let mut taken = C::Set::EMPTY;
        let own = if are_friends { self.friends } else { self.hunters };
        for stone in seeds.iter() {
            if taken.contains(stone) {
                continue;
            }
            let chain = grow::<C>(stone, &own, &self.empty, 2);
            match chain.liberties.len() {
                0 => taken = taken.union(&chain.stones),
                1 if !are_friends => self.suspects.insert(stone),
                _ => {}
            }
        }
        taken
    }

    /// Makes the new stone at `point`, which touches the prey, part of it, together with friends that it touches.
    #[inline]
    fn join(&mut self, point: Point) {
        let near = &C::NEIGHBOURS[point.idx()];
        let has_friend = !near.intersection(&self.friends).difference(&self.prey).is_empty();
        self.prey.insert(point);
        if has_friend {
            self.prey = C::flood(&self.prey, &self.friends);
            self.beside = C::dilate(&self.prey);
            self.suspects = self.suspects.union(&self.beside.intersection(&self.hunters));
        } else {
            self.beside = self.beside.union(near);
        }
    }
}
