//! A player at a table.

use goban::Position;
use player::{Allowance, GtpPlayer, Player, PlayerError, RandomPlayer, SearchPlayer};

/// An entrant at one of the tables where games are played at the same time.
pub enum Seat {
    /// A recipe.
    Search(Box<SearchPlayer>),
    /// Random moves.
    Random(RandomPlayer),
    /// An engine in a process of its own; it ends with this value.
    Outside(Box<GtpPlayer>),
}

impl Seat {
    /// Gets ready for a new game. Ours are made anew, so that nothing of other games can matter; outside engines go
    /// on, are told of the new game before its clock starts, and are started again if they died.
    ///
    /// # Errors
    /// When an engine cannot be brought to the position.
    pub fn ready(&mut self, seed: u64, position: &Position, allowance: Allowance) -> Result<(), PlayerError> {
        match self {
            Self::Search(player) => {
                let settings = mcts::Settings { seed, ..player.settings().clone() };
                let fresh = SearchPlayer::new(player.name(), player.recipe().clone(), settings);
                **player = fresh.with_manners(player.manners());
            }
            Self::Random(player) => *player = RandomPlayer::new(seed),
            Self::Outside(player) => {
                player.forget();
                player.prepare(position, allowance.clock)?;
            }
        }
        Ok(())
    }

    /// Who sits here.
    pub fn player(&mut self) -> &mut dyn Player {
        match self {
            Self::Search(player) => player.as_mut(),
            Self::Random(player) => player,
            Self::Outside(player) => player.as_mut(),
        }
    }
}
