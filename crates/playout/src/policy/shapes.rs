//! `shapes`: the move after which the shapes on the board are worth most to the mover, one at random where several are. The values
//! are those of [`crate::shapes`], learned in self-play. [Silver, Sutton & Müller 2007; Gelly & Silver 2007, §5]

use goban::{Size, SizeClass};

use super::by_shapes::{ShapeRule, rollout};
use crate::rollout::PlayoutRunner;

recipe::params! {
    /// The move of the best value by local shapes (RLGO), without any chance.
    pub struct ShapesGreedy as "shapes" {}
}

/// Builds the rollout.
pub fn build<C: SizeClass>(_: &ShapesGreedy, size: Size) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(rollout(size, ShapeRule::Epsilon(0.0)))
}
