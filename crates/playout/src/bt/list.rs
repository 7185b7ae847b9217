//! The list of features: every group by name, with its levels. A move has at most one level of each group, and a feature's number is
//! that of its group's first level plus its level.

pub use crate::pattern3::N_SHAPES;

/// A declared group of features.
#[derive(Clone, Copy, Debug)]
pub struct BtGroup {
    /// Its name in files.
    pub name: &'static str,
    /// The number of its levels, from 0.
    pub n_levels: usize,
    /// What it tells.
    pub about: &'static str,
}

/// Sizes of a chain that are told apart: one stone, more.
const N_SIZES: usize = 2;
/// Lines that are told apart, from the edge.
pub(super) const N_LINES: usize = 5;
/// Steps to another move that are told apart: beside it, diagonal to it, two lines away.
pub(super) const N_STEPS: usize = 3;
/// Liberties after a move that are told apart: one, two, more.
pub(super) const N_OUTCOMES: usize = 3;
/// Sizes of a chain in self-atari that are told apart: one stone, two, up to five, more.
pub const N_SELF_ATARI: usize = 4;

macro_rules! groups {
    ($($start:ident $name:literal $n_levels:expr, $about:literal;)*) => {
        /// All groups.
        pub static GROUPS: &[BtGroup] =
            &[$(BtGroup { name: $name, n_levels: $n_levels, about: $about }),*];

        groups! { @start 0; $($start $n_levels;)* }
    };
    (@start $before:expr; $start:ident $n_levels:expr; $($rest:tt)*) => {
        #[doc = concat!("The number of the first level of its group, ", stringify!($start), ".")]
        pub const $start: usize = $before;
        groups! { @start $start + $n_levels; $($rest)* }
    };
    (@start $before:expr;) => {
        /// The number of features.
        pub const N_FEATURES: usize = $before;
    };
}

groups! {
    SHAPE "shape" N_SHAPES, "the 3×3 neighbourhood, all of them";
    LINE "line" N_LINES, "the line, from the edge, at most the fifth";
    LAST "last" N_STEPS, "beside the last move, diagonal to it, two lines away";
    BEFORE "before" N_STEPS, "the same of the move before it";
    TAKE "take" 2 * N_SIZES, "takes one stone, or more; then the same where that saves a chain in atari";
    EXTEND "extend" N_SIZES * 2 * N_OUTCOMES,
        "saves a chain in atari: one stone or more, old atari or by the last move, one liberty, two or more after it";
    PRESS "press" N_SIZES, "gives atari to the chain of the last move: one stone, more";
    BRACE "brace" N_SIZES, "a liberty of an own chain of two beside the last move: one stone, more";
    SELF_ATARI "self-atari" N_SELF_ATARI, "takes nothing and has one liberty: one stone, two, up to five, more";
}

/// The level of a chain's size.
#[inline(always)]
pub(super) fn size_level(n_stones: usize) -> usize {
    usize::from(n_stones > 1)
}

/// The level of a chain in self-atari.
#[inline(always)]
pub(super) fn self_atari_level(n_stones: usize) -> usize {
    match n_stones {
        0 | 1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_those_of_the_groups() {
        let starts = [SHAPE, LINE, LAST, BEFORE, TAKE, EXTEND, PRESS, BRACE, SELF_ATARI];
        let mut n_before = 0;
        assert_eq!(starts.len(), GROUPS.len());
        for (start, group) in starts.into_iter().zip(GROUPS) {
            assert_eq!(start, n_before, "{}", group.name);
            assert!(
                !group.about.is_empty() && group.name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
            );
            n_before += group.n_levels;
        }
        assert_eq!(n_before, N_FEATURES);
    }
}
