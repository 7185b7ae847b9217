//! Placing a stone: joining chains, capturing, ko.

use super::table::{self, Idx};
use super::{BLACK, Board, Keep, NO_POINT, WHITE};
use crate::class::{CompactInt, SizeClass};
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
        debug_assert!(self.state.empty.contains(point), "the point is empty and on the board");
        let idx = Idx::of(point);
        let own = if IS_BLACK { Color::Black } else { Color::White };
        let before = self.code(point);

        self.take_empty(idx);
        self.toggle::<IS_BLACK>(idx);
        self.state.n_on_board[own.idx()] += 1;
        if K::HASH {
            self.state.hash ^= C::ZOBRIST[own.idx()][idx.get()];
        }
        self.state.ko = NO_POINT;
        if K::ATARI {
            self.state.last = idx.get() as u16;
            for liberties in &mut self.state.atari {
                table::remove(liberties, idx);
            }
        }
        let (friends, enemies) = (before.neighbours_of(own), before.neighbours_of(!own));
        if friends | enemies == 0 {
            self.found(idx);
            if K::ATARI {
                self.note_liberties(own, idx, before.n_empty() as usize);
                self.state.beside_last = 0;
            }
            return 0;
        }
        let head = if friends == 0 { self.found(idx) } else { self.join(idx, friends) };
        let mut beside = 0;
        let n_taken =
            if enemies == 0 { 0 } else { self.capture_around::<IS_BLACK>(idx, enemies, &mut beside) };
        if n_taken > 0 {
            if K::ATARI {
                // A chain that was taken may have been counted, as if it stood there, through another of its stones.
                beside = self.count_beside(point, !own);
            }
            // Only a single stone that took a single stone and has just that liberty makes a ko.
            if n_taken != 1 || friends | before.empty_neighbours() != 0 {
                self.state.ko = NO_POINT;
            }
        } else if K::SUICIDE
            && before.empty_neighbours() == 0
            && self.state.adjacency.at(head).is_disjoint(&self.state.empty)
        {
            // The stones of a suicide leave as if the enemy had taken them.
            if IS_BLACK {
                self.remove_chain::<false>(idx)
            } else {
                self.remove_chain::<true>(idx)
            };
            self.state.last = NO_POINT;
            return 0;
        }
        if K::ATARI {
            self.note_atari(own, head);
            self.state.beside_last = beside;
        }
        n_taken
    }

    /// Captures the neighbouring enemy chains that have no liberty left; `ko` is left at the head of the last one.
    #[inline(always)]
    fn capture_around<const IS_BLACK: bool>(&mut self, idx: Idx<C>, enemies: u16, beside: &mut u8) -> usize {
        let mut n_taken = 0;
        // Written out: the loop is too short to be worth a counter.
        n_taken += self.capture_at::<IS_BLACK, 0>(idx, enemies, beside);
        n_taken += self.capture_at::<IS_BLACK, 1>(idx, enemies, beside);
        n_taken += self.capture_at::<IS_BLACK, 2>(idx, enemies, beside);
        n_taken += self.capture_at::<IS_BLACK, 3>(idx, enemies, beside);
        n_taken
    }

    /// Captures the chain of the neighbour in direction `I` if it is one of `enemies` without liberties.
    #[inline(always)]
    fn capture_at<const IS_BLACK: bool, const I: usize>(
        &mut self,
        idx: Idx<C>,
        enemies: u16,
        beside: &mut u8,
    ) -> usize {
        if enemies & 1 << (2 * I) == 0 {
            return 0;
        }
        let head = self.state.heads.near::<I>(idx);
        if !self.state.adjacency.at(head).is_disjoint(&self.state.empty) {
            // Not captured, or captured a moment ago through another of its stones.
            if K::ATARI {
                let enemy = if IS_BLACK { Color::White } else { Color::Black };
                *beside |= 1 << self.note_atari(enemy, head).min(7);
            }
            return 0;
        }
        self.state.ko = head.get() as u16;
        self.remove_chain::<IS_BLACK>(head)
    }

    /// Makes a chain of the single stone at `idx` and returns its head.
    #[inline(always)]
    fn found(&mut self, idx: Idx<C>) -> Idx<C> {
        self.state.heads.set(idx, idx);
        *self.state.next.at_mut(idx) = idx;
        *self.state.n_stones.at_mut(idx) = CompactInt::pack(1);
        *self.state.adjacency.at_mut(idx) = *table::neighbours(idx);
        idx
    }

    /// Puts the stone at `idx` into the chains of `friends`, its neighbours of the same colour, at least one.
    /// Returns the head of the chain that they now are.
    #[inline(always)]
    fn join(&mut self, idx: Idx<C>, friends: u16) -> Idx<C> {
        let mut head = match friends {
            _ if friends & 0x01 != 0 => self.state.heads.near::<0>(idx),
            _ if friends & 0x04 != 0 => self.state.heads.near::<1>(idx),
            _ if friends & 0x10 != 0 => self.state.heads.near::<2>(idx),
            _ => self.state.heads.near::<3>(idx),
        };
        self.state.heads.set(idx, head);
        *self.state.next.at_mut(idx) = *self.state.next.at(head);
        *self.state.next.at_mut(head) = idx;
        let n_stones = self.state.n_stones.at_mut(head);
        *n_stones = CompactInt::pack(n_stones.unpack() + 1);
        *self.state.adjacency.at_mut(head) = self.state.adjacency.at(head).union(table::neighbours(idx));
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
        let other = self.state.heads.near::<I>(idx);
        if other == head { head } else { self.merge(head, other) }
    }

    /// Makes one chain of two and returns its head. The smaller one is relabelled.
    #[inline]
    fn merge(&mut self, a: Idx<C>, b: Idx<C>) -> Idx<C> {
        let (n_a, n_b) = (self.state.n_stones.at(a).unpack(), self.state.n_stones.at(b).unpack());
        let (keep, gone) = if n_a >= n_b { (a, b) } else { (b, a) };
        let mut stone = gone;
        loop {
            self.state.heads.set(stone, keep);
            stone = *self.state.next.at(stone);
            if stone == gone {
                break;
            }
        }
        let after_gone = *self.state.next.at(gone);
        *self.state.next.at_mut(gone) = *self.state.next.at(keep);
        *self.state.next.at_mut(keep) = after_gone;
        *self.state.n_stones.at_mut(keep) = CompactInt::pack(n_a + n_b);
        *self.state.adjacency.at_mut(keep) =
            self.state.adjacency.at(keep).union(self.state.adjacency.at(gone));
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
                self.state.hash ^= C::ZOBRIST[color.idx()][stone.get()];
            }
            self.give_empty(stone);
            n += 1;
            stone = *self.state.next.at(stone);
            if stone == start {
                break;
            }
        }
        self.state.n_on_board[color.idx()] -= n as u16;
        self.state.n_captured[color.idx()] += n as u32;
        n
    }

    /// Puts a stone into, or takes it out of, the codes of its eight neighbours.
    #[inline(always)]
    fn toggle<const IS_BLACK: bool>(&mut self, idx: Idx<C>) {
        let stone = bits(IS_BLACK);
        let window = self.state.codes.window_mut(idx);
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
        table::remove(&mut self.state.empty, idx);
        self.state.n_empty -= 1;
        let hole = *self.state.empty_idx.at(idx);
        let last = *self.state.empties.at(Idx::new(usize::from(self.state.n_empty)));
        *self.state.empties.at_mut(hole) = last;
        *self.state.empty_idx.at_mut(last) = hole;
    }

    /// Gives `idx` back to the empty points.
    #[inline(always)]
    fn give_empty(&mut self, idx: Idx<C>) {
        table::insert(&mut self.state.empty, idx);
        let end = Idx::new(usize::from(self.state.n_empty));
        *self.state.empties.at_mut(end) = idx;
        *self.state.empty_idx.at_mut(idx) = end;
        self.state.n_empty += 1;
    }

    /// Counts the liberties of a chain of `color` and remembers the last one of a chain that is in atari now. A chain falls
    /// into atari only by a stone on one of its liberties or by merging, so looking at the chains around each move finds
    /// them all; and it leaves it by a stone on that last liberty, which is then no longer kept, or by a capture.
    #[inline(always)]
    fn note_atari(&mut self, color: Color, head: Idx<C>) -> usize {
        let n_liberties = self.state.adjacency.at(head).intersection(&self.state.empty).len();
        self.note_liberties(color, head, n_liberties);
        n_liberties
    }

    #[inline(always)]
    fn note_liberties(&mut self, color: Color, head: Idx<C>, n_liberties: usize) {
        *self.state.n_liberties.at_mut(head) = CompactInt::pack(n_liberties);
        if n_liberties == 1 {
            let last = self.state.adjacency.at(head).intersection(&self.state.empty);
            let atari = &mut self.state.atari[color.idx()];
            *atari = atari.union(&last);
        }
    }
}
