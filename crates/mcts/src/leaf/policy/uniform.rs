//! Exactly uniform over the legal moves that fill no own eye. [You 3.3.1; Gelly & Silver 2007]

use super::Eye;
use goban::{Size, SizeClass};
use playout::{Playout, Rollout};

recipe::params! {
    /// Every legal move that fills no own eye is equally likely.
    pub struct Uniform as "uniform" {
        eye: word(Eye) = Eye::Standard, "which surrounded points are left alone";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(params: &Uniform, size: Size) -> Result<Box<dyn Rollout<C>>, recipe::Error> {
    Ok(Box::new(Playout::<C, _>::new(size, playout::Uniform { eye: params.eye.into() })))
}
