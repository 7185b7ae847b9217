//! Constant tables: the places of circles, and the hashes of all contents they may have.

use super::{CLOSE, CloseKind, REACH, WIDE, WideKind};
use crate::rng::splitmix64;
use crate::vertex::Size;

/// A hash for each of the eight ways to look at it.
pub(super) type Views = [u32; 8];

/// From a cell to the one below it.
pub(super) const STRIDE: usize = Size::MAX + REACH;
/// Cells from the first to the last place of the largest circle.
pub(super) const SPAN: usize = 2 * REACH * STRIDE + 2 * REACH + 1;

const N_WIDE_KINDS: usize = WideKind::Edge as usize + 1;
const N_CLOSE_KINDS: usize = CloseKind::Edge as usize + 1;
/// The kinds of the two rows must not mean the same.
const FIRST_CLOSE: u64 = 16;

const N_WIDE_PLACES: usize = n_within(WIDE[WIDE.len() - 1]);
const N_CLOSE_PLACES: usize = n_within(CLOSE[CLOSE.len() - 1]);

/// Where the places of the largest circle lie but its middle, from the inside to the outside: cells from the north-western
/// corner of the window. A constant, so that unrolled loops need not read it.
pub(super) const CELLS: [u16; N_WIDE_PLACES] = cells();

/// By place, and by kind of what stands there.
pub(super) static WIDE_HASHES: [[Views; N_WIDE_KINDS]; N_WIDE_PLACES] = all_hashes(0, &WIDE, 0);
/// The same for close circles.
pub(super) static CLOSE_HASHES: [[Views; N_CLOSE_KINDS]; N_CLOSE_PLACES] =
    all_hashes(FIRST_CLOSE, &CLOSE, WIDE.len());
/// The last move's part of close circles, by place.
pub(super) static LAST_HASHES: [Views; N_CLOSE_PLACES] = {
    let mut last = [[0; 8]; N_CLOSE_PLACES];
    let mut n = 0;
    while n < N_CLOSE_PLACES {
        last[n] = views(STEPS[n].0, STEPS[n].1, N_CLOSE_KINDS as u64 + FIRST_CLOSE);
        n += 1;
    }
    last
};

/// Points that close circles reach in either direction.
pub(super) const CLOSE_REACH: usize = 3;
/// The places of close circles by row and column.
pub(super) static CLOSE_PLACES: [[Option<u8>; 2 * CLOSE_REACH + 1]; 2 * CLOSE_REACH + 1] = {
    let mut places = [[None; 2 * CLOSE_REACH + 1]; 2 * CLOSE_REACH + 1];
    let (mut n, reach) = (0, CLOSE_REACH as i64);
    while n < N_CLOSE_PLACES {
        let (dx, dy) = STEPS[n];
        places[(dy + reach) as usize][(dx + reach) as usize] = Some(n as u8);
        n += 1;
    }
    places
};

/// A level's part of its circles, the same in all views.
const fn level_hash(level: usize) -> u32 {
    (splitmix64(level as u64) >> 32) as u32
}

/// The start value of the circles of a row: the level of the first.
pub(super) static WIDE_START: Views = [level_hash(0); 8];
pub(super) static CLOSE_START: Views = [level_hash(WIDE.len()); 8];

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

/// The places by distance, as steps from the middle.
const STEPS: [(i64, i64); N_WIDE_PLACES] = {
    let mut steps = [(0, 0); N_WIDE_PLACES];
    let (mut n, mut far, reach) = (0, 1, REACH as i64);
    while n < N_WIDE_PLACES {
        let mut dy = -reach;
        while dy <= reach {
            let mut dx = -reach;
            while dx <= reach {
                if away(dx, dy) == far {
                    steps[n] = (dx, dy);
                    n += 1;
                }
                dx += 1;
            }
            dy += 1;
        }
        far += 1;
    }
    steps
};

const fn cells<const N: usize>() -> [u16; N] {
    let mut cells = [0; N];
    let mut n = 0;
    while n < N {
        let (dx, dy) = STEPS[n];
        cells[n] = ((dy + REACH as i64) as usize * STRIDE + (dx + REACH as i64) as usize) as u16;
        n += 1;
    }
    cells
}

/// The hashes of a row of circles; `first_kind` is added to all kinds but 0. Whatever stands at the first place that a
/// circle adds to the one within it, that one's level goes and its own comes.
const fn all_hashes<const N: usize, const K: usize>(
    first_kind: u64,
    circles: &[usize],
    first_level: usize,
) -> [[Views; K]; N] {
    let mut all = [[[0; 8]; K]; N];
    let mut n = 0;
    while n < N {
        all[n] = hashes(STEPS[n].0, STEPS[n].1, first_kind);
        n += 1;
    }
    let mut idx = 1;
    while idx < circles.len() {
        let place = n_within(circles[idx - 1]);
        let level = level_hash(first_level + idx) ^ level_hash(first_level + idx - 1);
        let mut n = 0;
        while n < 8 * K {
            all[place][n / 8][n % 8] ^= level;
            n += 1;
        }
        idx += 1;
    }
    all
}

/// By kind; nothing adds nothing.
const fn hashes<const K: usize>(dx: i64, dy: i64, first_kind: u64) -> [Views; K] {
    let mut hashes = [[0; 8]; K];
    let mut kind = 1;
    while kind < K {
        hashes[kind] = views(dx, dy, kind as u64 + first_kind);
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
