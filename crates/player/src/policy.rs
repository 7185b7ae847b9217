//! A playout policy as a player: what the moves inside the playouts are worth by themselves.

use goban::{Color, Move, Position, Rng, Vertex, with_board};
use playout::{Start, policy};
use recipe::Choice;

use crate::player::{Budget, Decision, Player, PlayerError};
use crate::searcher::situation;

/// Plays the move that a playout would begin with, without any search; it passes when the policy does. What superko forbids
/// is drawn again.
#[derive(Clone, Debug)]
pub struct PolicyPlayer {
    name: String,
    policy: Choice,
    rng: Rng,
}

/// How often a move is drawn again before the player passes.
const TRIES: usize = 20;

impl PolicyPlayer {
    /// A player called `name` whose games follow from `seed`.
    pub fn new(name: String, policy: Choice, seed: u64) -> Self {
        Self { name, policy, rng: Rng::new(seed) }
    }

    /// The same player for another game.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { rng: Rng::new(seed), ..self.clone() }
    }

    /// The first move of one playout.
    fn draw(&mut self, position: &Position, color: Color) -> Result<Vertex, PlayerError> {
        let unable =
            |error: recipe::Error| PlayerError::Unable { name: self.name.clone(), why: error.to_string() };
        let [last, before, ..] = situation(position, color).recent;
        let mut moves = Vec::new();
        Ok(with_board!(position.board(), |board| {
            let mut rollout = policy::build(&self.policy, board.size()).map_err(unable)?;
            let recent =
                [last, before].map(|vertex| vertex.map_or(Move::PASS, |vertex| board.to_move(vertex)));
            rollout.run(&Start { board, to_play: color, recent }, &mut self.rng, &mut moves);
            moves.first().map_or(Vertex::PASS, |&first| board.vertex(first))
        }))
    }
}

impl Player for PolicyPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, position: &Position, color: Color, _: &Budget) -> Result<Decision, PlayerError> {
        for _ in 0..TRIES {
            let vertex = self.draw(position, color)?;
            if position.is_legal(color, vertex) {
                return Ok(Decision::Play(vertex));
            }
        }
        Ok(Decision::Play(Vertex::PASS))
    }
}

#[cfg(test)]
mod tests {
    use goban::{Rules, Size};

    use super::*;

    fn player(seed: u64) -> PolicyPlayer {
        PolicyPlayer::new("mogo".to_string(), crate::recipes::policy("mogo").unwrap(), seed)
    }

    #[test]
    fn a_stone_in_atari_is_saved_and_the_seed_tells_the_game() {
        let mut position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        // White's last move, at the left, leaves Black's stone at b3 one liberty, b4.
        for text in ["b3", "c3", "e1", "b2", "e2", "a3"] {
            let vertex = position.size().parse_vertex(text).unwrap();
            position.play(position.to_play(), vertex).unwrap();
        }
        let save = position.size().parse_vertex("b4").unwrap();
        for seed in 0..20 {
            let decision = player(seed).choose(&position, Color::Black, &Budget::default()).unwrap();
            assert_eq!(decision, Decision::Play(save));
        }
        let empty = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        let first = |seed| player(seed).choose(&empty, Color::Black, &Budget::default()).unwrap();
        assert_eq!(
            first(7),
            player(1).with_seed(7).choose(&empty, Color::Black, &Budget::default()).unwrap()
        );
        assert!((0..20).any(|seed| first(seed) != first(7)));
    }
}
