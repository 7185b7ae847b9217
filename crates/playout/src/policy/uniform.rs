//! `uniform`: every legal move that does not fill an own eye is equally likely (METHODS of all the papers).

use goban::{Board, Color, EyeRule, Lean, Point, Rng, SizeClass};

use super::MovePolicy;

/// Draws uniformly; passes only when nothing else is left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform {
    /// What counts as an own eye.
    pub eye: EyeRule,
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
        let color = if IS_BLACK { Color::Black } else { Color::White };
        let mut n_left = board.n_empty();
        while n_left > 0 {
            let drawn = rng.below(n_left as u32) as usize;
            let entry = board.empty_nth(drawn);
            // Most points have an empty neighbour: neither eye nor suicide nor ko.
            let code = board.code_at(entry);
            if code.empty_neighbours() != 0
                || (!code.is_eye(color, self.eye) && board.may_place_at::<IS_BLACK>(entry))
            {
                return Some(entry.point());
            }
            n_left -= 1;
            board.set_aside(entry, n_left);
        }
        None
    }
}
