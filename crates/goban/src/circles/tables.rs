//! What does not change while circles are drawn: the hashes of everything that may stand around a point, and what the edge
//! of a board adds.

use std::array::from_fn;
use std::sync::{LazyLock, OnceLock};

use super::{CLOSE, N_CIRCLES, REACH, WIDE};
use crate::rng::splitmix64;
use crate::vertex::{Size, Vertex};

/// A hash for each of the eight ways to look at it.
pub(super) type Views = [u32; 8];

/// Points of the largest circle but its middle.
const N_AROUND: usize = (2 * REACH + 1) * (2 * REACH + 1) - 1;

/// The window is a square of this many points around the middle, one bit each, row by row.
pub(super) const WINDOW: usize = 7;
/// From the middle to the window's edge.
pub(super) const WINDOW_REACH: usize = WINDOW / 2;
const N_WINDOW: usize = WINDOW * WINDOW;

/// So many wide circles lie within the window, and all close ones.
pub(super) const N_INNER: usize = 4;
pub(super) const N_OUTER: usize = WIDE.len() - N_INNER;

/// Kinds of what stands on a point as wide circles see it: 0 for nothing.
pub(super) const N_WIDE_KINDS: usize = 4;
const WIDE_EDGE: usize = 3;
/// The same for close circles; chains by their liberties, the edge, and the last move, which comes on top.
pub(super) const N_CLOSE_KINDS: usize = 9;
const CLOSE_EDGE: usize = 7;

/// The circle of a point beyond all circles.
const NOWHERE: Place = Place { idx: N_AROUND as u16, ring: 0 };

/// A point of the spiral around the middle.
#[derive(Clone, Copy)]
pub(super) struct Place {
    idx: u16,
    /// The smallest of the outer circles that holds it.
    pub(super) ring: u8,
}

/// Hashes of what may stand around a point.
pub(super) struct Hashes {
    /// What a wide circle adds to the one within it, by place in the window.
    pub(super) inner_rings: [u64; N_INNER],
    /// The same for close circles.
    pub(super) close_rings: [u64; CLOSE.len()],
    /// By place in the window and kind.
    pub(super) inner: [[Views; N_WIDE_KINDS]; N_WINDOW],
    pub(super) close: [[Views; N_CLOSE_KINDS]; N_WINDOW],
    /// By place in the spiral; the last is nowhere and adds nothing.
    outer: Box<[[Views; N_WIDE_KINDS]]>,
    /// The points of the largest circle from the middle outwards: Δx, Δy.
    steps: [(i8, i8); N_AROUND],
}

pub(super) static HASHES: LazyLock<Hashes> = LazyLock::new(Hashes::new);

const fn away((dx, dy): (i8, i8)) -> usize {
    let (dx, dy) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    dx + dy + if dx > dy { dx } else { dy }
}

fn views((dx, dy): (i8, i8), kind: usize) -> Views {
    if kind == 0 {
        return [0; 8];
    }
    from_fn(|view| {
        let (x, y) = if view & 4 > 0 { (dy, dx) } else { (dx, dy) };
        let (x, y) = (if view & 1 > 0 { -x } else { x }, if view & 2 > 0 { -y } else { y });
        let place = (i64::from(x) + 128) << 8 | (i64::from(y) + 128);
        (splitmix64(splitmix64(place as u64) ^ kind as u64) >> 32) as u32
    })
}

fn wide(step: (i8, i8)) -> [Views; N_WIDE_KINDS] {
    from_fn(|kind| views(step, kind))
}

/// The kinds of the two rows must not mean the same.
fn close(step: (i8, i8)) -> [Views; N_CLOSE_KINDS] {
    from_fn(|kind| views(step, if kind == 0 { 0 } else { kind + 16 }))
}

impl Hashes {
    fn new() -> Hashes {
        let reach = REACH as i8;
        let mut steps: Vec<(i8, i8)> =
            (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y))).collect();
        steps.sort_by_key(|&step| away(step));
        let steps: [(i8, i8); N_AROUND] = from_fn(|idx| steps[idx + 1]);
        let in_window = |idx: usize| {
            let coordinate = |n: usize| n as i8 - WINDOW_REACH as i8;
            (coordinate(idx % WINDOW), coordinate(idx / WINDOW))
        };
        let ring = |circles: &[usize], level: usize| {
            let from = if level == 0 { 1 } else { circles[level - 1] + 1 };
            let held = (0..N_WINDOW).filter(|&idx| (from..=circles[level]).contains(&away(in_window(idx))));
            held.fold(0, |ring, idx| ring | 1 << idx)
        };
        Hashes {
            inner_rings: from_fn(|level| ring(&WIDE, level)),
            close_rings: from_fn(|level| ring(&CLOSE, level)),
            inner: from_fn(|idx| wide(in_window(idx))),
            close: from_fn(|idx| close(in_window(idx))),
            outer: steps.iter().map(|&step| wide(step)).chain([[[0; 8]; N_WIDE_KINDS]]).collect(),
            steps,
        }
    }

    #[inline(always)]
    pub(super) fn outer(&self, place: Place, kind: u8) -> &Views {
        &self.outer[usize::from(place.idx)][usize::from(kind)]
    }
}

/// What depends on the size of the board alone.
pub(super) struct Frame {
    /// What the edge and the number of the circle add to the circles around every point, by row and column.
    pub(super) edges: Box<[[Views; N_CIRCLES]]>,
    /// By the way from the middle to a stone, see [`Frame::place`].
    places: Box<[Place]>,
    /// From a point of the board's rows to the one below it, see [`stride`].
    pub(super) stride: usize,
}

/// Sides of boards go up to this.
const MAX_SIDE: usize = Size::MAX;

static FRAMES: [OnceLock<Frame>; (MAX_SIDE + 1) * (MAX_SIDE + 1)] =
    [const { OnceLock::new() }; (MAX_SIDE + 1) * (MAX_SIDE + 1)];

/// From a point to the one below it, where rows lie so far apart that the way between two points that are in reach of
/// each other is one number, which no other two points of the board share.
fn stride(size: Size) -> usize {
    size.width() + 2 * REACH
}

impl Frame {
    /// The frame of a board, from a table that is filled when a size is first met.
    pub(super) fn of(size: Size) -> &'static Frame {
        FRAMES[size.width() * (MAX_SIDE + 1) + size.height()].get_or_init(|| Frame {
            edges: size.vertices().map(|vertex| edges(size, vertex)).collect(),
            places: places(size),
            stride: stride(size),
        })
    }

    /// The place of a stone, both points as row · stride + column.
    #[inline(always)]
    pub(super) fn place(&self, middle: usize, stone: usize) -> Place {
        self.places[self.places.len() / 2 + stone - middle]
    }
}

fn places(size: Size) -> Box<[Place]> {
    // Further than any two points of the board.
    let half = stride(size) * (size.height() + REACH);
    let mut places = vec![NOWHERE; 2 * half + 1].into_boxed_slice();
    for (idx, &(dx, dy)) in HASHES.steps.iter().enumerate() {
        let way = isize::from(dy) * stride(size) as isize + isize::from(dx);
        let ring = WIDE[N_INNER..].iter().position(|&far| away((dx, dy)) <= far);
        // Inner points are nowhere: the outer circles begin with what the inner ones found.
        if let (Some(ring), true) = (ring, away((dx, dy)) > WIDE[N_INNER - 1]) {
            places[half.wrapping_add_signed(way)] = Place { idx: idx as u16, ring: ring as u8 };
        }
    }
    places
}

fn edges(size: Size, vertex: Vertex) -> [Views; N_CIRCLES] {
    let is_off = |&&(dx, dy): &&(i8, i8)| {
        let (col, row) = (vertex.col() as i32 + i32::from(dx), vertex.row() as i32 + i32::from(dy));
        !(0..size.width() as i32).contains(&col) || !(0..size.height() as i32).contains(&row)
    };
    from_fn(|level| {
        // The same in all views: it tells circles apart, not ways to look at one.
        let mut sum = [(splitmix64(level as u64) >> 32) as u32; 8];
        let (far, is_wide) = match level.checked_sub(WIDE.len()) {
            None => (WIDE[level], true),
            Some(level) => (CLOSE[level], false),
        };
        for &step in HASHES.steps.iter().filter(|&&step| away(step) <= far).filter(is_off) {
            let row = if is_wide { views(step, WIDE_EDGE) } else { close(step)[CLOSE_EDGE] };
            add(&mut sum, &row);
        }
        sum
    })
}

#[inline(always)]
pub(super) fn add(views: &mut Views, row: &Views) {
    for (view, hash) in views.iter_mut().zip(row) {
        *view ^= hash;
    }
}
