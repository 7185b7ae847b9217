//! Constant tables: the places of circles, and the hashes of all contents they may have.

use std::sync::LazyLock;

use super::{CLOSE, CloseKind, LAST, REACH, WIDE, WideKind};
use crate::rng::splitmix64;

/// A hash for each of the eight ways to look at it.
pub(super) type Views = [u32; 8];

/// Places of wide circles that are read at once, with two bits for each.
pub(super) const QUAD: usize = 4;
/// Places of close circles that are read at once, with four bits for each.
pub(super) const PAIR: usize = 2;
pub(super) const N_QUADS: usize = N_WIDE_PLACES / QUAD;
pub(super) const N_PAIRS: usize = N_CLOSE_PLACES / PAIR;

/// The hash of all that may stand on the places of a group.
pub(super) type GroupTable = [Views; 256];

/// The hashes of all groups of places.
pub(super) struct GroupHashes {
    /// Of each four places of wide circles.
    pub(super) wide: Box<[GroupTable; N_QUADS]>,
    /// Of each two places of close circles, the last move included.
    pub(super) close: Box<[GroupTable; N_PAIRS]>,
}

impl GroupHashes {
    /// The hashes, made at the first call.
    pub(super) fn get() -> &'static GroupHashes {
        static HASHES: LazyLock<GroupHashes> = LazyLock::new(|| {
            // Nothing else asks for the hashes of single places: the compiler would take a second for what takes no time here.
            let wide: [[Views; N_WIDE_KINDS]; N_WIDE_PLACES] = all_hashes(0, &WIDE, 0);
            let close: [[Views; N_CLOSE_KINDS]; N_CLOSE_PLACES] = all_hashes(FIRST_CLOSE, &CLOSE, WIDE.len());
            GroupHashes {
                wide: group_tables(QUAD, |place, kind| wide[place][kind]),
                close: group_tables(PAIR, |place, kind| {
                    let mut hash = close[place][kind % N_CLOSE_KINDS];
                    if kind & usize::from(LAST) > 0 {
                        add(&mut hash, &last_hash(place));
                    }
                    hash
                }),
            }
        });
        &HASHES
    }
}

/// The tables of groups of `n` places, from the hash of a place and what stands there.
fn group_tables<const G: usize>(n: usize, hash: impl Fn(usize, usize) -> Views) -> Box<[GroupTable; G]> {
    let bits = 8 / n;
    let mut tables = vec![[[0; 8]; 256]; G];
    for (group, table) in tables.iter_mut().enumerate() {
        for (code, views) in table.iter_mut().enumerate() {
            for nth in 0..n {
                add(views, &hash(n * group + nth, code >> (bits * nth) & ((1 << bits) - 1)));
            }
        }
    }
    tables.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("made with this length"))
}

const N_WIDE_KINDS: usize = WideKind::Edge as usize + 1;
const N_CLOSE_KINDS: usize = CloseKind::Edge as usize + 1;
/// The kinds of the two rows must not mean the same.
const FIRST_CLOSE: u64 = 16;

const N_WIDE_PLACES: usize = n_within(WIDE[WIDE.len() - 1]);
const N_CLOSE_PLACES: usize = n_within(CLOSE[CLOSE.len() - 1]);

/// The last move's part of a close circle, if it stands at this place.
fn last_hash(place: usize) -> Views {
    let (dx, dy) = STEPS[place];
    views(dx, dy, N_CLOSE_KINDS as u64 + FIRST_CLOSE)
}

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

/// Where the groups of `n` places of each circle of a row begin, and where the last one's end.
pub(super) const fn group_starts<const L: usize, const M: usize>(
    circles: &[usize; L],
    n: usize,
) -> [usize; M] {
    let mut starts = [0; M];
    let mut level = 0;
    while level < L {
        let n_places = n_within(circles[level]);
        assert!(n_places.is_multiple_of(n), "a group lies in one circle");
        starts[level + 1] = n_places / n;
        level += 1;
    }
    starts
}

/// The places of the largest circle but its middle, from the inside to the outside, as steps from the middle.
static STEPS: [(i64, i64); N_WIDE_PLACES] = {
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

/// Where the places lie, as cells from the north-western corner of the largest circle, if rows lie `stride` apart.
pub(super) const fn offsets(stride: usize) -> [u16; N_WIDE_PLACES] {
    let mut offsets = [0; N_WIDE_PLACES];
    let mut n = 0;
    while n < N_WIDE_PLACES {
        let (dx, dy) = STEPS[n];
        offsets[n] = ((dy + REACH as i64) as usize * stride + (dx + REACH as i64) as usize) as u16;
        n += 1;
    }
    offsets
}

/// The hashes of a row of circles, by place and by kind of what stands there; `first_kind` is added to all kinds but 0. Whatever stands at the first place that a
/// circle adds to the one within it, that one's level goes and its own comes.
fn all_hashes<const N: usize, const K: usize>(
    first_kind: u64,
    circles: &[usize],
    first_level: usize,
) -> [[Views; K]; N] {
    let mut all = [[[0; 8]; K]; N];
    for (hashes_here, &(dx, dy)) in all.iter_mut().zip(&STEPS) {
        *hashes_here = hashes(dx, dy, first_kind);
    }
    for idx in 1..circles.len() {
        let level = level_hash(first_level + idx) ^ level_hash(first_level + idx - 1);
        all[n_within(circles[idx - 1])].as_flattened_mut().iter_mut().for_each(|hash| *hash ^= level);
    }
    all
}

/// By kind; nothing adds nothing.
fn hashes<const K: usize>(dx: i64, dy: i64, first_kind: u64) -> [Views; K] {
    let mut hashes = [[0; 8]; K];
    for (hash, kind) in hashes.iter_mut().zip(0..).skip(1) {
        *hash = views(dx, dy, kind + first_kind);
    }
    hashes
}

fn views(dx: i64, dy: i64, kind: u64) -> Views {
    std::array::from_fn(|view| {
        let (x, y) = if view & 4 > 0 { (dy, dx) } else { (dx, dy) };
        let (x, y) = (if view & 1 > 0 { -x } else { x }, if view & 2 > 0 { -y } else { y });
        let place = (x + 128) << 8 | (y + 128);
        (splitmix64(splitmix64(place as u64) ^ kind) >> 32) as u32
    })
}

#[inline(always)]
pub(super) fn add(views: &mut Views, row: &Views) {
    for (view, hash) in views.iter_mut().zip(row) {
        *view ^= hash;
    }
}
