//! `careful`: a move that wins the game at once, else one that keeps the other from doing so now or next, else any. [Teytaud & Teytaud
//! 2010, decisive and anti-decisive moves]
//!
//! A policy for games that a move can win, which bring the playout themselves. No stone wins a game of Go at once: there it
//! is `uniform`.

use goban::{Size, SizeClass};

use super::Eye;
use super::uniform::UniformPolicy;
use crate::rollout::{Playout, PlayoutRunner};

recipe::params! {
    /// A move that wins the game at once, else one that keeps the other from it, else any (Connect Four; in Go it is uniform).
    pub struct CarefulPolicy as "careful" {}
}

/// Builds the rollout for Go.
pub fn build<C: SizeClass>(
    _: &CarefulPolicy,
    size: Size,
) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(Box::new(Playout::new(size, UniformPolicy { eye: Eye::Standard })))
}
