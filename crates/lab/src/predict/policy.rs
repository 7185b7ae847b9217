//! The first moves of a playout policy, found by asking it many times. Policies draw a move without telling its
//! probability, so this is a measurement: its ties are broken by chance, and each legal move counts once more than it was
//! played, so that no move is impossible.

use goban::{Move, Position, Rng, Vertex, with_board};
use player::searcher::situation;
use playout::{Start, policy};
use recipe::Choice;

use super::{Predictor, add_weight};
use crate::error::Result;

/// A policy and how often it is asked.
pub(super) struct PolicyPredictor {
    policy: Choice,
    playouts: u64,
    rng: Rng,
}

impl PolicyPredictor {
    pub(super) fn new(policy: Choice, playouts: u64) -> Self {
        Self { policy, playouts, rng: Rng::new(0) }
    }
}

impl Predictor for PolicyPredictor {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn predict(&mut self, position: &Position, moves: &[Vertex], out: &mut [f64]) -> Result<()> {
        out.fill(1.0);
        let mut played = Vec::new();
        with_board!(position.board(), |board| {
            let mut rollout = policy::build(&self.policy, board.size())?;
            let to_play = position.to_play();
            let [last, before, ..] = situation(position, to_play).recent;
            let recent =
                [last, before].map(|vertex| vertex.map_or(Move::PASS, |vertex| board.to_move(vertex)));
            let start = Start { board, to_play, recent };
            for _ in 0..self.playouts {
                played.clear();
                rollout.run(&start, &mut self.rng, &mut played);
                if let Some(&first) = played.first() {
                    add_weight(moves, out, board.vertex(first), 1.0);
                }
            }
        });
        Ok(())
    }
}
