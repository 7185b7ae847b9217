//! The moves of a position as the numbers of their features.

use goban::{Circle, Circles, Move, Position, SizeClass, Vertex, with_board};
use model::tactics::PatternTable;
use model::tactics::weights::{self, N_FEATURES};
use model::{MoveFeatures, PositionView, Wanted, features};

/// All moves of one position, in lists without gaps that are used again.
#[derive(Debug, Clone, Default)]
pub struct Moves {
    moves: Vec<Move>,
    /// By move and place: below [`N_FEATURES`] as the table counts them, from there on slots of circles.
    features: Vec<u32>,
    /// Where the features of each move end.
    ends: Vec<u32>,
    /// Which of them was played.
    pub played: usize,
}

impl Moves {
    /// Takes all moves of a position; false if no search would consider the one that was played, such as one into an own
    /// eye.
    pub fn fill(&mut self, position: &Position, played: Vertex, known: &PatternTable) -> bool {
        with_board!(position.board(), |board| {
            self.fill_from(&PositionView::of_position(board, position), board.to_move(played), known)
        })
    }

    fn fill_from<C: SizeClass>(
        &mut self,
        position: &PositionView<'_, C>,
        played: Move,
        known: &PatternTable,
    ) -> bool {
        self.moves.clear();
        position.moves(&mut self.moves);
        let Some(idx) = self.moves.iter().position(|&mv| mv == played) else { return false };
        self.played = idx;
        self.features.clear();
        self.ends.clear();
        let circles = Circles::new(position.board, position.to_play, position.recent_points()[0]);
        let around = Around { circles, known, is_after_pass: position.is_after_pass() };
        features::each_move(position, Wanted::default(), &self.moves, |idx, found| {
            around.list(found, self.moves[idx].point().map(|point| C::vertex(point)), &mut self.features);
            self.ends.push(self.features.len() as u32);
        });
        true
    }

    /// The features of each move.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.ends.iter().enumerate().map(|(idx, &end)| {
            let start = idx.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            &self.features[start..end as usize]
        })
    }
}

/// What the features of a move depend on besides the move, the same for boards of all sizes.
struct Around<'a> {
    circles: Circles,
    known: &'a PatternTable,
    is_after_pass: bool,
}

impl Around<'_> {
    /// Adds the features of a move, which is at `vertex` or a pass, to a list.
    fn list(&self, found: &MoveFeatures, vertex: Option<Vertex>, out: &mut Vec<u32>) {
        weights::each_feature(found, self.is_after_pass, |feature| out.push(weights::class(feature) as u32));
        let Some(vertex) = vertex else { return };
        each_circle(&self.circles, vertex, &mut |circle| {
            let slot = self.known.slot(circle.key);
            let unknown = weights::unknown(circle.level);
            out.push(slot.map_or(unknown, |slot| N_FEATURES + slot) as u32);
            slot.is_some()
        });
    }
}

/// [`Circles::draw`], compiled once for all callers of this crate.
pub(super) fn each_circle(circles: &Circles, vertex: Vertex, known: &mut dyn FnMut(Circle) -> bool) {
    circles.draw(vertex, known);
}
