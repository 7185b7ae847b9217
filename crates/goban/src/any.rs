//! A board of any size: the four size classes behind one type, addressed by [`Vertex`].
//!
//! Games, records and clients use this; a search or a playout steps inside once with [`with_board!`](crate::with_board) and then
//! works on a statically known layout. Each variant is boxed: an unboxed one would make every 9×9 board as
//! large as a 25×25 one, and a move of the enum a copy of tens of kilobytes.

use std::fmt;

use crate::board::code::EyeRule;
use crate::board::{Board, Full};
use crate::class::{SizeClass, Upto9, Upto13, Upto19, Upto25};
use crate::color::Color;
use crate::point::Move;
use crate::set::PointSet;
use crate::setup::Setup;
use crate::vertex::{Size, Vertex};

/// A board of the smallest class that holds its size.
#[derive(Debug, PartialEq, Eq)]
pub enum AnyBoard {
    /// Boards up to 9×9.
    Upto9(Box<Board<Upto9>>),
    /// Boards up to 13×13.
    Upto13(Box<Board<Upto13>>),
    /// Boards up to 19×19.
    Upto19(Box<Board<Upto19>>),
    /// Boards up to 25×25.
    Upto25(Box<Board<Upto25>>),
}

/// Evaluates an expression with the statically typed board inside an [`AnyBoard`]; it is compiled once per
/// size class.
///
/// ```
/// use goban::{AnyBoard, Color, Move, Size, Vertex, with_board};
/// let mut any = AnyBoard::new(Size::square(9).unwrap());
/// let point = with_board!(&any, |board| board.point(Vertex::new(4, 4)));
/// with_board!(&mut any, |board| board.play(Color::Black, Move::at(point)));
/// assert_eq!(with_board!(&any, |board| board.n_empty()), 80);
/// ```
#[macro_export]
macro_rules! with_board {
    (&mut $any:expr, |$board:ident| $body:expr) => {
        match &mut $any {
            $crate::AnyBoard::Upto9(boxed) => {
                let $board = &mut **boxed;
                $body
            }
            $crate::AnyBoard::Upto13(boxed) => {
                let $board = &mut **boxed;
                $body
            }
            $crate::AnyBoard::Upto19(boxed) => {
                let $board = &mut **boxed;
                $body
            }
            $crate::AnyBoard::Upto25(boxed) => {
                let $board = &mut **boxed;
                $body
            }
        }
    };
    ($any:expr, |$board:ident| $body:expr) => {
        match $any {
            $crate::AnyBoard::Upto9(boxed) => {
                let $board = &**boxed;
                $body
            }
            $crate::AnyBoard::Upto13(boxed) => {
                let $board = &**boxed;
                $body
            }
            $crate::AnyBoard::Upto19(boxed) => {
                let $board = &**boxed;
                $body
            }
            $crate::AnyBoard::Upto25(boxed) => {
                let $board = &**boxed;
                $body
            }
        }
    };
}

impl Clone for AnyBoard {
    fn clone(&self) -> Self {
        match self {
            Self::Upto9(board) => Self::Upto9(board.clone()),
            Self::Upto13(board) => Self::Upto13(board.clone()),
            Self::Upto19(board) => Self::Upto19(board.clone()),
            Self::Upto25(board) => Self::Upto25(board.clone()),
        }
    }

    /// Copies into the memory already there if the size class is the same.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Upto9(to), Self::Upto9(from)) => **to = **from,
            (Self::Upto13(to), Self::Upto13(from)) => **to = **from,
            (Self::Upto19(to), Self::Upto19(from)) => **to = **from,
            (Self::Upto25(to), Self::Upto25(from)) => **to = **from,
            (to, from) => *to = from.clone(),
        }
    }
}

impl fmt::Display for AnyBoard {
    /// The drawing that [`Setup::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

impl AnyBoard {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        match size.width().max(size.height()) {
            0..=9 => Self::Upto9(Box::new(Board::new(size))),
            10..=13 => Self::Upto13(Box::new(Board::new(size))),
            14..=19 => Self::Upto19(Box::new(Board::new(size))),
            _ => Self::Upto25(Box::new(Board::new(size))),
        }
    }

    /// A board with the given stones, which never capture one another: every chain must have a liberty once
    /// all are placed. No point may be named twice.
    pub(crate) fn with_stones(size: Size, stones: impl Iterator<Item = (Vertex, Color)>) -> Self {
        let mut board = Self::new(size);
        // A part of a chain has the rest of it as liberties, so the order does not matter.
        stones.for_each(|(vertex, color)| {
            board.play(color, vertex);
        });
        board.clear_ko();
        board
    }

    /// The stones as a setup.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup::new(self.size());
        for color in Color::BOTH {
            for vertex in self.stones(color) {
                // Stones of a board are on it.
                let _ = setup.set(vertex, Some(color));
            }
        }
        setup
    }

    /// The board inside, if its size class is `C`.
    pub fn of_class<C: SizeClass>(&self) -> Option<&Board<C>> {
        with_board!(self, |board| (board as &dyn std::any::Any).downcast_ref())
    }

    /// Takes all stones off, keeping the memory.
    pub fn clear(&mut self) {
        let size = self.size();
        with_board!(&mut *self, |board| *board = Board::new(size));
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        with_board!(self, |board| board.size())
    }

    /// The colour of the stone at `vertex`; `None` at an empty point, off the board and for a pass.
    pub fn stone(&self, vertex: Vertex) -> Option<Color> {
        let at_point = |_| with_board!(self, |board| board.stone(board.point(vertex)));
        self.size().contains(vertex).then_some(()).and_then(at_point)
    }

    /// True for an empty point of the board.
    pub fn is_empty(&self, vertex: Vertex) -> bool {
        self.size().contains(vertex) && self.stone(vertex).is_none()
    }

    /// Plays a legal move and returns the number of stones it captures; see [`Board::play`].
    /// [`Position`](crate::Position) checks moves from outside.
    ///
    /// # Panics
    /// If the vertex is neither an empty point of the board nor a pass.
    pub fn play(&mut self, color: Color, vertex: Vertex) -> usize {
        let is_playable = vertex.is_pass() || self.is_empty(vertex);
        assert!(is_playable, "{} is no empty point of the board", self.size().describe(vertex));
        with_board!(&mut *self, |board| board.play(color, board.to_move(vertex)))
    }

    /// True if the stones on the board and the simple ko allow the move, without suicide. A pass is legal.
    pub fn is_legal(&self, color: Color, vertex: Vertex) -> bool {
        vertex.is_pass()
            || self.size().contains(vertex)
                && with_board!(self, |board| board.is_legal(color, board.point(vertex)))
    }

    /// Number of liberties of the chain at `vertex`; 0 where there is no stone.
    pub fn n_liberties(&self, vertex: Vertex) -> usize {
        if self.stone(vertex).is_none() {
            return 0;
        }
        with_board!(self, |board| board.liberties(board.point(vertex)).len())
    }

    /// The liberties of the chain at `vertex`, row by row; none where there is no stone.
    pub fn liberties(&self, vertex: Vertex) -> Vec<Vertex> {
        if self.stone(vertex).is_none() {
            return Vec::new();
        }
        with_board!(self, |board| to_vertices(board, &board.liberties(board.point(vertex))))
    }

    /// The stones of the chain at `vertex`, that one first; none where there is no stone.
    pub fn chain(&self, vertex: Vertex) -> Vec<Vertex> {
        if self.stone(vertex).is_none() {
            return Vec::new();
        }
        with_board!(self, |board| {
            board.chain(board.point(vertex)).map(|point| board.vertex(Move::at(point))).collect()
        })
    }

    /// Every chain of both colours once, by the first of its stones row by row.
    pub fn chains(&self) -> Vec<(Color, Vec<Vertex>)> {
        let mut seen = std::collections::HashSet::new();
        let mut chains = Vec::new();
        for vertex in self.size().vertices() {
            if let Some(color) = self.stone(vertex).filter(|_| !seen.contains(&vertex)) {
                let chain = self.chain(vertex);
                seen.extend(chain.iter().copied());
                chains.push((color, chain));
            }
        }
        chains
    }

    /// The stones of one colour, row by row.
    pub fn stones(&self, color: Color) -> Vec<Vertex> {
        with_board!(self, |board| to_vertices(board, &board.stones(color)))
    }

    /// True if both boards have the same size and the same stones.
    pub fn has_same_stones(&self, other: &Self) -> bool {
        let size = self.size();
        size == other.size() && size.vertices().all(|vertex| self.stone(vertex) == other.stone(vertex))
    }

    /// Number of stones of one colour on the board.
    pub fn n_on_board(&self, color: Color) -> usize {
        with_board!(self, |board| board.n_on_board(color))
    }

    /// Number of stones of `color` captured since the board was empty.
    pub fn n_captured(&self, color: Color) -> u32 {
        with_board!(self, |board| board.n_captured(color))
    }

    /// Number of empty points.
    pub fn n_empty(&self) -> usize {
        with_board!(self, |board| board.n_empty())
    }

    /// The point that may not be retaken at once, if a ko was just taken.
    pub fn ko(&self) -> Option<Vertex> {
        with_board!(self, |board| board.ko().map(|point| board.vertex(Move::at(point))))
    }

    /// Forgets the ko.
    pub fn clear_ko(&mut self) {
        with_board!(&mut *self, |board| board.clear_ko());
    }

    /// The hash of the stones on the board, the same in every size class.
    pub fn hash(&self) -> u64 {
        with_board!(self, |board| board.hash())
    }

    /// True if `vertex` is an empty point that `rule` calls an eye of `color`.
    pub fn is_eye(&self, vertex: Vertex, color: Color, rule: EyeRule) -> bool {
        self.is_empty(vertex) && with_board!(self, |board| board.is_eye(board.point(vertex), color, rule))
    }

    /// Area of Black and of White with every stone alive; see [`Board::area`].
    pub fn area(&self) -> (usize, usize) {
        with_board!(self, |board| board.area())
    }

    /// Who owns each point when every stone is alive, row by row from the top left.
    pub fn owners(&self) -> Vec<Option<Color>> {
        let size = self.size();
        let mut owners = vec![None; size.area()];
        with_board!(self, |board| board.each_owner(|point, owner| {
            let vertex = board.vertex(Move::at(point));
            owners[vertex.row() * size.width() + vertex.col()] = owner;
        }));
        owners
    }
}

/// The points of a set as vertices, row by row.
pub(crate) fn to_vertices<C: SizeClass>(board: &Board<C, Full>, set: &C::Set) -> Vec<Vertex> {
    set.iter().map(|point| board.vertex(Move::at(point))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_size_has_the_smallest_class() {
        let class = |w, h| match AnyBoard::new(Size::new(w, h).unwrap()) {
            AnyBoard::Upto9(_) => 9,
            AnyBoard::Upto13(_) => 13,
            AnyBoard::Upto19(_) => 19,
            AnyBoard::Upto25(_) => 25,
        };
        assert_eq!([class(2, 2), class(9, 9), class(10, 2)], [9, 9, 13]);
        assert_eq!([class(2, 13), class(14, 14), class(19, 19)], [13, 19, 19]);
        assert_eq!([class(20, 3), class(25, 25)], [25, 25]);
        assert!(size_of::<AnyBoard>() <= 16);
    }

    #[test]
    fn questions_off_the_board_have_answers() {
        let board = AnyBoard::new(Size::square(5).unwrap());
        let off = Vertex::new(20, 20);
        assert!(!board.is_legal(Color::Black, off) && board.is_legal(Color::Black, Vertex::PASS));
        assert_eq!((board.stone(off), board.n_liberties(off), board.is_empty(off)), (None, 0, false));
        assert!(board.chain(Vertex::PASS).is_empty());
    }

    #[test]
    fn copies_reuse_their_memory() {
        let mut small = AnyBoard::new(Size::square(9).unwrap());
        let mut other = small.clone();
        other.play(Color::White, Vertex::new(3, 3));
        small.clone_from(&other);
        assert_eq!(small, other);
        small.clone_from(&AnyBoard::new(Size::square(19).unwrap()));
        assert_eq!(small.size().width(), 19);
    }
}
