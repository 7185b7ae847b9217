//! The moves of a position as the numbers of their features.

use goban::{Circles, Move, Position, SizeClass, Vertex, with_board};
use model::tactics::PatternTable;
use model::tactics::weights::{self, N_FEATURES};
use model::{PositionView, Wanted, features};

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
        let mut circles = Circles::new(position.board, position.to_play, position.recent_points()[0]);
        let is_after_pass = position.is_after_pass();
        features::each_move(position, Wanted::default(), &self.moves, |idx, found| {
            let list = &mut self.features;
            weights::each_feature(found, is_after_pass, |feature| list.push(weights::class(feature) as u32));
            if let Some(point) = self.moves[idx].point() {
                circles.draw(C::vertex(point), |circle| {
                    let slot = known.slot(circle.key);
                    let unknown = weights::unknown(circle.level);
                    list.push(slot.map_or(unknown, |slot| N_FEATURES + slot) as u32);
                    slot.is_some()
                });
            }
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
