//! What stands around a point, in circles of growing size, as numbers: the same number for the same surroundings, however
//! they are turned, reflected or coloured, as the mover sees them. [Stern, Herbrich & Graepel 2006; Coulom 2007]
//!
//! There are two rows of circles. *Wide* ones know own stones, enemy stones and the edge, and grow until they hold all of a
//! 9×9 board from wherever they are drawn. *Close* ones also know the liberties of every chain (one, two, more) and the
//! last move.

use std::sync::{LazyLock, OnceLock};

use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::rng::splitmix64;
use crate::set::PointSet;
use crate::vertex::{Size, Vertex};

/// Circles go so far in either direction.
const REACH: usize = 8;
/// The longest side of a board, with what lies around it.
const MAX_SIDE: usize = Size::MAX + 2 * REACH;
/// Points of the largest circle but its middle.
const N_AROUND: usize = (2 * REACH + 1) * (2 * REACH + 1) - 1;

/// Circles hold the points up to these distances, |Δx| + |Δy| + max(|Δx|, |Δy|).
const WIDE: [usize; 10] = [4, 5, 6, 7, 8, 9, 10, 12, 14, 3 * REACH];
const CLOSE: [usize; 5] = [2, 3, 4, 5, 6];

/// The number of circles around a point, the wide ones first.
pub const N_CIRCLES: usize = WIDE.len() + CLOSE.len();

// What stands on a point: stones by their liberties.
const EMPTY: u8 = 0;
const OWN: u8 = 1;
const ENEMY: u8 = 4;
const EDGE: u8 = 7;
/// Added where the last move was made.
const LAST: u8 = 8;
const N_CLOSE_KINDS: usize = 9;
/// The kind without liberties: own, enemy, edge; 0 for nothing.
const WIDE_KIND: [usize; 8] = [0, 1, 1, 1, 2, 2, 2, 3];
const N_WIDE_KINDS: usize = 4;
const WIDE_EDGE: usize = 3;

/// Wide circles from this one on hold so many points that the stones in them are gone through, not the points.
const BY_STONES: usize = 7;

/// A hash for each of the eight ways to look at it.
type Views = [u64; 8];

/// Offsets and hashes, by place in the spiral.
struct Spiral {
    /// Δx, Δy.
    steps: [(i8, i8); N_AROUND],
    wide: Box<[[Views; N_WIDE_KINDS]; N_AROUND]>,
    close: Box<[[Views; N_CLOSE_KINDS]]>,
    /// The number of points in each circle.
    wide_ends: [usize; WIDE.len()],
    close_ends: [usize; CLOSE.len()],
    /// The place of each step, by Δy + REACH and Δx + REACH; the middle has none.
    places: [[u16; 2 * REACH + 1]; 2 * REACH + 1],
}

static SPIRAL: LazyLock<Spiral> = LazyLock::new(Spiral::new);

const fn away((dx, dy): (i8, i8)) -> usize {
    let (dx, dy) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    dx + dy + if dx > dy { dx } else { dy }
}

impl Spiral {
    /// The place of a stone in the spiral around a point; beyond all if it is too far.
    #[inline(always)]
    fn place(&self, middle: Vertex, col: u8, row: u8) -> usize {
        let dx = (usize::from(col) + REACH).wrapping_sub(middle.col());
        let dy = (usize::from(row) + REACH).wrapping_sub(middle.row());
        self.places.get(dy).and_then(|row| row.get(dx)).map_or(usize::MAX, |&place| usize::from(place))
    }

    fn new() -> Spiral {
        let reach = REACH as i8;
        let mut steps: Vec<(i8, i8)> =
            (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y))).collect();
        steps.sort_by_key(|&step| away(step));
        let steps: [(i8, i8); N_AROUND] = std::array::from_fn(|idx| steps[idx + 1]);
        let end = |far: usize| steps.iter().filter(|&&step| away(step) <= far).count();
        let (wide_ends, close_ends) = (WIDE.map(end), CLOSE.map(end));
        let views = |step: (i8, i8), kind: usize| -> Views {
            if kind == 0 {
                return [0; 8];
            }
            std::array::from_fn(|view| {
                let (x, y) = if view & 4 > 0 { (step.1, step.0) } else { step };
                let (x, y) = (if view & 1 > 0 { -x } else { x }, if view & 2 > 0 { -y } else { y });
                let place = (i64::from(x) + 128) << 8 | (i64::from(y) + 128);
                splitmix64(splitmix64(place as u64) ^ kind as u64)
            })
        };
        let wide: Vec<_> = steps.iter().map(|&step| std::array::from_fn(|kind| views(step, kind))).collect();
        let close = steps[..close_ends[CLOSE.len() - 1]].iter();
        // The kinds of the two rows must not mean the same.
        let close =
            close.map(|&step| std::array::from_fn(|kind| views(step, if kind == 0 { 0 } else { kind + 16 })));
        let close = close.collect();
        let mut places = [[u16::MAX; 2 * REACH + 1]; 2 * REACH + 1];
        for (place, &(dx, dy)) in steps.iter().enumerate() {
            places[(dy + reach) as usize][(dx + reach) as usize] = place as u16;
        }
        let wide = wide.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("one for each step"));
        Spiral { steps, wide, close, wide_ends, close_ends, places }
    }
}

/// What depends on the size of the board alone.
struct Frame {
    /// What the edge adds to the circles around every point, by row and column.
    edges: Box<[[Views; N_CIRCLES]]>,
    /// From a cell to those around it.
    steps: [i16; N_AROUND],
}

/// Sides of boards go up to this.
const MAX_WIDTH: usize = Size::MAX;

static FRAMES: [OnceLock<Frame>; (MAX_WIDTH + 1) * (MAX_WIDTH + 1)] =
    [const { OnceLock::new() }; (MAX_WIDTH + 1) * (MAX_WIDTH + 1)];

/// The frame of a board, from a table that is filled when a size is first met.
fn frame(size: Size) -> &'static Frame {
    let of_point = |vertex: Vertex| {
        let spiral = &*SPIRAL;
        let is_off = |&(dx, dy): &(i8, i8)| {
            let (col, row) = (vertex.col() as i32 + i32::from(dx), vertex.row() as i32 + i32::from(dy));
            !(0..size.width() as i32).contains(&col) || !(0..size.height() as i32).contains(&row)
        };
        let of_circle = |level: usize| {
            let mut views = [0; 8];
            let (end, is_wide) = match level.checked_sub(WIDE.len()) {
                None => (spiral.wide_ends[level], true),
                Some(level) => (spiral.close_ends[level], false),
            };
            for (place, _) in spiral.steps[..end].iter().enumerate().filter(|(_, step)| is_off(step)) {
                let row = if is_wide {
                    &spiral.wide[place][WIDE_EDGE]
                } else {
                    &spiral.close[place][usize::from(EDGE)]
                };
                add(&mut views, row);
            }
            views
        };
        std::array::from_fn(of_circle)
    };
    let stride = stride(size) as i16;
    let step = |(dx, dy): (i8, i8)| i16::from(dy) * stride + i16::from(dx);
    FRAMES[size.width() * (MAX_WIDTH + 1) + size.height()].get_or_init(|| Frame {
        edges: size.vertices().map(of_point).collect(),
        steps: SPIRAL.steps.map(step),
    })
}

/// From a cell to the one below it.
fn stride(size: Size) -> usize {
    size.width() + 2 * REACH
}

/// A circle around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Which one, below [`N_CIRCLES`]: the wide ones from small to large, then the close ones.
    pub level: u8,
    /// What stands in it; not 0.
    pub key: u32,
}

/// A board, ready to have circles drawn on it.
#[derive(Clone)]
pub struct Circles {
    /// What stands where, with empty points around the board.
    cells: [u8; MAX_SIDE * MAX_SIDE],
    size: Size,
    frame: &'static Frame,
    /// Column, row and kind of every stone, as wide circles see it.
    stones: [(u8, u8, u8); MAX_WIDTH * MAX_WIDTH],
    n_stones: usize,
    last: Option<Vertex>,
}

impl Circles {
    /// For moves of `mover` after the move `last`.
    pub fn new<C: SizeClass, K: Keep>(board: &Board<C, K>, mover: Color, last: Option<Point>) -> Circles {
        let size = board.size();
        let mut circles = Circles {
            cells: [EMPTY; MAX_SIDE * MAX_SIDE],
            size,
            frame: frame(size),
            stones: [(0, 0, 0); MAX_WIDTH * MAX_WIDTH],
            n_stones: 0,
            last: last.map(|last| C::vertex(last)),
        };
        for (color, kind) in [(mover, OWN), (!mover, ENEMY)] {
            for point in board.stones(color).iter() {
                let vertex = C::vertex(point);
                let at = circles.at(vertex);
                circles.cells[at] = kind + board.n_liberties(point).clamp(1, 3) as u8 - 1;
                let wide = WIDE_KIND[usize::from(kind)] as u8;
                circles.stones[circles.n_stones] = (vertex.col() as u8, vertex.row() as u8, wide);
                circles.n_stones += 1;
            }
        }
        circles
    }

    fn at(&self, vertex: Vertex) -> usize {
        (vertex.row() + REACH) * stride(self.size) + vertex.col() + REACH
    }

    /// Calls `known` with the circles around a point from small to large, first the wide ones, then the close ones; each
    /// row ends with the first circle that is not known.
    #[inline]
    pub fn draw(&self, vertex: Vertex, mut known: impl FnMut(Circle) -> bool) {
        let spiral = &*SPIRAL;
        let edges = &self.frame.edges[vertex.row() * self.size.width() + vertex.col()];
        let middle = self.at(vertex);
        let cell = |step: i16| usize::from(self.cells[middle.wrapping_add_signed(isize::from(step))]);
        let (mut views, mut from) = ([0; 8], 0);
        for (level, &end) in spiral.wide_ends.iter().enumerate() {
            if level < BY_STONES {
                for (&step, rows) in self.frame.steps[from..end].iter().zip(&spiral.wide[from..end]) {
                    let kind = cell(step);
                    if kind > 0 {
                        add(&mut views, &rows[WIDE_KIND[kind]]);
                    }
                }
            } else {
                for &(col, row, kind) in &self.stones[..self.n_stones] {
                    let place = spiral.place(vertex, col, row);
                    if (from..end).contains(&place) {
                        add(&mut views, &spiral.wide[place][usize::from(kind)]);
                    }
                }
            }
            from = end;
            if !known(circle(level, &views, &edges[level])) {
                break;
            }
        }
        let last =
            self.last.map_or(usize::MAX, |last| spiral.place(vertex, last.col() as u8, last.row() as u8));
        let (mut views, mut from) = ([0; 8], 0);
        for (level, &end) in spiral.close_ends.iter().enumerate() {
            for (&step, rows) in self.frame.steps[from..end].iter().zip(&spiral.close[from..end]) {
                let kind = cell(step);
                if kind > 0 {
                    add(&mut views, &rows[kind]);
                }
            }
            if (from..end).contains(&last) {
                add(&mut views, &spiral.close[last][usize::from(LAST)]);
            }
            from = end;
            let level = WIDE.len() + level;
            if !known(circle(level, &views, &edges[level])) {
                break;
            }
        }
    }
}

#[inline(always)]
fn add(views: &mut Views, row: &Views) {
    for (view, hash) in views.iter_mut().zip(row) {
        *view ^= hash;
    }
}

/// The smallest view stands for all.
#[inline(always)]
fn circle(level: usize, views: &Views, edge: &Views) -> Circle {
    let smallest = views.iter().zip(edge).fold(u64::MAX, |a, (&b, &edge)| a.min(b ^ edge));
    let key = (splitmix64(smallest.wrapping_add(level as u64)) >> 32) as u32;
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
