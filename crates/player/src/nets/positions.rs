//! Positions to evaluate: they come from games that a playout policy plays with itself, the same on every machine.

use goban::{Color, Position, Rules, Size};

use crate::player::{Budget, Decision, Player, PlayerError};
use crate::policy::PolicyPlayer;
use crate::recipes;

/// The seed of the games.
const SEED: u64 = 20_260_101;

/// The positions of a game on a board of `size`, each after one of these numbers of moves, in rising order.
///
/// # Errors
/// Never for the policy of this crate: when the game cannot be played.
pub fn played(size: Size, plies: &[usize]) -> Result<Vec<Position>, PlayerError> {
    let unable = |why: String| PlayerError::Unable { name: "the playout policy".to_string(), why };
    let policy = recipes::policy("tengen").map_err(|error| unable(error.to_string()))?;
    let mut player = PolicyPlayer::new("tengen".to_string(), policy, SEED + size.area() as u64);
    let mut game = Position::new(size, Rules::TROMP_TAYLOR);
    game.set_komi(7.5).map_err(|error| unable(error.to_string()))?;
    let (mut found, mut color) = (Vec::new(), Color::Black);
    for ply in 0..=plies.iter().copied().max().unwrap_or(0) {
        if plies.contains(&ply) {
            found.push(game.clone());
        }
        if let Decision::Play(vertex) = player.choose(&game, color, &Budget::default())? {
            game.play(color, vertex).map_err(|error| unable(error.to_string()))?;
        }
        color = !color;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_go_on_and_are_the_same_every_time() {
        let size = Size::new(9, 7).unwrap();
        let found = played(size, &[0, 5, 12]).unwrap();
        let n_plays: Vec<usize> = found.iter().map(|position| position.plays().len()).collect();
        assert_eq!(n_plays, [0, 5, 12]);
        assert_eq!(found[2].hashes(), played(size, &[12]).unwrap()[0].hashes());
    }
}
