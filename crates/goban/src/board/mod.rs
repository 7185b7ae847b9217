//! The board: stones, chains with exact liberties, ko; nothing about turns, history or komi.
//!
//! A chain keeps the union of its stones' neighbour masks, the board keeps one set of empty points, and a
//! chain's liberties are the intersection of the two. So placing or capturing a stone touches no neighbouring
//! chain, and liberties are always exact. Everything lives in arrays inside the struct: copying is a `memcpy`
//! and nothing is ever allocated.
//!
//! Reading order: [`code`] (3×3 neighbourhoods and eyes), this file (state and questions), `play` (placing,
//! merging, capturing), `legal` (which moves are allowed), `beside` (the chains around a point).

mod area;
mod beside;
pub mod code;
mod legal;
mod play;
mod table;

pub use beside::AdjacentChains;

use std::fmt;
use std::marker::PhantomData;

use crate::class::{CompactInt, SizeClass};
use crate::color::Color;
use crate::point::{Move, Point};
use crate::sealed::Sealed;
use crate::set::PointSet;
use crate::vertex::{Size, Vertex};
use code::{Code, EyeRule};
use table::{Bordered, Idx, PerPoint};

/// The parts of a board's state that it keeps up to date besides stones and chains. [`Full`], [`Tactical`] and [`Lean`]
/// are all there are: other combinations are not tested, and cannot be made.
///
/// ```compile_fail,E0277
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct OnlySuicide;
/// impl goban::Keep for OnlySuicide {
///     const HASH: bool = false;
///     const ATARI: bool = false;
///     const SUICIDE: bool = true;
/// }
/// ```
pub trait Keep: Sealed + Copy + Clone + fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The Zobrist hash of the stones.
    const HASH: bool;
    /// The chains in atari.
    const ATARI: bool;
    /// True if suicide may be played: playouts never do, and save themselves the look.
    const SUICIDE: bool;
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
    const SUICIDE: bool = true;
}
impl Keep for Tactical {
    const HASH: bool = false;
    const ATARI: bool = true;
    const SUICIDE: bool = false;
}
impl Keep for Lean {
    const HASH: bool = false;
    const ATARI: bool = false;
    const SUICIDE: bool = false;
}

/// The content of a point of the board: empty or a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// No stone.
    Empty,
    /// A stone.
    Stone(Color),
}

/// A Go board of size class `C` that keeps what `K` says.
///
/// A class and a size that fits it are all that a board is made of; its arrays cannot be handed in:
///
/// ```compile_fail,E0451
/// let board: goban::Board<goban::Upto9> = goban::Board { state: todo!(), keep: std::marker::PhantomData };
/// ```
#[derive(Clone, Copy)]
pub struct Board<C: SizeClass, K: Keep = Full> {
    state: BoardState<C>,
    keep: PhantomData<K>,
}

/// All a board has in memory, whatever it keeps up to date: so boards that keep different things are copied to each
/// other in one go.
#[derive(Clone, Copy)]
struct BoardState<C: SizeClass> {
    /// Per chain (at its head's index): the union of its stones' neighbour masks.
    adjacency: PerPoint<C, C::Set>,
    /// The 3×3 neighbourhood of each point.
    codes: Bordered<C, u16>,
    /// Per stone: the head of its chain, one of the chain's stones.
    heads: Bordered<C, Idx<C>>,
    /// Per stone: the next stone of its chain, in a circle.
    next: PerPoint<C, Idx<C>>,
    /// Per chain (at its head's index): its number of stones.
    n_stones: PerPoint<C, C::CompactInt>,
    /// Per chain (at its head's index): its liberties when last counted, which is right for the chains that the last
    /// stone touches; only where the chains in atari are kept.
    n_liberties: PerPoint<C, C::CompactInt>,
    /// The empty points, in no order.
    empties: PerPoint<C, Idx<C>>,
    /// Per empty point: its place in `empties`.
    empty_idx: PerPoint<C, Idx<C>>,
    empty: C::Set,
    /// Last liberties of chains in atari, by the colour of the chains. The liberty of a chain that has gained others since
    /// by a capture may be there too; all are empty points.
    atari: [C::Set; 2],
    hash: u64,
    n_empty: u16,
    /// Where the last stone was placed; only where the chains in atari are kept.
    last: u16,
    /// One bit for each number of liberties that an enemy chain beside the last stone has; bit 7 stands for all above.
    beside_last: u8,
    /// The point at which a ko may not be retaken now; `NO_POINT` otherwise.
    ko: u16,
    /// Stones on the board by colour.
    n_on_board: [u16; 2],
    /// Stones captured so far, by the colour of the captured stones.
    n_captured: [u32; 2],
    size: Size,
}

const NO_POINT: u16 = u16::MAX;

/// An entry of a board's list of empty points; valid until the board changes.
///
/// Only a board makes one, so its indices are those of the size class:
///
/// ```compile_fail,E0451
/// let far: goban::EmptyPoint<goban::Upto9> = goban::EmptyPoint { place: todo!(), idx: todo!() };
/// ```
#[derive(Clone, Copy)]
pub struct EmptyPoint<C: SizeClass> {
    /// Where in the list.
    place: Idx<C>,
    /// Which point.
    idx: Idx<C>,
}

impl<C: SizeClass> EmptyPoint<C> {
    /// The empty point.
    #[inline(always)]
    pub fn point(self) -> Point {
        self.idx.point()
    }
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// An empty board. `size` must fit the class.
    ///
    /// # Panics
    /// If a side is longer than the class allows; [`AnyBoard::new`](crate::AnyBoard::new) picks the class.
    pub fn new(size: Size) -> Self {
        assert!(size.width() <= C::SIDE && size.height() <= C::SIDE, "{size} does not fit class {}", C::SIDE);
        let state = BoardState {
            adjacency: PerPoint::filled(C::Set::EMPTY),
            codes: Bordered::filled(0),
            heads: Bordered::filled(Idx::new(0)),
            next: PerPoint::filled(Idx::new(0)),
            n_stones: PerPoint::filled(CompactInt::pack(0)),
            n_liberties: PerPoint::filled(CompactInt::pack(0)),
            empties: PerPoint::filled(Idx::new(0)),
            empty_idx: PerPoint::filled(Idx::new(0)),
            empty: C::on_board(size),
            atari: [C::Set::EMPTY; 2],
            hash: 0,
            n_empty: size.area() as u16,
            last: NO_POINT,
            beside_last: 0,
            ko: NO_POINT,
            n_on_board: [0; 2],
            n_captured: [0; 2],
            size,
        };
        let mut board = Self { state, keep: PhantomData };
        for (n, vertex) in size.vertices().enumerate() {
            let point = C::point(vertex);
            let (idx, n) = (Idx::of(point), Idx::new(n));
            board.state.codes.set(idx, Code::of_empty_board(size, vertex).0);
            *board.state.empties.at_mut(n) = idx;
            *board.state.empty_idx.at_mut(idx) = n;
        }
        board
    }

    /// The same board keeping less; what the target keeps and this board does not would be stale, so a board
    /// can only be copied to one that keeps no more.
    #[inline]
    pub fn keeping<L: Keep>(&self) -> Board<C, L> {
        const { assert!((K::HASH || !L::HASH) && (K::ATARI || !L::ATARI), "a copy cannot keep more") };
        Board { state: self.state, keep: PhantomData }
    }

    /// Becomes the same board as `other`, as by [`Board::keeping`] but in place: what a playout starts with.
    #[inline]
    pub fn copy_from<L: Keep>(&mut self, other: &Board<C, L>) {
        const { assert!((L::HASH || !K::HASH) && (L::ATARI || !K::ATARI), "a copy cannot keep more") };
        self.state = other.state;
    }

    /// Width and height.
    #[inline]
    pub fn size(&self) -> Size {
        self.state.size
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

    /// The content of `point`, which must be on the board.
    #[inline(always)]
    pub fn at(&self, point: Point) -> Content {
        // The code of the point to the east has this one as its western neighbour, also across the border.
        let east = self.state.codes.window(Idx::of(point))[C::STRIDE + 2];
        match east >> 2 & 3 {
            0 => Content::Empty,
            BLACK => Content::Stone(Color::Black),
            _ => Content::Stone(Color::White),
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

    /// True if a stone of `color` stands at `point`.
    #[inline(always)]
    pub fn is_stone(&self, point: Point, color: Color) -> bool {
        let east = self.state.codes.window(Idx::of(point))[C::STRIDE + 2];
        east >> 2 & 3 == color as u16 + BLACK
    }

    /// The 3×3 neighbourhood of `point`.
    #[inline(always)]
    pub fn code(&self, point: Point) -> Code {
        Code(self.state.codes.at(Idx::of(point)))
    }

    /// The 3×3 neighbourhoods of the eight points around `point`: N, W, E, S, NW, NE, SW, SE. They mean nothing for
    /// points off the board.
    #[inline(always)]
    pub fn codes_around(&self, point: Point) -> [Code; 8] {
        let window = self.state.codes.window(Idx::of(point));
        let (middle, below) = (C::STRIDE, 2 * C::STRIDE);
        [1, middle, middle + 2, below + 1, 0, 2, below, below + 2].map(|i| Code(window[i]))
    }

    /// The set of empty points.
    #[inline(always)]
    pub fn empty(&self) -> &C::Set {
        &self.state.empty
    }

    /// The empty points in no particular order, for drawing one by number.
    #[inline(always)]
    pub fn empties(&self) -> impl ExactSizeIterator<Item = Point> + Clone {
        self.state.empties.as_slice()[..usize::from(self.state.n_empty)].iter().map(|idx| idx.point())
    }

    /// Number of empty points.
    #[inline(always)]
    pub fn n_empty(&self) -> usize {
        usize::from(self.state.n_empty)
    }

    /// The entry with number `n` below [`Board::n_empty`] of the list of empty points.
    #[inline(always)]
    pub fn empty_nth(&self, n: usize) -> EmptyPoint<C> {
        let place = Idx::new(n);
        EmptyPoint { place, idx: *self.state.empties.at(place) }
    }

    /// Moves an entry of the list of empty points behind the first `n_left`, of which it is one. Sampling
    /// without replacement draws an entry, moves a refused one behind the others and draws again: as uniform as
    /// [`Rng::below`](crate::Rng::below), without memory.
    #[inline(always)]
    pub fn set_aside(&mut self, entry: EmptyPoint<C>, n_left: usize) {
        let end = Idx::new(n_left);
        let other = *self.state.empties.at(end);
        *self.state.empties.at_mut(entry.place) = other;
        *self.state.empties.at_mut(end) = entry.idx;
        *self.state.empty_idx.at_mut(other) = entry.place;
        *self.state.empty_idx.at_mut(entry.idx) = end;
    }

    /// The 3×3 neighbourhood of a listed empty point.
    #[inline(always)]
    pub fn code_at(&self, entry: EmptyPoint<C>) -> Code {
        Code(self.state.codes.at(entry.idx))
    }

    /// All stones of one colour.
    pub fn stones(&self, color: Color) -> C::Set {
        let mut set = C::Set::EMPTY;
        for vertex in self.state.size.vertices() {
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
        usize::from(self.state.n_on_board[color.idx()])
    }

    /// Number of stones of `color` captured since the board was empty.
    #[inline]
    pub fn n_captured(&self, color: Color) -> u32 {
        self.state.n_captured[color.idx()]
    }

    /// The point that may not be retaken at once, if a ko was just taken.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        (self.state.ko != NO_POINT).then(|| Point::from_idx(usize::from(self.state.ko)))
    }

    /// Forgets the ko: the next move may be anywhere.
    #[inline]
    pub fn clear_ko(&mut self) {
        self.state.ko = NO_POINT;
    }

    /// A name for the chain of the stone at `point`: the same for all its stones until the chain changes.
    #[inline(always)]
    pub fn head(&self, point: Point) -> Point {
        debug_assert!(self.stone(point).is_some());
        self.state.heads.at(Idx::of(point)).point()
    }

    /// Number of stones in the chain of the stone at `point`.
    #[inline]
    pub fn chain_len(&self, point: Point) -> usize {
        self.state.n_stones.at(self.state.heads.at(Idx::of(point))).unpack()
    }

    /// The stones of the chain of the stone at `point`, that one first.
    #[inline]
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let start = Idx::of(point);
        let mut here = Some(start);
        std::iter::from_fn(move || {
            let idx = here?;
            let next = *self.state.next.at(idx);
            here = (next != start).then_some(next);
            Some(idx.point())
        })
    }

    /// The liberties of the chain of the stone at `point`.
    #[inline(always)]
    pub fn liberties(&self, point: Point) -> C::Set {
        self.state.adjacency.at(self.state.heads.at(Idx::of(point))).intersection(&self.state.empty)
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
        self.state.hash
    }

    /// The last liberties of the chains of `color` in atari; that of a chain which has gained others by a capture may be among them.
    /// Only where the board keeps the chains in atari.
    #[inline(always)]
    pub fn last_liberties(&self, color: Color) -> &C::Set {
        const { assert!(K::ATARI, "this board keeps no chains in atari") };
        &self.state.atari[color.idx()]
    }

    /// Heads of all chains of `color` with exactly one liberty, in the order of their indices; only where the board keeps
    /// them.
    pub fn chains_in_atari(&self, color: Color) -> impl Iterator<Item = Point> + use<C, K> {
        const { assert!(K::ATARI, "this board keeps no chains in atari") };
        let mut heads = C::Set::EMPTY;
        for liberty in self.state.atari[color.idx()].iter() {
            let in_atari = |head: &Point| self.has_one_liberty(*head);
            let found = self.chains_beside(liberty, color).into_iter().filter(in_atari);
            found.for_each(|head| heads.insert(head));
        }
        heads.iter()
    }
}

/// The bits of a stone in a [`Code`].
pub(crate) const BLACK: u16 = 1;
pub(crate) const WHITE: u16 = 2;

impl<C: SizeClass, K: Keep> PartialEq for Board<C, K> {
    /// Same stones and same ko; how the boards came about does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.state.size == other.state.size
            && self.state.ko == other.state.ko
            && self.state.codes.as_slice() == other.state.codes.as_slice()
    }
}

impl<C: SizeClass, K: Keep> Eq for Board<C, K> {}

impl<C: SizeClass, K: Keep> fmt::Debug for Board<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} board, ko {:?}",
            self.state.size,
            self.ko().map(|ko| self.state.size.show(C::vertex(ko)))
        )?;
        for row in 0..self.state.size.height() {
            for col in 0..self.state.size.width() {
                let sign = match self.at(C::point(Vertex::new(col, row))) {
                    Content::Empty => '.',
                    Content::Stone(Color::Black) => 'X',
                    Content::Stone(Color::White) => 'O',
                };
                write!(f, "{sign}{}", if col + 1 < self.state.size.width() { " " } else { "\n" })?;
            }
        }
        Ok(())
    }
}
