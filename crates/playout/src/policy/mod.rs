//! Move policies: each chooses the next move of a playout.

pub mod uniform;

use goban::{Board, Color, Keep, Move, Point, Rng, SizeClass};

use crate::rollout::Ending;

/// Chooses the moves of both players in a playout.
pub trait MovePolicy: Clone + Send {
    /// What the policy needs the playout's board to keep.
    type Keep: Keep;

    /// A playout begins on `board`.
    #[inline]
    fn start<C: SizeClass>(&mut self, board: &Board<C, Self::Keep>) {
        let _ = board;
    }

    /// The next move of the colour that `IS_BLACK` names: a legal point, or `None` to pass. The board is
    /// mutable only so that the list of empty points may be reordered.
    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Self::Keep>,
        rng: &mut Rng,
    ) -> Option<Point>;

    /// `mover` has just played `mv` on `board`.
    #[inline]
    fn played<C: SizeClass>(&mut self, board: &Board<C, Self::Keep>, mover: Color, mv: Move) {
        let _ = (board, mover, mv);
    }

    /// The playout has ended.
    #[inline]
    fn finish(&mut self, ending: &Ending) {
        let _ = ending;
    }
}
