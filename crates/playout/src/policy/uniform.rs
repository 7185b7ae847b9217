//! `uniform`: uniform over the legal moves that fill no own eye. [You 3.3.1; Gelly & Silver 2007]

use goban::{Board, Lean, Point, Rng, Size, SizeClass};

use super::{Eye, MovePolicy, draw_fair};
use crate::rollout::{Playout, PlayoutRunner};

recipe::params! {
    /// Every legal move that fills no own eye is equally likely; a pass only when there is none.
    pub struct UniformPolicy as "uniform" {
        eye: word(Eye) = Eye::Standard, "which surrounded points are left alone";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(
    params: &UniformPolicy,
    size: Size,
) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(Box::new(Playout::new(size, params.clone())))
}

impl MovePolicy for UniformPolicy {
    type Keep = Lean;

    #[inline(always)]
    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Lean>,
        rng: &mut Rng,
    ) -> Option<Point> {
        draw_fair::<C, Lean, IS_BLACK>(board, self.eye, rng)
    }
}
