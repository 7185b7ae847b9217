//! Circular patterns: what stands around a point, in circles of growing size, as numbers: the same number for the same
//! surroundings, however they are turned, reflected or coloured, as the mover sees them. [Stern, Herbrich & Graepel 2006;
//! Coulom 2007]
//!
//! There are two rows of circles. *Wide* ones know own stones, enemy stones and the edge, and grow until they hold all of a
//! 9×9 board from wherever they are drawn. *Close* ones also know the liberties of every chain (one, two, more) and the
//! last move.
//!
//! The board lies in an array with the edge around it, so that what stands at each place of a circle is read, and its hash
//! added, without a branch; the first circles, which nearly all points need, are unrolled by the compiler.

mod tables;

use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;
use crate::vertex::{Size, Vertex};
use tables::{
    CELLS, CLOSE_HASHES, CLOSE_PLACES, CLOSE_REACH, CLOSE_START, LAST_HASHES, SPAN, STRIDE, Views,
    WIDE_HASHES, WIDE_START, add,
};

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

/// The place of a kind in the table of hashes. Kinds are enums, not numbers, so that the compiler knows how many there are
/// and need not check.
trait CircleKind: Copy {
    fn idx(self) -> usize;
}

impl CircleKind for WideKind {
    #[inline(always)]
    fn idx(self) -> usize {
        self as usize
    }
}

impl CircleKind for CloseKind {
    #[inline(always)]
    fn idx(self) -> usize {
        self as usize
    }
}

/// A stone by its liberties: one, two, more.
const OWN: [CloseKind; 3] = [CloseKind::Own1, CloseKind::Own2, CloseKind::Own3];
const ENEMY: [CloseKind; 3] = [CloseKind::Enemy1, CloseKind::Enemy2, CloseKind::Enemy3];

/// Room for the largest board with its edge; a row's right edge is the next one's left.
const N_CELLS: usize = (Size::MAX + 2 * REACH) * STRIDE + REACH;

/// A circle around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Which one, below [`N_CIRCLES`]: the wide ones from small to large, then the close ones.
    pub level: u8,
    /// The hash of its contents; not 0.
    pub key: u32,
}

/// A board, ready to have circles drawn on it.
#[derive(Clone)]
pub struct Circles {
    /// The content of each point, with the edge around the board, as wide circles see it.
    wide: [WideKind; N_CELLS],
    /// The same for close circles.
    close: [CloseKind; N_CELLS],
    /// Where the last move was made.
    last: Option<Vertex>,
}

/// Where the window around a point begins: its north-western corner.
#[inline(always)]
fn corner(vertex: Vertex) -> usize {
    vertex.row() * STRIDE + vertex.col()
}

/// Where a point lies.
#[inline(always)]
fn cell(vertex: Vertex) -> usize {
    corner(vertex) + REACH * STRIDE + REACH
}

impl Circles {
    /// For moves of `mover` after the move `last`.
    pub fn new<C: SizeClass, K: Keep>(board: &Board<C, K>, mover: Color, last: Option<Point>) -> Circles {
        let size = board.size();
        let mut circles = Circles {
            wide: [WideKind::Edge; N_CELLS],
            close: [CloseKind::Edge; N_CELLS],
            last: last.map(|last| C::vertex(last)),
        };
        for row in 0..size.height() {
            let start = cell(Vertex::new(0, row));
            circles.wide[start..start + size.width()].fill(WideKind::Empty);
            circles.close[start..start + size.width()].fill(CloseKind::Empty);
        }
        for point in C::on_board(size).difference(board.empty()).iter() {
            let cell = cell(C::vertex(point));
            let (wide, close) =
                if board.is_stone(point, mover) { (WideKind::Own, OWN) } else { (WideKind::Enemy, ENEMY) };
            circles.wide[cell] = wide;
            circles.close[cell] = close[board.n_liberties(point).clamp(1, 3) - 1];
        }
        circles
    }

    /// Calls `known` with the circles around a point from small to large, first the wide ones, then the close ones; each
    /// row ends with the first circle that is not known.
    #[inline]
    pub fn draw(&self, vertex: Vertex, mut known: impl FnMut(Circle) -> bool) {
        let corner = corner(vertex);
        let windows = (window(&self.wide, corner), window(&self.close, corner));
        let (Some(wide), Some(close)) = windows else {
            debug_assert!(false, "a point beyond the largest board");
            return;
        };
        draw_wide(wide, &mut known);
        draw_close(close, self.last.and_then(|last| place_of(vertex, last)), &mut known);
    }
}

/// The contents around a point, row by row.
type Window<T> = [T; SPAN];

#[inline(always)]
fn window<T>(cells: &[T; N_CELLS], corner: usize) -> Option<&Window<T>> {
    cells.get(corner..)?.first_chunk()
}

/// The place of a point in the close circles around another; `None` if it is too far, or the middle.
#[inline(always)]
fn place_of(middle: Vertex, point: Vertex) -> Option<u8> {
    let dx = (point.col() + CLOSE_REACH).wrapping_sub(middle.col());
    let dy = (point.row() + CLOSE_REACH).wrapping_sub(middle.row());
    CLOSE_PLACES.get(dy)?.get(dx).copied().flatten()
}

#[inline(always)]
fn draw_wide(window: &Window<WideKind>, known: &mut impl FnMut(Circle) -> bool) {
    const ENDS: [usize; WIDE.len()] = tables::ends(&WIDE);
    let (views, hashes) = (&mut { WIDE_START }, &WIDE_HASHES);
    grow::<0, { ENDS[0] }, _, _, _>(views, hashes, window);
    if !known(circle(0, views)) {
        return;
    }
    grow::<{ ENDS[0] }, { ENDS[1] }, _, _, _>(views, hashes, window);
    if !known(circle(1, views)) {
        return;
    }
    grow::<{ ENDS[1] }, { ENDS[2] }, _, _, _>(views, hashes, window);
    if !known(circle(2, views)) {
        return;
    }
    grow::<{ ENDS[2] }, { ENDS[3] }, _, _, _>(views, hashes, window);
    if !known(circle(3, views)) {
        return;
    }
    // Few points have circles that are known further out.
    for level in 4..WIDE.len() {
        for place in ENDS[level - 1]..ENDS[level] {
            add_place(views, hashes, window, place);
        }
        if !known(circle(level, views)) {
            return;
        }
    }
}

#[inline(always)]
fn draw_close(window: &Window<CloseKind>, last: Option<u8>, known: &mut impl FnMut(Circle) -> bool) {
    const ENDS: [usize; CLOSE.len()] = tables::ends(&CLOSE);
    const FIRST: usize = WIDE.len();
    let (views, hashes) = (&mut { CLOSE_START }, &CLOSE_HASHES);
    let last = last.map_or(usize::MAX, usize::from);
    grow::<0, { ENDS[0] }, _, _, _>(views, hashes, window);
    add_last::<0, { ENDS[0] }>(views, last);
    if !known(circle(FIRST, views)) {
        return;
    }
    grow::<{ ENDS[0] }, { ENDS[1] }, _, _, _>(views, hashes, window);
    add_last::<{ ENDS[0] }, { ENDS[1] }>(views, last);
    if !known(circle(FIRST + 1, views)) {
        return;
    }
    grow::<{ ENDS[1] }, { ENDS[2] }, _, _, _>(views, hashes, window);
    add_last::<{ ENDS[1] }, { ENDS[2] }>(views, last);
    if !known(circle(FIRST + 2, views)) {
        return;
    }
    grow::<{ ENDS[2] }, { ENDS[3] }, _, _, _>(views, hashes, window);
    add_last::<{ ENDS[2] }, { ENDS[3] }>(views, last);
    if !known(circle(FIRST + 3, views)) {
        return;
    }
    grow::<{ ENDS[3] }, { ENDS[4] }, _, _, _>(views, hashes, window);
    add_last::<{ ENDS[3] }, { ENDS[4] }>(views, last);
    known(circle(FIRST + 4, views));
}

/// Adds what stands at the places from one number to another, which are constants so that the loop is unrolled.
#[inline(always)]
fn grow<const FROM: usize, const TO: usize, T: CircleKind, const N: usize, const K: usize>(
    views: &mut Views,
    hashes: &[[Views; K]; N],
    window: &Window<T>,
) {
    for place in FROM..TO {
        add_place(views, hashes, window, place);
    }
}

#[inline(always)]
fn add_place<T: CircleKind, const N: usize, const K: usize>(
    views: &mut Views,
    hashes: &[[Views; K]; N],
    window: &Window<T>,
    place: usize,
) {
    add(views, &hashes[place][window[usize::from(CELLS[place])].idx()]);
}

/// Adds the last move if it was made at one of the places.
#[inline(always)]
fn add_last<const FROM: usize, const TO: usize>(views: &mut Views, last: usize) {
    if (FROM..TO).contains(&last) {
        add(views, &LAST_HASHES[last]);
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
    use crate::with_board;

    const N_WIDE: usize = WIDE.len();

    fn keys(board: &AnyBoard, mover: Color, last: Vertex, at: Vertex, n_known: usize) -> Vec<Circle> {
        let mut out = Vec::new();
        with_board!(board, |board| {
            let circles = Circles::new(board, mover, board.to_move(last).point());
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
