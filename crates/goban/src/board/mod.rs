//! The board: stones, chains with exact liberties, ko; nothing about turns, history or komi.
//!
//! A chain keeps the union of its stones' neighbour masks, the board keeps one set of empty points, and a
//! chain's liberties are the intersection of the two. So placing or capturing a stone touches no neighbouring
//! chain, and liberties are always exact. Everything lives in arrays inside the struct: copying is a `memcpy`
//! and nothing is ever allocated.
//!
//! Reading order: [`code`] (3×3 neighbourhoods and eyes), this file (state and questions), `play` (placing,
//! merging, capturing), `legal` (which moves are allowed).

mod area;
pub mod code;
mod legal;
mod play;

use std::fmt;
use std::marker::PhantomData;

use crate::class::{SizeClass, Table};
use crate::color::Color;
use crate::point::{Move, Point};
use crate::set::PointSet;
use crate::vertex::{Size, Vertex};
use code::{Code, EyeRule};

/// What a board keeps up to date besides stones and chains.
pub trait Keep: Copy + Clone + fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The Zobrist hash of the stones.
    const HASH: bool;
    /// The chains in atari.
    const ATARI: bool;
}

/// Keeps everything: for games, trees and tactics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;
/// Keeps the chains in atari but no hash: for playouts that look at tactics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tactical;
/// Keeps neither: for the lightest playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lean;

impl Keep for Full {
    const HASH: bool = true;
    const ATARI: bool = true;
}
impl Keep for Tactical {
    const HASH: bool = false;
    const ATARI: bool = true;
}
impl Keep for Lean {
    const HASH: bool = false;
    const ATARI: bool = false;
}

/// What stands at a point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// No stone.
    Empty,
    /// A stone.
    Stone(Color),
}

/// `colors` entries: 0 is empty, a stone is the two bits it has in a [`Code`].
const EMPTY: u8 = 0;

/// A Go board of size class `C` that keeps what `K` says.
#[derive(Clone, Copy)]
pub struct Board<C: SizeClass, K: Keep = Full> {
    /// Per chain (at its head's index): the union of its stones' neighbour masks.
    adjacency: C::Table<C::Set>,
    /// The 3×3 neighbourhood of each point.
    codes: C::Padded<u16>,
    /// Per stone: the head of its chain, one of the chain's stones.
    heads: C::Table<u16>,
    /// Per stone: the next stone of its chain, in a circle.
    next: C::Table<u16>,
    /// Per chain (at its head's index): its number of stones.
    n_stones: C::Table<u16>,
    /// The empty points, in no order.
    empties: C::Table<u16>,
    /// Per empty point: its place in `empties`.
    empty_idx: C::Table<u16>,
    colors: C::Table<u8>,
    empty: C::Set,
    /// Heads of chains that were in atari when last looked at; checked again when asked for.
    atari: C::Set,
    hash: u64,
    n_empty: u16,
    /// The point at which a ko may not be retaken now; `NO_POINT` otherwise.
    ko: u16,
    /// Stones on the board by colour.
    n_on_board: [u16; 2],
    /// Stones captured so far, by the colour of the captured stones.
    n_captured: [u32; 2],
    size: Size,
    keep: PhantomData<K>,
}

const NO_POINT: u16 = u16::MAX;

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// An empty board. `size` must fit the class.
    ///
    /// # Panics
    /// If a side is longer than the class allows; [`AnyBoard::new`](crate::AnyBoard::new) picks the class.
    pub fn new(size: Size) -> Self {
        assert!(size.width() <= C::SIDE && size.height() <= C::SIDE, "{size} does not fit class {}", C::SIDE);
        let mut board = Self {
            adjacency: Table::filled(C::Set::EMPTY),
            codes: Table::filled(0),
            heads: Table::filled(NO_POINT),
            next: Table::filled(NO_POINT),
            n_stones: Table::filled(0),
            empties: Table::filled(NO_POINT),
            empty_idx: Table::filled(NO_POINT),
            colors: Table::filled(EMPTY),
            empty: C::on_board(size),
            atari: C::Set::EMPTY,
            hash: 0,
            n_empty: size.area() as u16,
            ko: NO_POINT,
            n_on_board: [0; 2],
            n_captured: [0; 2],
            size,
            keep: PhantomData,
        };
        for (n, vertex) in size.vertices().enumerate() {
            let point = C::point(vertex);
            board.codes[point.idx() + C::STRIDE + 1] = Code::of_empty_board(size, vertex).0;
            board.empties[n] = point.idx() as u16;
            board.empty_idx[point.idx()] = n as u16;
        }
        board
    }

    /// The same board keeping less; what the target keeps and this board does not would be stale, so a board
    /// can only be copied to one that keeps no more.
    #[inline]
    pub fn keeping<L: Keep>(&self) -> Board<C, L> {
        const { assert!((K::HASH || !L::HASH) && (K::ATARI || !L::ATARI), "a copy cannot keep more") };
        Board {
            adjacency: self.adjacency,
            codes: self.codes,
            heads: self.heads,
            next: self.next,
            n_stones: self.n_stones,
            empties: self.empties,
            empty_idx: self.empty_idx,
            colors: self.colors,
            empty: self.empty,
            atari: self.atari,
            hash: self.hash,
            n_empty: self.n_empty,
            ko: self.ko,
            n_on_board: self.n_on_board,
            n_captured: self.n_captured,
            size: self.size,
            keep: PhantomData,
        }
    }

    /// Width and height.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The point of a vertex on this board.
    #[inline]
    pub fn point(&self, vertex: Vertex) -> Point {
        C::point(vertex)
    }

    /// The vertex of a point or pass.
    #[inline]
    pub fn vertex(&self, mv: Move) -> Vertex {
        mv.point().map_or(Vertex::PASS, C::vertex)
    }

    /// The move to a vertex of this board, or the pass.
    #[inline]
    pub fn to_move(&self, vertex: Vertex) -> Move {
        if vertex.is_pass() { Move::PASS } else { Move::at(C::point(vertex)) }
    }

    /// What stands at `point`, which must be on the board.
    #[inline(always)]
    pub fn at(&self, point: Point) -> Content {
        match self.colors[point.idx()] {
            EMPTY => Content::Empty,
            bits => Content::Stone(if bits == BLACK { Color::Black } else { Color::White }),
        }
    }

    /// The colour of the stone at `point`, if there is one.
    #[inline(always)]
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.at(point) {
            Content::Empty => None,
            Content::Stone(color) => Some(color),
        }
    }

    /// The 3×3 neighbourhood of `point`.
    #[inline(always)]
    pub fn code(&self, point: Point) -> Code {
        Code(self.codes[point.idx() + C::STRIDE + 1])
    }

    /// The set of empty points.
    #[inline(always)]
    pub fn empty(&self) -> &C::Set {
        &self.empty
    }

    /// The empty points in no particular order, for drawing one by number.
    #[inline(always)]
    pub fn empties(&self) -> impl ExactSizeIterator<Item = Point> + Clone {
        self.empties.as_ref()[..usize::from(self.n_empty)].iter().map(|&p| Point::from_idx(usize::from(p)))
    }

    /// Number of empty points.
    #[inline(always)]
    pub fn n_empty(&self) -> usize {
        usize::from(self.n_empty)
    }

    /// The empty point with number `n` below [`Board::n_empty`].
    #[inline(always)]
    pub fn empty_nth(&self, n: usize) -> Point {
        Point::from_idx(usize::from(self.empties[n]))
    }

    /// Exchanges two entries of the list of empty points. Sampling without replacement draws an entry, moves a
    /// refused one behind the others and draws again: exactly uniform, without memory.
    #[inline(always)]
    pub fn swap_empties(&mut self, a: usize, b: usize) {
        let (p, q) = (self.empties[a], self.empties[b]);
        self.empties[a] = q;
        self.empties[b] = p;
        self.empty_idx[usize::from(q)] = a as u16;
        self.empty_idx[usize::from(p)] = b as u16;
    }

    /// All stones of one colour.
    pub fn stones(&self, color: Color) -> C::Set {
        let mut set = C::Set::EMPTY;
        for vertex in self.size.vertices() {
            let point = C::point(vertex);
            if self.stone(point) == Some(color) {
                set.insert(point);
            }
        }
        set
    }

    /// Number of stones of one colour on the board.
    #[inline]
    pub fn n_on_board(&self, color: Color) -> usize {
        usize::from(self.n_on_board[color.idx()])
    }

    /// Number of stones of `color` captured since the board was empty.
    #[inline]
    pub fn n_captured(&self, color: Color) -> u32 {
        self.n_captured[color.idx()]
    }

    /// The point that may not be retaken at once, if a ko was just taken.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        (self.ko != NO_POINT).then(|| Point::from_idx(usize::from(self.ko)))
    }

    /// Forgets the ko: the next move may be anywhere.
    #[inline]
    pub fn clear_ko(&mut self) {
        self.ko = NO_POINT;
    }

    /// A name for the chain of the stone at `point`: the same for all its stones until the chain changes.
    #[inline(always)]
    pub fn head(&self, point: Point) -> Point {
        debug_assert!(self.stone(point).is_some());
        Point::from_idx(usize::from(self.heads[point.idx()]))
    }

    /// Number of stones in the chain of the stone at `point`.
    #[inline]
    pub fn chain_len(&self, point: Point) -> usize {
        usize::from(self.n_stones[self.head(point).idx()])
    }

    /// The stones of the chain of the stone at `point`, that one first.
    #[inline]
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let start = point.idx();
        let mut here = Some(start);
        std::iter::from_fn(move || {
            let idx = here?;
            let next = usize::from(self.next[idx]);
            here = (next != start).then_some(next);
            Some(Point::from_idx(idx))
        })
    }

    /// The liberties of the chain of the stone at `point`.
    #[inline(always)]
    pub fn liberties(&self, point: Point) -> C::Set {
        self.adjacency[self.head(point).idx()].intersection(&self.empty)
    }

    /// The neighbours of `point` on the board, in no particular order.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<C, K> {
        let code = self.code(point);
        let idx = point.idx();
        let around = [idx.wrapping_sub(C::STRIDE), idx.wrapping_sub(1), idx + 1, idx + C::STRIDE];
        (0..4).filter(move |&i| !code.is_off(i)).map(move |i| Point::from_idx(around[i]))
    }

    /// True if `point` is an eye of `color` that a playout does not fill.
    #[inline]
    pub fn is_eye(&self, point: Point, color: Color, rule: EyeRule) -> bool {
        self.code(point).is_eye(color, rule)
    }
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// The hash of the stones on the board; only where the board keeps it.
    #[inline]
    pub fn hash(&self) -> u64 {
        const { assert!(K::HASH, "this board keeps no hash") };
        self.hash
    }

    /// Heads of all chains of `color` with exactly one liberty; only where the board keeps them.
    pub fn chains_in_atari(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        const { assert!(K::ATARI, "this board keeps no chains in atari") };
        self.atari.iter().filter(move |&head| self.is_in_atari(head) && self.stone(head) == Some(color))
    }

    /// True if `head` names a chain with exactly one liberty.
    fn is_in_atari(&self, head: Point) -> bool {
        self.stone(head).is_some()
            && usize::from(self.heads[head.idx()]) == head.idx()
            && self.adjacency[head.idx()].meets_once(&self.empty)
    }
}

/// The bits of a stone in `colors` and in a [`Code`].
pub(crate) const BLACK: u8 = 1;
pub(crate) const WHITE: u8 = 2;

impl<C: SizeClass, K: Keep> PartialEq for Board<C, K> {
    /// Same stones and same ko; how the boards came about does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.ko == other.ko && self.colors.as_ref() == other.colors.as_ref()
    }
}

impl<C: SizeClass, K: Keep> Eq for Board<C, K> {}

impl<C: SizeClass, K: Keep> fmt::Debug for Board<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} board, ko {:?}", self.size, self.ko().map(|ko| self.size.show(C::vertex(ko))))?;
        for row in 0..self.size.height() {
            for col in 0..self.size.width() {
                let sign = match self.at(C::point(Vertex::new(col, row))) {
                    Content::Empty => '.',
                    Content::Stone(Color::Black) => 'X',
                    Content::Stone(Color::White) => 'O',
                };
                write!(f, "{sign}{}", if col + 1 < self.size.width() { " " } else { "\n" })?;
            }
        }
        Ok(())
    }
}
