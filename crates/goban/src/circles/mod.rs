//! Circular patterns: what stands around a point, in circles of growing size, as numbers: the same number for the same
//! surroundings, however they are turned, reflected or coloured, as the mover sees them. [Stern, Herbrich & Graepel 2006;
//! Coulom 2007]
//!
//! There are two rows of circles. *Wide* ones know own stones, enemy stones and the edge, and grow until they hold all of a
//! 9×9 board from wherever they are drawn. *Close* ones also know the liberties of every chain (one, two, more) and the
//! last move.
//!
//! What stands in a circle is hashed by exclusive or, so the places that a circle adds to the one within it are taken a few
//! at a time: four of them have one byte that says what stands on all four, made for all points at once in loops that
//! vectorise, and one row of a table that holds the hash of each such byte. Outer circles get their bytes when the
//! first point of the board asks for them.

mod tables;

use std::ops::Range;

use crate::board::{Board, Keep};
use crate::class::{PointMap, SizeClass};
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;
use crate::vertex::Vertex;
use tables::{CLOSE_START, GroupHashes, GroupTable, N_PAIRS, N_QUADS, PAIR, QUAD, Views, WIDE_START, add};

/// Points that circles reach in either direction.
const REACH: usize = 8;

/// Circles hold the points up to these distances, |Δx| + |Δy| + max(|Δx|, |Δy|).
const WIDE: [usize; 10] = [4, 5, 6, 7, 8, 9, 10, 12, 14, 3 * REACH];
const CLOSE: [usize; 5] = [2, 3, 4, 5, 6];

/// The number of circles around a point, the wide ones first.
pub const N_CIRCLES: usize = WIDE.len() + CLOSE.len();

/// The content of a point as wide circles see it.
#[derive(Clone, Copy)]
#[repr(u8)]
enum WideKind {
    Empty,
    Own,
    Enemy,
    Edge,
}

/// The content of a point as close circles see it: stones by their liberties.
#[derive(Clone, Copy)]
#[repr(u8)]
enum CloseKind {
    Empty,
    Own1,
    Own2,
    Own3,
    Enemy1,
    Enemy2,
    Enemy3,
    Edge,
}

/// A stone by its liberties: one, two, more.
const OWN: [CloseKind; 3] = [CloseKind::Own1, CloseKind::Own2, CloseKind::Own3];
const ENEMY: [CloseKind; 3] = [CloseKind::Enemy1, CloseKind::Enemy2, CloseKind::Enemy3];

/// A circle around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Which one, below [`N_CIRCLES`]: the wide ones from small to large, then the close ones.
    pub level: u8,
    /// The hash of its contents; not 0.
    pub key: u32,
}

/// The mark of the last move beside the [`CloseKind`] of its point.
const LAST: u8 = 8;

/// N times one byte for each point of a board, whose rows lie `SIDE + REACH` apart as in [`Cells`].
type Codes<C, const N: usize> = <C as SizeClass>::PointMap<[[u8; 2]; N]>;

/// One byte for each point of a board and of the edge around it; a row's right edge is the next one's left.
type Cells<C> = <C as SizeClass>::PointMap<[u8; 5]>;

/// A board, ready to have circles drawn on it.
#[derive(Clone)]
pub struct Circles<C: SizeClass> {
    /// The [`WideKind`] of each cell, shifted by 0, 2, 4 and 6 bits.
    cells: [Cells<C>; QUAD],
    /// What stands on each four places of wide circles, by point.
    wide: Codes<C, N_QUADS>,
    /// What stands on each two places of close circles, and where the last move was.
    close: Codes<C, N_PAIRS>,
    /// The number of wide circles whose codes are there.
    n_ready: usize,
    hashes: &'static GroupHashes,
}

/// From a cell to the one below it.
const fn stride<C: SizeClass>() -> usize {
    C::SIDE + REACH
}

/// The cells from the first point of the largest board to its last, in whole vectors.
const fn n_codes<C: SizeClass>() -> usize {
    (C::SIDE * stride::<C>()).next_multiple_of(32)
}

impl<C: SizeClass> Circles<C> {
    /// There is room for all codes, and for the cells that the farthest place of any of them reads.
    const HAS_ROOM: () = assert!(
        n_codes::<C>() <= 2 * C::POINTS
            && 2 * REACH * (stride::<C>() + 1) + n_codes::<C>() <= 5 * C::POINTS
            && CLOSE[CLOSE.len() - 1] <= WIDE[WIDE.len() - 1]
    );

    /// For moves of `mover` after the move `last`.
    pub fn new<K: Keep>(board: &Board<C, K>, mover: Color, last: Option<Point>) -> Circles<C> {
        let () = Self::HAS_ROOM;
        let size = board.size();
        let mut wide = Cells::<C>::filled([WideKind::Edge as u8; 5]);
        let mut close = Cells::<C>::filled([CloseKind::Edge as u8; 5]);
        let (wide_cells, close_cells) = (wide.as_mut().as_flattened_mut(), close.as_mut().as_flattened_mut());
        let cell = |vertex: Vertex| code_idx::<C>(vertex) + REACH * (stride::<C>() + 1);
        for row in 0..size.height() {
            let start = cell(Vertex::new(0, row));
            wide_cells[start..start + size.width()].fill(WideKind::Empty as u8);
            close_cells[start..start + size.width()].fill(CloseKind::Empty as u8);
        }
        for point in C::on_board(size).difference(board.empty()).iter() {
            let cell = cell(C::vertex(point));
            let (wide, close) =
                if board.is_stone(point, mover) { (WideKind::Own, OWN) } else { (WideKind::Enemy, ENEMY) };
            wide_cells[cell] = wide as u8;
            close_cells[cell] = close[board.n_liberties(point).clamp(1, 3) - 1] as u8;
        }
        if let Some(last) = last {
            close_cells[cell(C::vertex(last))] |= LAST;
        }
        let mut circles = Circles::<C> {
            cells: [0, 2, 4, 6].map(|bits| shifted::<C>(&wide, bits)),
            wide: Codes::<C, N_QUADS>::filled([[0; 2]; N_QUADS]),
            close: Codes::<C, N_PAIRS>::filled([[0; 2]; N_PAIRS]),
            n_ready: 0,
            hashes: GroupHashes::get(),
        };
        let cells = [close, shifted::<C>(&close, 4)];
        encode::<C, PAIR>(0..N_PAIRS, &cells, circles.close.as_mut().as_flattened_mut().as_flattened_mut());
        circles
    }

    /// Makes the codes of wide circles up to a level.
    #[cold]
    #[inline(never)]
    fn prepare(&mut self, level: usize) {
        while self.n_ready <= level {
            let quads = WIDE_QUADS[self.n_ready]..WIDE_QUADS[self.n_ready + 1];
            encode::<C, QUAD>(quads, &self.cells, self.wide.as_mut().as_flattened_mut().as_flattened_mut());
            self.n_ready += 1;
        }
    }

    /// Calls `known` with the circles around a point from small to large, first the wide ones, then the close ones; each
    /// row ends with the first circle that is not known.
    #[inline]
    pub fn draw(&mut self, vertex: Vertex, mut known: impl FnMut(Circle) -> bool) {
        let idx = code_idx::<C>(vertex);
        if idx >= 2 * C::POINTS {
            debug_assert!(false, "a point beyond the largest board");
            return;
        }
        self.draw_wide(idx, &mut known);
        self.draw_close(idx, &mut known);
    }

    #[inline(always)]
    fn draw_wide(&mut self, idx: usize, known: &mut impl FnMut(Circle) -> bool) {
        let hashes = self.hashes.wide.as_slice();
        let views = &mut { WIDE_START };
        // Each level by itself, so that its loop is unrolled.
        macro_rules! levels {
            ($($level:literal)*) => {$(
                if self.n_ready <= $level {
                    self.prepare($level);
                }
                grow::<C, { WIDE_QUADS[$level] }, { WIDE_QUADS[$level + 1] }>(
                    views,
                    hashes,
                    self.wide.as_ref().as_flattened().as_flattened(),
                    idx,
                );
                if !known(circle($level, views)) {
                    return;
                }
            )*};
        }
        levels!(0 1 2 3 4 5 6 7 8 9);
    }

    #[inline(always)]
    fn draw_close(&self, idx: usize, known: &mut impl FnMut(Circle) -> bool) {
        let (hashes, codes) =
            (self.hashes.close.as_slice(), self.close.as_ref().as_flattened().as_flattened());
        let views = &mut { CLOSE_START };
        macro_rules! levels {
            ($($level:literal)*) => {$(
                grow::<C, { CLOSE_PAIRS[$level] }, { CLOSE_PAIRS[$level + 1] }>(views, hashes, codes, idx);
                if !known(circle(WIDE.len() + $level, views)) {
                    return;
                }
            )*};
        }
        levels!(0 1 2 3 4);
    }
}

/// Where the groups of each wide circle begin, and where the last one's end.
const WIDE_QUADS: [usize; WIDE.len() + 1] = tables::group_starts(&WIDE, QUAD);
/// The same for close circles.
const CLOSE_PAIRS: [usize; CLOSE.len() + 1] = tables::group_starts(&CLOSE, PAIR);

/// Where the codes of a point lie.
#[inline(always)]
fn code_idx<C: SizeClass>(vertex: Vertex) -> usize {
    vertex.row() * stride::<C>() + vertex.col()
}

/// Cells shifted to the left.
fn shifted<C: SizeClass>(cells: &Cells<C>, bits: u32) -> Cells<C> {
    let mut shifted = *cells;
    shifted.as_mut().as_flattened_mut().iter_mut().for_each(|cell| *cell <<= bits);
    shifted
}

/// Writes what stands on the places of some groups around each point, as one byte each. The nth place of a group is read
/// from the nth copy of the cells, which is shifted to its bits.
fn encode<C: SizeClass, const N: usize>(groups: Range<usize>, cells: &[Cells<C>; N], codes: &mut [u8]) {
    let offsets = const { &tables::offsets(stride::<C>()) };
    let all = codes.chunks_exact_mut(const { 2 * C::POINTS }).zip(offsets.as_chunks::<N>().0);
    for (codes, offsets) in all.take(groups.end).skip(groups.start) {
        let codes = &mut codes[..const { n_codes::<C>() }];
        let from = |n: usize| {
            let start = usize::from(offsets[n]);
            &cells[n].as_ref().as_flattened()[start..start + const { n_codes::<C>() }]
        };
        if N == QUAD {
            let (a, b, c, d) = (from(0), from(1), from(2), from(3));
            for ((((code, a), b), c), d) in codes.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *code = a | b | c | d;
            }
        } else {
            let (a, b) = (from(0), from(1));
            for ((code, a), b) in codes.iter_mut().zip(a).zip(b) {
                *code = a | b;
            }
        }
    }
}

/// Adds what stands on the places of the groups from one number to another.
#[inline(always)]
fn grow<C: SizeClass, const FROM: usize, const TO: usize>(
    views: &mut Views,
    hashes: &[GroupTable],
    codes: &[u8],
    idx: usize,
) {
    for group in FROM..TO {
        add(views, &hashes[group][usize::from(codes[group * 2 * C::POINTS + idx])]);
    }
}

/// The smallest view stands for all.
#[inline(always)]
fn circle(level: usize, views: &Views) -> Circle {
    let key = views.iter().fold(u32::MAX, |a, &b| a.min(b));
    Circle { level: level as u8, key: key.max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::AnyBoard;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::symmetry::Symmetry;
    use crate::vertex::Size;
    use crate::with_board;

    const N_WIDE: usize = WIDE.len();

    fn keys(board: &AnyBoard, mover: Color, last: Vertex, at: Vertex, n_known: usize) -> Vec<Circle> {
        let mut out = Vec::new();
        with_board!(board, |board| {
            let mut circles = Circles::new(board, mover, board.to_move(last).point());
            circles.draw(at, |circle| {
                out.push(circle);
                out.len() < n_known
            });
        });
        out
    }

    fn game(moves: &[(usize, usize)]) -> Position {
        let mut game = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        for &(col, row) in moves {
            game.play(game.to_play(), Vertex::new(col, row)).unwrap();
        }
        game
    }

    fn all(game: &Position, at: Vertex) -> Vec<Circle> {
        let last = game.plays().last().map_or(Vertex::PASS, |play| play.vertex);
        keys(game.board(), game.to_play(), last, at, usize::MAX)
    }

    #[test]
    fn turned_and_recoloured_boards_have_the_same_circles() {
        let moves = [(2, 3), (4, 4), (2, 4), (0, 0), (5, 1)];
        let (at, size) = (Vertex::new(3, 3), Size::square(9).unwrap());
        let plain = all(&game(&moves), at);
        assert_eq!(plain.len(), N_CIRCLES);
        assert!(plain.iter().enumerate().all(|(idx, circle)| usize::from(circle.level) == idx));
        for symmetry in Symmetry::ALL {
            let turned = game(&moves).transformed(symmetry);
            assert_eq!(all(&turned, symmetry.apply(size, at)), plain, "{symmetry:?}");
        }
        let mut recoloured = Position::new(size, Rules::CHINESE);
        recoloured.set_to_play(Color::White);
        for (col, row) in moves {
            recoloured.play(recoloured.to_play(), Vertex::new(col, row)).unwrap();
        }
        assert_eq!(all(&recoloured, at), plain);
    }

    #[test]
    fn a_circle_sees_only_what_lies_in_it() {
        let at = Vertex::new(4, 4);
        // A stone three steps to the side is at distance 6: the first two wide circles do not hold it.
        let (near, far) = (all(&game(&[(4, 3), (7, 4)]), at), all(&game(&[(4, 3), (7, 5)]), at));
        let same: Vec<bool> = near.iter().zip(&far).map(|(a, b)| a == b).collect();
        assert_eq!(same[..N_WIDE], [true, true, false, false, false, false, false, false, false, false]);
        assert_eq!(same[N_WIDE..], [true, true, true, true, false]);
        // The edge is seen as well.
        assert_ne!(all(&game(&[]), Vertex::new(4, 4))[0], all(&game(&[]), Vertex::new(1, 4))[0]);
    }

    #[test]
    fn close_circles_know_liberties_and_the_last_move() {
        let at = Vertex::new(3, 4);
        let (a, b) = (game(&[(4, 4), (0, 0), (8, 8), (4, 3)]), game(&[(4, 4), (4, 3), (8, 8), (0, 0)]));
        let (a, b) = (all(&a, at), all(&b, at));
        assert_eq!(a[..N_WIDE], b[..N_WIDE]);
        // E5 beside the point has the same liberties; E6, the last move in one of them, is a diagonal away.
        assert_eq!(a[N_WIDE], b[N_WIDE]);
        assert!(a[N_WIDE + 1..].iter().zip(&b[N_WIDE + 1..]).all(|(a, b)| a != b));
    }

    #[test]
    fn each_row_ends_with_the_first_unknown_circle() {
        let board = game(&[(4, 4)]);
        let found = keys(board.board(), Color::White, Vertex::new(4, 4), Vertex::new(3, 3), 0);
        assert_eq!(found.iter().map(|circle| circle.level).collect::<Vec<_>>(), [0, N_WIDE as u8]);
    }

    #[test]
    fn no_board_is_too_large_or_too_small() {
        for size in [Size::square(25).unwrap(), Size::new(2, 25).unwrap(), Size::square(2).unwrap()] {
            let game = Position::new(size, Rules::CHINESE);
            for vertex in size.vertices() {
                assert_eq!(all(&game, vertex).len(), N_CIRCLES);
            }
        }
    }
}
