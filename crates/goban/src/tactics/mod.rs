//! Tactics: small exact questions about chains, one per file, asked in every move of a playout and by priors.
//!
//! All are functions over `&Board<C, K>`; none allocates, draws at random or changes the board. A chain is named by any
//! of its stones. Functions that look for moves push legal ones into a [`Candidates`], so playouts and priors share
//! them. Reading order:
//!
//! | module | question |
//! |---|---|
//! | [`after`] | what chain would a stone be part of, with which liberties, and what would it take |
//! | [`around`] | which enemy chains touch a chain |
//! | [`atari`] | what can be taken, and how a chain in atari is saved |

pub mod after;
pub mod around;
pub mod atari;
mod candidates;

pub use after::{After, after, liberties_after, n_liberties_after};
pub use candidates::Candidates;

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
    if set.len() != 2 {
        return None;
    }
    let first = set.first()?;
    let mut rest = *set;
    rest.remove(first);
    Some([first, rest.first()?])
}
