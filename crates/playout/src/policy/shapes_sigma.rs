//! `shapes-sigma`: the move of the best value by local shapes after Gaussian noise was added to each value. [Gelly & Silver 2007,
//! §5, π_σ]

use goban::{Size, SizeClass};

use super::by_shapes::{ShapeRule, rollout};
use crate::rollout::PlayoutRunner;

recipe::params! {
    /// The move of the best value by local shapes after Gaussian noise.
    pub struct ShapesSigma as "shapes-sigma" {
        sigma: f32 = 0.15, 0.0..=10.0, "σ: standard deviation of the noise, in wins";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(
    params: &ShapesSigma,
    size: Size,
) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(rollout(size, ShapeRule::Sigma(params.sigma)))
}
