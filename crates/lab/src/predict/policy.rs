//! What a playout policy plays first, found out by asking it many times. Policies draw a move without telling its
//! probability, so this is a measurement: its ties are broken by chance, and each legal move counts once more than it was
//! played, so that no move is impossible.

use goban::{Position, Rng, Vertex, with_board};
use playout::policy;
use recipe::Choice;

use super::{Predictor, add_weight};
use crate::error::Result;

/// A policy and how often it is asked.
pub(super) struct Policy {
    policy: Choice,
    playouts: u64,
    rng: Rng,
}

impl Policy {
    pub(super) fn new(policy: Choice, playouts: u64) -> Self {
        Self { policy, playouts, rng: Rng::new(0) }
    }
}

impl Predictor for Policy {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()> {
        out.fill(1.0);
        let mut played = Vec::new();
        with_board!(position.board(), |board| {
            let mut rollout = policy::build(&self.policy, board.size())?;
            for _ in 0..self.playouts {
                played.clear();
                rollout.run(board, position.to_play(), &mut self.rng, &mut played);
                if let Some(&first) = played.first() {
                    add_weight(moves, out, board.vertex(first), 1.0);
                }
            }
        });
        Ok(())
    }
}
