//! What never changes: the places of circles, and the hashes of everything that may stand there.

use super::{CLOSE, LAST, N_CIRCLES, REACH, WIDE};
use crate::rng::splitmix64;
use crate::vertex::Size;

/// A hash for each of the eight ways to look at it.
pub(super) type Views = [u32; 8];

/// From a cell to the one below it.
pub(super) const STRIDE: usize = Size::MAX + REACH;
/// Cells from the first to the last place of the largest circle.
pub(super) const SPAN: usize = 2 * REACH * STRIDE + 2 * REACH + 1;

/// Kinds of what stands on a point as wide circles see it: 0 for nothing.
const N_WIDE_KINDS: usize = 4;
/// The same for close circles, without and with the last move on top.
const N_CLOSE_KINDS: usize = 2 * LAST as usize;

/// The places of the circles of a row but their middle, from the inside to the outside.
pub(super) struct Places<const N: usize, const K: usize> {
    /// From the north-western corner of the window.
    pub(super) cells: [u16; N],
    /// By kind of what stands there.
    pub(super) hashes: [[Views; K]; N],
}

pub(super) static WIDE_PLACES: Places<{ n_within(WIDE[WIDE.len() - 1]) }, N_WIDE_KINDS> = places(0);
/// The kinds of the two rows must not mean the same.
pub(super) static CLOSE_PLACES: Places<{ n_within(CLOSE[CLOSE.len() - 1]) }, N_CLOSE_KINDS> = places(16);

/// What tells the circles around a point apart, the same in all views.
pub(super) static LEVELS: [Views; N_CIRCLES] = {
    let mut levels = [[0; 8]; N_CIRCLES];
    let mut level = 0;
    while level < N_CIRCLES {
        levels[level] = [(splitmix64(level as u64) >> 32) as u32; 8];
        level += 1;
    }
    levels
};

const fn away(dx: i64, dy: i64) -> usize {
    let (dx, dy) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    dx + dy + if dx > dy { dx } else { dy }
}

/// Places up to a distance, the middle not among them.
const fn n_within(far: usize) -> usize {
    let (mut n, reach) = (0, REACH as i64);
    let mut dy = -reach;
    while dy <= reach {
        let mut dx = -reach;
        while dx <= reach {
            n += (away(dx, dy) <= far) as usize;
            dx += 1;
        }
        dy += 1;
    }
    n - 1
}

/// Where the places of each circle of a row end.
pub(super) const fn ends<const N: usize>(circles: &[usize; N]) -> [usize; N] {
    let mut ends = [0; N];
    let mut level = 0;
    while level < N {
        ends[level] = n_within(circles[level]);
        level += 1;
    }
    ends
}

/// The first `N` places by distance; `first_kind` is added to all kinds but 0.
const fn places<const N: usize, const K: usize>(first_kind: u64) -> Places<N, K> {
    let mut places = Places { cells: [0; N], hashes: [[[0; 8]; K]; N] };
    let (mut n, mut far, reach) = (0, 1, REACH as i64);
    while n < N {
        let mut dy = -reach;
        while dy <= reach {
            let mut dx = -reach;
            while dx <= reach {
                if away(dx, dy) == far {
                    places.cells[n] = ((dy + reach) as usize * STRIDE + (dx + reach) as usize) as u16;
                    places.hashes[n] = hashes(dx, dy, first_kind);
                    n += 1;
                }
                dx += 1;
            }
            dy += 1;
        }
        far += 1;
    }
    places
}

/// By kind; from [`LAST`] on with the last move on top.
const fn hashes<const K: usize>(dx: i64, dy: i64, first_kind: u64) -> [Views; K] {
    let last = views(dx, dy, LAST as u64 + first_kind);
    let mut hashes = [[0; 8]; K];
    let mut kind = 0;
    while kind < K {
        let stone = kind % LAST as usize;
        if stone > 0 {
            hashes[kind] = views(dx, dy, stone as u64 + first_kind);
        }
        let mut view = 0;
        while kind >= LAST as usize && view < 8 {
            hashes[kind][view] ^= last[view];
            view += 1;
        }
        kind += 1;
    }
    hashes
}

const fn views(dx: i64, dy: i64, kind: u64) -> Views {
    let mut views = [0; 8];
    let mut view = 0;
    while view < 8 {
        let (x, y) = if view & 4 > 0 { (dy, dx) } else { (dx, dy) };
        let (x, y) = (if view & 1 > 0 { -x } else { x }, if view & 2 > 0 { -y } else { y });
        let place = (x + 128) << 8 | (y + 128);
        views[view] = (splitmix64(splitmix64(place as u64) ^ kind) >> 32) as u32;
        view += 1;
    }
    views
}

#[inline(always)]
pub(super) fn add(views: &mut Views, row: &Views) {
    for (view, hash) in views.iter_mut().zip(row) {
        *view ^= hash;
    }
}
