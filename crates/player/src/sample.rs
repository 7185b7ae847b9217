//! The smallest player, written to be copied.

use goban::{Color, EyeRule, Position, Rng, Vertex};

use crate::player::{Budget, Decision, Player, PlayerError};

/// Plays any legal move that does not fill an own eye, each as likely as the other; else it passes.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    rng: Rng,
}

impl RandomPlayer {
    /// A player whose games follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_string()
    }

    fn choose(&mut self, position: &Position, color: Color, _: &Budget) -> Result<Decision, PlayerError> {
        let mut moves = position.legal_moves(color);
        moves.retain(|&vertex| {
            !vertex.is_pass() && !position.board().is_eye(vertex, color, EyeRule::Standard)
        });
        if moves.is_empty() {
            return Ok(Decision::Play(Vertex::PASS));
        }
        Ok(Decision::Play(moves[self.rng.below(moves.len() as u32) as usize]))
    }
}
