//! The game under review: the positions before each move and at the end.

use goban::{PlayedMove, Position};

/// A game as its last position, which knows all moves and setups before it.
#[derive(Clone, Debug)]
pub struct GameLine {
    last: Position,
}

impl GameLine {
    /// The game that led to this position.
    pub fn new(last: Position) -> Self {
        Self { last }
    }

    /// The moves.
    pub fn plays(&self) -> &[PlayedMove] {
        self.last.plays()
    }

    /// One more than there are moves.
    pub fn n_positions(&self) -> usize {
        self.plays().len() + 1
    }

    /// The position after `ply` moves, in which the player of the next one is to move. All positions at once would take
    /// much room; one is quickly found by going back.
    pub fn position(&self, ply: usize) -> Position {
        let mut position = self.last.clone();
        position.undo_many(self.plays().len().saturating_sub(ply));
        if let Some(next) = self.plays().get(ply).filter(|next| next.color != position.to_play()) {
            position.set_to_play(next.color);
        }
        position
    }

    /// The last position.
    pub fn last(&self) -> &Position {
        &self.last
    }
}
