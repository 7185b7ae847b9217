//! `shapes-tau`: a move with probability ∝ e^{Q/τ}, Q its value by local shapes. [Gelly & Silver 2007, §5, π_τ]

use goban::{Size, SizeClass};

use super::by_shapes::{ShapeRule, rollout};
use crate::rollout::PlayoutRunner;

recipe::params! {
    /// A move with probability ∝ e^(Q/τ), Q its value by local shapes.
    pub struct ShapesTau as "shapes-tau" {
        tau: f32 = 0.1, 0.001..=100.0, "τ: temperature, in wins; the larger, the more random";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(
    params: &ShapesTau,
    size: Size,
) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(rollout(size, ShapeRule::Tau(params.tau)))
}
