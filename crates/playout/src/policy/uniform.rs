//! `uniform`: exactly uniform over the legal moves that fill no own eye. [You 3.3.1; Gelly & Silver 2007]

use goban::{Board, Lean, Point, Rng, Size, SizeClass};

use super::{Eye, MovePolicy, may_choose};
use crate::rollout::{Playout, Rollout};

recipe::params! {
    /// Every legal move that fills no own eye is equally likely; a pass only when there is none.
    pub struct Uniform as "uniform" {
        eye: word(Eye) = Eye::Standard, "which surrounded points are left alone";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(params: &Uniform, size: Size) -> Result<Box<dyn Rollout<C>>, recipe::Error> {
    Ok(Box::new(Playout::new(size, params.clone())))
}

impl MovePolicy for Uniform {
    type Keep = Lean;

    /// Draws an empty point; a refused one is moved behind the others and not drawn again for this move, so
    /// the choice is exactly uniform over the points that are not refused.
    #[inline(always)]
    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Lean>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let mut n_left = board.n_empty();
        while n_left > 0 {
            let drawn = rng.below(n_left as u32) as usize;
            let entry = board.empty_nth(drawn);
            if may_choose::<C, Lean, IS_BLACK>(board, entry, self.eye) {
                return Some(entry.point());
            }
            n_left -= 1;
            board.set_aside(entry, n_left);
        }
        None
    }
}
