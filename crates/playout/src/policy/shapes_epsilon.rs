//! `shapes-epsilon`: any move with probability ε, else the one of the best value by local shapes. [Gelly & Silver 2007, §5, π_ε]

use goban::{Size, SizeClass};

use super::by_shapes::{ShapeRule, rollout};
use crate::rollout::PlayoutRunner;

recipe::params! {
    /// Any move with probability ε, else the one of the best value by local shapes.
    pub struct ShapesEpsilon as "shapes-epsilon" {
        epsilon: f32 = 0.1, 0.0..=1.0, "ε: probability of any move";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(
    params: &ShapesEpsilon,
    size: Size,
) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(rollout(size, ShapeRule::Epsilon(params.epsilon)))
}
