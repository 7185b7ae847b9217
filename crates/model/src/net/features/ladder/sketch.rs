//! A position reduced to sets of points, cheap to copy: the board of the ladder reader.
//!
//! `goban`'s ladders have a sketch of the same shape, but play by other rules: there a ko forbids moves throughout, and suspects are the
//! chains in atari and no others.

use goban::tactics::ladder::{all_beside, grow};
use goban::{Board, Color, Full, Point, PointSet, SizeClass};

use crate::net::features::stones::Survey;

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
    /// Stones of hunters that may be in atari. A chain in atari beside the prey has at least one here that touches it.
    suspects: C::Set,
    ko: Option<Point>,
}

/// The chains of `own` without liberties that touch `near`.
#[inline]
fn taken<C: SizeClass>(near: &C::Set, own: &C::Set, empty: &C::Set) -> C::Set {
    let mut taken = C::Set::EMPTY;
    for stone in near.intersection(own).iter() {
        let chain = grow::<C>(stone, own, empty, 1);
        if chain.liberties.is_empty() {
            taken = taken.union(&chain.stones);
        }
    }
    taken
}

impl<C: SizeClass> Sketch<C> {
    /// The chain of `color` at `head` on a board.
    pub(super) fn new(board: &Board<C, Full>, survey: &Survey<C>, head: Point, color: Color) -> Self {
        let mut prey = C::Set::EMPTY;
        board.chain(head).for_each(|stone| prey.insert(stone));
        Self {
            prey,
            beside: all_beside::<C>(&prey),
            friends: *survey.of(color),
            hunters: *survey.of(!color),
            empty: *board.empty(),
            suspects: survey.of(!color).intersection(&survey.with_liberties[0]),
            ko: board.ko(),
        }
    }

    /// The liberties of the prey.
    #[inline]
    pub(super) fn liberties(&self) -> C::Set {
        self.beside.intersection(&self.empty)
    }

    /// Allows the ko to be retaken.
    pub(super) fn clear_ko(&mut self) {
        self.ko = None;
    }

    /// True if the last move took a ko.
    pub(super) fn has_ko(&self) -> bool {
        self.ko.is_some()
    }

    /// Number of empty points beside `point`, `other` left out, counted up to three.
    #[inline]
    pub(super) fn n_open(&self, point: Point, other: Point) -> usize {
        let mut open = C::NEIGHBOURS[point.idx()].intersection(&self.empty);
        open.remove(other);
        open.len_up_to(3)
    }

    /// The points at which hunters beside the prey can be taken. Suspects that are not in atari are acquitted.
    pub(super) fn captures(&mut self) -> C::Set {
        let mut captures = C::Set::EMPTY;
        let mut rest = self.suspects.intersection(&self.hunters).intersection(&self.beside);
        while let Some(stone) = rest.first() {
            let chain = grow::<C>(stone, &self.hunters, &self.empty, 2);
            rest = rest.difference(&chain.stones);
            if chain.liberties.len_up_to(2) == 1 {
                captures = captures.union(&chain.liberties);
            } else {
                self.suspects = self.suspects.difference(&chain.stones);
            }
        }
        captures
    }

    /// Plays a hunter's stone at a liberty of the prey; false if it is illegal, and the sketch is of no use then.
    pub(super) fn attack(&mut self, point: Point) -> bool {
        if self.ko == Some(point) {
            return false;
        }
        let near = C::NEIGHBOURS[point.idx()];
        let is_open = !near.is_disjoint(&self.empty);
        let is_alone = !is_open && near.is_disjoint(&self.hunters);
        self.empty.remove(point);
        self.hunters.insert(point);
        self.suspects.insert(point);
        self.ko = None;
        // The prey has another liberty.
        let mut others = self.friends.difference(&self.prey);
        let taken = taken::<C>(&near, &others, &self.empty);
        if !taken.is_empty() {
            others = others.difference(&taken);
            self.friends = others.union(&self.prey);
            self.empty = self.empty.union(&taken);
            if is_alone && taken.len() == 1 {
                self.ko = taken.first();
            }
            return true;
        }
        is_open || !grow::<C>(point, &self.hunters, &self.empty, 1).liberties.is_empty()
    }

    /// Plays a stone of the prey's owner at its last liberty or where it takes hunters; false if it is suicide, and the
    /// sketch is of no use then.
    pub(super) fn defend(&mut self, point: Point) -> bool {
        let near = C::NEIGHBOURS[point.idx()];
        let is_alone = near.is_disjoint(&self.empty) && near.is_disjoint(&self.friends);
        self.empty.remove(point);
        self.friends.insert(point);
        self.ko = None;
        let taken = taken::<C>(&near, &self.hunters, &self.empty);
        if !taken.is_empty() {
            self.hunters = self.hunters.difference(&taken);
            self.empty = self.empty.union(&taken);
            if is_alone && taken.len() == 1 {
                self.ko = taken.first();
            }
        }
        let accused = near.intersection(&self.hunters);
        self.suspects = self.suspects.union(&accused);
        if self.beside.contains(point) {
            self.prey.insert(point);
            if near.intersection(&self.friends).difference(&self.prey).is_empty() {
                self.beside = self.beside.union(&near);
            } else {
                self.prey = C::flood(&self.prey, &self.friends);
                self.beside = C::dilate(&self.prey);
            }
        } else {
            // Away from the prey: the stones of an accused chain that touch it may be others.
            for stone in accused.iter() {
                let chain = grow::<C>(stone, &self.hunters, &self.empty, 2);
                self.suspects = self.suspects.union(&chain.stones);
            }
        }
        !self.liberties().is_empty()
    }

    /// True if the two liberties of the prey, without open points beside them, are kos that the hunters can take, if
    /// connecting either leaves at most two liberties, and if no hunter beside the prey is in atari.
    pub(super) fn is_double_ko(&self, a: Point, b: Point) -> bool {
        [a, b].into_iter().all(|mouth| self.is_ko_mouth(mouth) && self.n_after_connecting(mouth) <= 2) && {
            *self
        }
        .captures()
        .is_empty()
    }

    /// True if a hunter at the empty `point` would take one stone, and could be retaken were it not for the ko rule.
    fn is_ko_mouth(&self, point: Point) -> bool {
        let near = C::NEIGHBOURS[point.idx()];
        if !near.is_disjoint(&self.hunters) || !near.is_disjoint(&self.empty) {
            return false;
        }
        let mut in_atari = near.intersection(&self.friends).iter().filter_map(|stone| {
            let chain = grow::<C>(stone, &self.friends, &self.empty, 2);
            (chain.liberties.len_up_to(2) == 1).then_some(chain.stones)
        });
        match (in_atari.next(), in_atari.next()) {
            (Some(chain), None) => chain.len() == 1,
            _ => false,
        }
    }

    /// Liberties of the chain that a friendly stone at the ko mouth `point` makes.
    fn n_after_connecting(&self, point: Point) -> usize {
        let mut seed = C::Set::EMPTY;
        seed.insert(point);
        let mut friends = self.friends;
        friends.insert(point);
        let mut free = C::dilate(&C::flood(&seed, &friends)).intersection(&self.empty);
        free.remove(point);
        free.len()
    }
}
