//! What stands around a point, in circles of growing size, as numbers: the same number for the same surroundings, however
//! they are turned, reflected or coloured, as the mover sees them. [Stern, Herbrich & Graepel 2006; Coulom 2007]
//!
//! There are two rows of circles. *Wide* ones know own stones, enemy stones and the edge, and grow until they hold all of a
//! 9×9 board from wherever they are drawn. *Close* ones also know the liberties of every chain (one, two, more) and the
//! last move.
//!
//! The stones near a point come from a window of bits around it, those further off from a list of all stones, which is
//! gone through at most once for a point.

mod tables;

use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;
use crate::vertex::{Size, Vertex};
use tables::{Frame, HASHES, Hashes, N_INNER, N_OUTER, Views, WINDOW, WINDOW_REACH, add};

/// Circles go so far in either direction.
const REACH: usize = 8;

/// Circles hold the points up to these distances, |Δx| + |Δy| + max(|Δx|, |Δy|).
const WIDE: [usize; 10] = [4, 5, 6, 7, 8, 9, 10, 12, 14, 3 * REACH];
const CLOSE: [usize; 5] = [2, 3, 4, 5, 6];

/// The number of circles around a point, the wide ones first.
pub const N_CIRCLES: usize = WIDE.len() + CLOSE.len();

// What stands on a point: stones by their liberties.
const EMPTY: u8 = 0;
const OWN: u8 = 1;
const ENEMY: u8 = 4;
/// Where the last move was made, on top of the stone.
const LAST: usize = 8;
/// A stone without its liberties: own or enemy; 0 for nothing.
const WIDE_KIND: [u8; 7] = [0, 1, 1, 1, 2, 2, 2];

/// Sides of the window's board, which has empty points around it.
const MAX_SIDE: usize = Size::MAX + 2 * WINDOW_REACH;

/// A circle around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Which one, below [`N_CIRCLES`]: the wide ones from small to large, then the close ones.
    pub level: u8,
    /// What stands in it; not 0.
    pub key: u32,
}

/// A stone as the outer circles see it.
#[derive(Clone, Copy)]
struct Stone {
    /// Row · stride + column, see [`Frame::place`].
    at: u16,
    kind: u8,
}

/// A board, ready to have circles drawn on it.
#[derive(Clone)]
pub struct Circles {
    /// What stands where, with empty points around the board.
    cells: [[u8; MAX_SIDE]; MAX_SIDE],
    /// Stones of each row of `cells` as bits.
    rows: [u32; MAX_SIDE],
    size: Size,
    frame: &'static Frame,
    stones: [Stone; Size::MAX * Size::MAX],
    n_stones: usize,
    last: Option<Vertex>,
}

impl Circles {
    /// For moves of `mover` after the move `last`.
    pub fn new<C: SizeClass, K: Keep>(board: &Board<C, K>, mover: Color, last: Option<Point>) -> Circles {
        let size = board.size();
        let mut circles = Circles {
            cells: [[EMPTY; MAX_SIDE]; MAX_SIDE],
            rows: [0; MAX_SIDE],
            size,
            frame: Frame::of(size),
            stones: [Stone { at: 0, kind: 0 }; Size::MAX * Size::MAX],
            n_stones: 0,
            last: last.map(|last| C::vertex(last)),
        };
        for (color, kind) in [(mover, OWN), (!mover, ENEMY)] {
            for point in board.stones(color).iter() {
                let vertex = C::vertex(point);
                let (col, row) = (vertex.col() + WINDOW_REACH, vertex.row() + WINDOW_REACH);
                circles.cells[row][col] = kind + board.n_liberties(point).clamp(1, 3) as u8 - 1;
                circles.rows[row] |= 1 << col;
                let at = (vertex.row() * circles.frame.stride + vertex.col()) as u16;
                circles.stones[circles.n_stones] = Stone { at, kind: WIDE_KIND[usize::from(kind)] };
                circles.n_stones += 1;
            }
        }
        circles
    }

    /// Calls `known` with the circles around a point from small to large, first the wide ones, then the close ones; each
    /// row ends with the first circle that is not known.
    #[inline]
    pub fn draw(&self, vertex: Vertex, mut known: impl FnMut(Circle) -> bool) {
        let hashes = &*HASHES;
        let edges = &self.frame.edges[vertex.row() * self.size.width() + vertex.col()];
        let window = self.window(vertex);
        let kind = |idx: usize| self.cells[vertex.row() + idx / WINDOW][vertex.col() + idx % WINDOW];
        self.draw_wide(vertex, window, kind, |level, views| known(circle(level, views, &edges[level])));
        let last = self.last.map_or(0, |last| in_window(vertex, last));
        let mut views = [0; 8];
        for (level, ring) in hashes.close_rings.iter().enumerate() {
            each_bit(window & ring, |idx| add(&mut views, &hashes.close[idx][usize::from(kind(idx))]));
            each_bit(last & ring, |idx| add(&mut views, &hashes.close[idx][LAST]));
            let level = WIDE.len() + level;
            if !known(circle(level, &views, &edges[level])) {
                return;
            }
        }
    }

    #[inline(always)]
    fn draw_wide(
        &self,
        vertex: Vertex,
        window: u64,
        kind: impl Fn(usize) -> u8,
        mut known: impl FnMut(usize, &Views) -> bool,
    ) {
        let hashes = &*HASHES;
        let mut views = [0; 8];
        for (level, ring) in hashes.inner_rings.iter().enumerate() {
            each_bit(window & ring, |idx| {
                let kind = WIDE_KIND[usize::from(kind(idx))];
                add(&mut views, &hashes.inner[idx][usize::from(kind)]);
            });
            if !known(level, &views) {
                return;
            }
        }
        for (level, ring) in self.outer(hashes, vertex).iter().enumerate() {
            add(&mut views, ring);
            if !known(N_INNER + level, &views) {
                return;
            }
        }
    }

    /// What each of the outer circles adds to the one within it.
    fn outer(&self, hashes: &Hashes, vertex: Vertex) -> [Views; N_OUTER] {
        let middle = vertex.row() * self.frame.stride + vertex.col();
        let mut rings = [[0; 8]; N_OUTER];
        for stone in &self.stones[..self.n_stones] {
            let place = self.frame.place(middle, usize::from(stone.at));
            if let Some(ring) = rings.get_mut(usize::from(place.ring)) {
                add(ring, hashes.outer(place, stone.kind));
            }
        }
        rings
    }

    /// The stones around a point as bits.
    #[inline(always)]
    fn window(&self, vertex: Vertex) -> u64 {
        let mut window = 0;
        for (idx, row) in self.rows[vertex.row()..][..WINDOW].iter().enumerate() {
            window |= u64::from(row >> vertex.col() & ((1 << WINDOW) - 1)) << (idx * WINDOW);
        }
        window
    }
}

/// The bit of a point in the window around another; none if it is too far.
#[inline(always)]
fn in_window(middle: Vertex, point: Vertex) -> u64 {
    let dx = (point.col() + WINDOW_REACH).wrapping_sub(middle.col());
    let dy = (point.row() + WINDOW_REACH).wrapping_sub(middle.row());
    if dx < WINDOW && dy < WINDOW { 1 << (dy * WINDOW + dx) } else { 0 }
}

#[inline(always)]
fn each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits > 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The smallest view stands for all.
#[inline(always)]
fn circle(level: usize, views: &Views, edge: &Views) -> Circle {
    let key = views.iter().zip(edge).fold(u32::MAX, |a, (&b, &edge)| a.min(b ^ edge));
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
