//! Placing a stone: joining chains, capturing, ko.

use super::table::{self, Idx};
use super::{BLACK, Board, Keep, NO_POINT, WHITE};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::{Move, Point};
use crate::set::PointSet;

/// The bits of a stone in a code.
const fn bits(black: bool) -> u16 {
    if black { BLACK } else { WHITE }
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// Plays a legal move of `color` and returns the number of stones it captures. A pass only ends the ko.
    ///
    /// The point must be empty. Where the board allows suicide ([`Keep::SUICIDE`]) it is carried out: the chain
    /// without liberties leaves the board and the number returned is 0. Legality is the caller's business, see
    /// [`Board::is_legal`].
    #[inline]
    pub fn play(&mut self, color: Color, mv: Move) -> usize {
        match (mv.point(), color) {
            (None, _) => {
                self.clear_ko();
                0
            }
            (Some(point), Color::Black) => self.place::<true>(point),
            (Some(point), Color::White) => self.place::<false>(point),
        }
    }

    /// Plays a stone of a colour known at compile time at an empty point; for playouts, which know it.
    #[inline(always)]
    pub fn place<const IS_BLACK: bool>(&mut self, point: Point) -> usize {
        debug_assert!(self.empty.contains(point), "the point is empty and on the board");
        let idx = Idx::of(point);
        let own = if IS_BLACK { Color::Black } else { Color::White };
        let before = self.code(point);

        self.take_empty(idx);
        self.toggle::<IS_BLACK>(idx);
        self.n_on_board[own.idx()] += 1;
        if K::HASH {
            self.hash ^= C::ZOBRIST[own.idx()][idx.get()];
        }
        self.ko = NO_POINT;
        let (friends, enemies) = (before.neighbours_of(own), before.neighbours_of(!own));
        if friends | enemies == 0 {
            self.found(idx);
            if K::ATARI {
                self.note_atari(idx);
            }
            return 0;
        }
        let head = if friends == 0 { self.found(idx) } else { self.join(idx, friends) };
        let n_taken = if enemies == 0 { 0 } else { self.capture_around::<IS_BLACK>(idx, enemies) };
        if n_taken > 0 {
            // Only a single stone that took a single stone and has just that liberty makes a ko.
            if n_taken != 1 || friends | before.empty_neighbours() != 0 {
                self.ko = NO_POINT;
            }
        } else if K::SUICIDE
            && before.empty_neighbours() == 0
            && self.adjacency.at(head).is_disjoint(&self.empty)
        {
            // The stones of a suicide leave as if the enemy had taken them.
            if IS_BLACK {
                self.remove_chain::<false>(idx)
            } else {
                self.remove_chain::<true>(idx)
            };
            return 0;
        }
        if K::ATARI {
            self.note_atari(head);
        }
        n_taken
    }

    /// Captures the neighbouring enemy chains that have no liberty left; `ko` is left at the head of the last one.
    #[inline(always)]
    fn capture_around<const IS_BLACK: bool>(&mut self, idx: Idx<C>, enemies: u16) -> usize {
        let mut n_taken = 0;
        // Written out: the loop is too short to be worth a counter.
        n_taken += self.capture_at::<IS_BLACK, 0>(idx, enemies);
        n_taken += self.capture_at::<IS_BLACK, 1>(idx, enemies);
        n_taken += self.capture_at::<IS_BLACK, 2>(idx, enemies);
        n_taken += self.capture_at::<IS_BLACK, 3>(idx, enemies);
        n_taken
    }

    /// Captures the chain of the neighbour in direction `I` if it is one of `enemies` without liberties.
    #[inline(always)]
    fn capture_at<const IS_BLACK: bool, const I: usize>(&mut self, idx: Idx<C>, enemies: u16) -> usize {
        if enemies & 1 << (2 * I) == 0 {
            return 0;
        }
        let head = self.heads.near::<I>(idx);
        if !self.adjacency.at(head).is_disjoint(&self.empty) {
            // Not captured, or captured a moment ago through another of its stones.
            if K::ATARI {
                self.note_atari(head);
            }
            return 0;
        }
        self.ko = head.get() as u16;
        self.remove_chain::<IS_BLACK>(head)
    }

    /// Makes a chain of the single stone at `idx` and returns its head.
    #[inline(always)]
    fn found(&mut self, idx: Idx<C>) -> Idx<C> {
        self.heads.set(idx, idx);
        *self.next.at_mut(idx) = idx;
        *self.n_stones.at_mut(idx) = 1;
        *self.adjacency.at_mut(idx) = *table::neighbours(idx);
        idx
    }

    /// Puts the stone at `idx` into the chains of `friends`, its neighbours of the same colour, at least one.
    /// Returns the head of the chain that they now are.
    #[inline(always)]
    fn join(&mut self, idx: Idx<C>, friends: u16) -> Idx<C> {
        let mut head = match friends {
            _ if friends & 0x01 != 0 => self.heads.near::<0>(idx),
            _ if friends & 0x04 != 0 => self.heads.near::<1>(idx),
            _ if friends & 0x10 != 0 => self.heads.near::<2>(idx),
            _ => self.heads.near::<3>(idx),
        };
        self.heads.set(idx, head);
        *self.next.at_mut(idx) = *self.next.at(head);
        *self.next.at_mut(head) = idx;
        *self.n_stones.at_mut(head) += 1;
        *self.adjacency.at_mut(head) = self.adjacency.at(head).union(table::neighbours(idx));
        let rest = friends & (friends - 1);
        if rest != 0 {
            head = self.join_further::<1>(idx, rest, head);
            head = self.join_further::<2>(idx, rest, head);
            head = self.join_further::<3>(idx, rest, head);
        }
        head
    }

    /// Merges the chain of the neighbour in direction `I` into the chain `head` if it is another one.
    #[inline(always)]
    fn join_further<const I: usize>(&mut self, idx: Idx<C>, friends: u16, head: Idx<C>) -> Idx<C> {
        if friends & 1 << (2 * I) == 0 {
            return head;
        }
        let other = self.heads.near::<I>(idx);
        if other == head { head } else { self.merge(head, other) }
    }

    /// Makes one chain of two and returns its head. The smaller one is relabelled.
    #[inline]
    fn merge(&mut self, a: Idx<C>, b: Idx<C>) -> Idx<C> {
        let (keep, gone) = if self.n_stones.at(a) >= self.n_stones.at(b) { (a, b) } else { (b, a) };
        let mut stone = gone;
        loop {
            self.heads.set(stone, keep);
            stone = *self.next.at(stone);
            if stone == gone {
                break;
            }
        }
        let after_gone = *self.next.at(gone);
        *self.next.at_mut(gone) = *self.next.at(keep);
        *self.next.at_mut(keep) = after_gone;
        *self.n_stones.at_mut(keep) += *self.n_stones.at(gone);
        *self.adjacency.at_mut(keep) = self.adjacency.at(keep).union(self.adjacency.at(gone));
        keep
    }

    /// Takes the chain of the stone at `start` off the board and returns its number of stones; the chain is White's
    /// if `BY_BLACK`.
    fn remove_chain<const BY_BLACK: bool>(&mut self, start: Idx<C>) -> usize {
        let color = if BY_BLACK { Color::White } else { Color::Black };
        let mut n = 0;
        let mut stone = start;
        loop {
            if BY_BLACK {
                self.toggle::<false>(stone);
            } else {
                self.toggle::<true>(stone);
            }
            if K::HASH {
                self.hash ^= C::ZOBRIST[color.idx()][stone.get()];
            }
            self.give_empty(stone);
            n += 1;
            stone = *self.next.at(stone);
            if stone == start {
                break;
            }
        }
        self.n_on_board[color.idx()] -= n as u16;
        self.n_captured[color.idx()] += n as u32;
        n
    }

    /// Puts a stone into, or takes it out of, the codes of its eight neighbours.
    #[inline(always)]
    fn toggle<const IS_BLACK: bool>(&mut self, idx: Idx<C>) {
        let stone = bits(IS_BLACK);
        let window = self.codes.window_mut(idx);
        window[0] ^= stone << 14;
        window[1] ^= stone << 6;
        window[2] ^= stone << 12;
        window[C::STRIDE] ^= stone << 4;
        window[C::STRIDE + 2] ^= stone << 2;
        window[2 * C::STRIDE] ^= stone << 10;
        window[2 * C::STRIDE + 1] ^= stone;
        window[2 * C::STRIDE + 2] ^= stone << 8;
    }

    /// Takes `idx` out of the empty points.
    #[inline(always)]
    fn take_empty(&mut self, idx: Idx<C>) {
        table::remove(&mut self.empty, idx);
        self.n_empty -= 1;
        let hole = *self.empty_idx.at(idx);
        let last = *self.empties.at(Idx::new(usize::from(self.n_empty)));
        *self.empties.at_mut(hole) = last;
        *self.empty_idx.at_mut(last) = hole;
    }

    /// Gives `idx` back to the empty points.
    #[inline(always)]
    fn give_empty(&mut self, idx: Idx<C>) {
        table::insert(&mut self.empty, idx);
        let end = Idx::new(usize::from(self.n_empty));
        *self.empties.at_mut(end) = idx;
        *self.empty_idx.at_mut(idx) = end;
        self.n_empty += 1;
    }

    /// Remembers the chain if it is in atari now. A chain falls into atari only by a stone on one of its
    /// liberties or by merging, so looking at the chains around each move finds them all.
    #[inline(always)]
    fn note_atari(&mut self, head: Idx<C>) {
        if self.adjacency.at(head).meets_once(&self.empty) {
            table::insert(&mut self.atari, head);
        } else {
            table::remove(&mut self.atari, head);
        }
    }
}
