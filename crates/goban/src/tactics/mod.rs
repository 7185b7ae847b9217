//! Tactics: small exact questions about chains, one per file, asked in every move of a playout and by priors.
//!
//! All are functions over `&Board<C, K>`; none allocates, draws at random or changes the board. A chain is named by any
//! of its stones. Functions that look for moves push legal ones into a [`Candidates`], so playouts and priors share
//! them. Reading order:
//!
//! | module | question |
//! |---|---|
//! | [`mod@after`] | what chain would a stone be part of, with which liberties, and what would it take |
//! | [`around`] | which enemy chains touch a chain |
//! | [`atari`] | what can be taken, and how a chain in atari is saved |
//! | [`shape`] | which shapes of up to six points make one eye only, and their vital points |
//! | [`self_atari`] | which moves put their own chain into atari for nothing, and what to play instead |
//! | [`two_liberty`] | attack and defence of chains with two liberties |
//! | [`semeai`] | ataris and liberties to take in a race |
//! | [`nakade`] | the vital point of a small eye space |
//! | [`eye`] | false eyes, and how eyes are kept or restored |
//! | [`ladder`] | can a chain be taken in a ladder; by reading, and without it at the edge |
//! | [`seki`] | which moves throw a seki away |
//! | [`connect`] | where chains are joined and cut |
//! | [`mod@cfg`] | distances in the common-fate graph |

pub mod after;
pub mod around;
pub mod atari;
mod candidates;
pub mod cfg;
pub mod connect;
pub mod eye;
pub mod ladder;
pub mod nakade;
pub mod seki;
pub mod self_atari;
pub mod semeai;
pub mod shape;
pub mod two_liberty;

pub use after::{After, after, liberties_after, n_liberties_after};
pub use candidates::Candidates;
pub use cfg::Distances;
pub use self_atari::{Strength, is_bad_self_atari, is_blunder};

use crate::point::Point;
use crate::set::PointSet;

/// The point of a set that has exactly one.
#[inline(always)]
pub fn only<S: PointSet>(set: &S) -> Option<Point> {
    if set.len() == 1 { set.first() } else { None }
}

/// The points of a set that has exactly two.
#[inline(always)]
pub fn pair<S: PointSet>(set: &S) -> Option<[Point; 2]> {
    if set.len() == 2 { Some([set.first()?, set.last()?]) } else { None }
}
