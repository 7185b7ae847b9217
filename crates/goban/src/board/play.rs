//! Placing a stone: joining chains, capturing, ko.

use super::{BLACK, Board, EMPTY, Keep, NO_POINT, WHITE};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::{Move, Point};
use crate::set::PointSet;

const fn bits(black: bool) -> u8 {
    if black { BLACK } else { WHITE }
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// Plays a legal move of `color` and returns the number of stones it captures. A pass only ends the ko.
    ///
    /// The point must be empty. A suicide is carried out: the chain without liberties leaves the board and the
    /// number returned is 0. Legality is the caller's business, see [`Board::is_legal`].
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
        let idx = point.idx();
        let own = if IS_BLACK { Color::Black } else { Color::White };
        let before = self.code(point);

        self.take_empty(idx);
        self.colors[idx] = bits(IS_BLACK);
        self.toggle::<IS_BLACK>(idx);
        self.n_on_board[own.idx()] += 1;
        if K::HASH {
            self.hash ^= C::ZOBRIST[own.idx()][idx];
        }
        self.join(idx, before.neighbours_of(own));

        let enemies = before.neighbours_of(!own);
        self.ko = NO_POINT;
        if enemies == 0 && !K::ATARI && before.empty_neighbours() != 0 {
            return 0;
        }
        let n_taken = self.capture_around::<IS_BLACK>(idx, enemies);
        if n_taken > 0 {
            // A single stone that took a single stone and has only that liberty: a ko.
            let alone = before.neighbours_of(own) == 0 && before.empty_neighbours() == 0;
            if n_taken != 1 || !alone {
                self.ko = NO_POINT;
            }
        } else if before.empty_neighbours() == 0 {
            let head = usize::from(self.heads[idx]);
            if self.adjacency[head].is_disjoint(&self.empty) {
                self.remove_chain(idx, own);
                return 0;
            }
        }
        if K::ATARI {
            self.note_atari(usize::from(self.heads[idx]));
        }
        n_taken
    }

    /// Captures the enemy chains next to `idx` that have no liberty left; `ko` is left at the last point freed.
    #[inline(always)]
    fn capture_around<const IS_BLACK: bool>(&mut self, idx: usize, enemies: u16) -> usize {
        let enemy = if IS_BLACK { Color::White } else { Color::Black };
        let mut n_taken = 0;
        let around = [idx.wrapping_sub(C::STRIDE), idx.wrapping_sub(1), idx + 1, idx + C::STRIDE];
        for (i, near) in around.into_iter().enumerate() {
            if enemies >> (2 * i) & 1 == 0 {
                continue;
            }
            let head = usize::from(self.heads[near]);
            if !self.adjacency[head].is_disjoint(&self.empty) {
                // Not captured, or captured a moment ago through another of its stones.
                if K::ATARI {
                    self.note_atari(head);
                }
                continue;
            }
            n_taken += self.remove_chain(near, enemy);
            self.ko = near as u16;
        }
        n_taken
    }

    /// Puts the stone at `idx` into its chain; `friends` are the neighbours of its colour.
    #[inline(always)]
    fn join(&mut self, idx: usize, friends: u16) {
        if friends == 0 {
            self.heads[idx] = idx as u16;
            self.next[idx] = idx as u16;
            self.n_stones[idx] = 1;
            self.adjacency[idx] = C::NEIGHBOURS[idx];
            return;
        }
        let around = [idx.wrapping_sub(C::STRIDE), idx.wrapping_sub(1), idx + 1, idx + C::STRIDE];
        let first = around[friends.trailing_zeros() as usize / 2];
        let mut head = usize::from(self.heads[first]);
        self.heads[idx] = head as u16;
        self.next[idx] = self.next[head];
        self.next[head] = idx as u16;
        self.n_stones[head] += 1;
        self.adjacency[head] = self.adjacency[head].union(&C::NEIGHBOURS[idx]);
        let mut rest = friends & (friends - 1);
        while rest != 0 {
            let near = around[rest.trailing_zeros() as usize / 2];
            rest &= rest - 1;
            let other = usize::from(self.heads[near]);
            if other != head {
                head = self.merge(head, other);
            }
        }
    }

    /// Makes one chain of two and returns its head. The smaller one is relabelled.
    #[inline]
    fn merge(&mut self, a: usize, b: usize) -> usize {
        let (keep, gone) = if self.n_stones[a] >= self.n_stones[b] { (a, b) } else { (b, a) };
        let mut stone = gone;
        loop {
            self.heads[stone] = keep as u16;
            stone = usize::from(self.next[stone]);
            if stone == gone {
                break;
            }
        }
        let after_gone = self.next[gone];
        self.next[gone] = self.next[keep];
        self.next[keep] = after_gone;
        self.n_stones[keep] += self.n_stones[gone];
        self.adjacency[keep] = self.adjacency[keep].union(&self.adjacency[gone]);
        keep
    }

    /// Takes the chain of the stone at `start` off the board and returns its number of stones.
    fn remove_chain(&mut self, start: usize, color: Color) -> usize {
        let mut n = 0;
        let mut stone = start;
        loop {
            self.colors[stone] = EMPTY;
            match color {
                Color::Black => self.toggle::<true>(stone),
                Color::White => self.toggle::<false>(stone),
            }
            if K::HASH {
                self.hash ^= C::ZOBRIST[color.idx()][stone];
            }
            self.give_empty(stone);
            n += 1;
            stone = usize::from(self.next[stone]);
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
    fn toggle<const IS_BLACK: bool>(&mut self, idx: usize) {
        let stone = u16::from(bits(IS_BLACK));
        // One window, one bounds check: all offsets inside it are constants.
        let window = &mut self.codes.as_mut()[idx..idx + 2 * C::STRIDE + 3];
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
    fn take_empty(&mut self, idx: usize) {
        self.empty.remove(Point::from_idx(idx));
        self.n_empty -= 1;
        let hole = self.empty_idx[idx];
        let last = self.empties[usize::from(self.n_empty)];
        self.empties[usize::from(hole)] = last;
        self.empty_idx[usize::from(last)] = hole;
    }

    /// Gives `idx` back to the empty points.
    #[inline(always)]
    fn give_empty(&mut self, idx: usize) {
        self.empty.insert(Point::from_idx(idx));
        self.empties[usize::from(self.n_empty)] = idx as u16;
        self.empty_idx[idx] = self.n_empty;
        self.n_empty += 1;
    }

    /// Remembers the chain if it is in atari now. A chain falls into atari only by a stone on one of its
    /// liberties or by merging, so looking at the chains around each move finds them all.
    #[inline(always)]
    fn note_atari(&mut self, head: usize) {
        if self.adjacency[head].meets_once(&self.empty) {
            self.atari.insert(Point::from_idx(head));
        } else {
            self.atari.remove(Point::from_idx(head));
        }
    }
}
