//! Levels of the features that are no yes or no, for all who count them.

use super::MoveFeatures;

/// Lines beyond this are one.
pub const HIGH: usize = 5;
/// Distances beyond this are one.
pub const FAR: usize = 17;
/// Levels of [`place`].
pub const N_PLACES: usize = HIGH * HIGH;
/// Levels of [`distance`].
pub const N_DISTANCES: usize = FAR + 1;
/// Levels of [`size`].
pub const N_SIZES: usize = 3;
/// Levels of [`take`].
pub const N_TAKES: usize = N_SIZES * N_SIZES;

/// The lines of both coordinates.
#[inline(always)]
pub fn place(features: &MoveFeatures) -> usize {
    let line = |line: u8| usize::from(line).clamp(1, HIGH) - 1;
    line(features.lines[0]) * HIGH + line(features.lines[1])
}

/// Coulom's distance; 0 if there is nothing to be far from.
#[inline(always)]
pub fn distance(distance: u8) -> usize {
    usize::from(distance).min(FAR)
}

/// How many stones: none, one, more.
#[inline(always)]
pub fn size(n_stones: u16) -> usize {
    usize::from(n_stones.min(2))
}

/// Stones taken and saved; 0 if neither.
#[inline(always)]
pub fn take(features: &MoveFeatures) -> usize {
    size(features.n_captured) * N_SIZES + size(features.n_saved)
}
