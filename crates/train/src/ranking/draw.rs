//! Drawing move sets from games.

use std::convert::Infallible;

use goban::{Position, Rng, Vertex};
use model::ranking::Language;
use records::RecordedGame;

use super::sets::{MoveSets, RULES, Scratch};

/// Which positions are drawn.
#[derive(Debug, Clone, Copy)]
pub struct DrawSettings {
    /// Positions drawn from each game; fewer if the same is drawn twice.
    pub positions: usize,
    /// The seed says which.
    pub seed: u64,
    /// Bytes at which drawing ends, though games are left.
    pub memory: usize,
}

/// Draws positions from games until there are no more games or no more memory; tells the number of games that were used.
pub fn draw(games: &[RecordedGame], language: &Language, settings: &DrawSettings) -> (MoveSets, usize) {
    let mut sets = MoveSets::new(language);
    let mut scratch = Scratch::new(language);
    let n_games = draw_into(&mut sets, games, settings, &mut |sets, position, played| {
        sets.push_position(position, played, &mut scratch);
    });
    (sets, n_games)
}

/// Draws positions likewise; `push` adds each to the sets with the move that was played there.
pub(crate) fn draw_into(
    sets: &mut MoveSets,
    games: &[RecordedGame],
    settings: &DrawSettings,
    push: &mut dyn FnMut(&mut MoveSets, &Position, Vertex),
) -> usize {
    let mut rng = Rng::new(settings.seed);
    for (number, game) in games.iter().enumerate() {
        if sets.bytes() >= settings.memory {
            return number;
        }
        draw_from(game, settings.positions, &mut rng, &mut |position, played| push(sets, position, played));
    }
    games.len()
}

fn draw_from(game: &RecordedGame, n_wanted: usize, rng: &mut Rng, push: &mut dyn FnMut(&Position, Vertex)) {
    let n_moves = game.plays().count() as u32;
    if n_moves == 0 {
        return;
    }
    let mut wanted: Vec<u32> = (0..n_wanted).map(|_| rng.below(n_moves)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let (mut number, mut rest) = (0, wanted.as_slice());
    // A game that cannot be followed to its end still has its beginning.
    let _ = game.replay(RULES, 0.0, |position, play| {
        if rest.first() == Some(&number) {
            rest = &rest[1..];
            push(position, play.vertex);
        }
        number += 1;
        Ok::<_, Infallible>(!rest.is_empty())
    });
}
