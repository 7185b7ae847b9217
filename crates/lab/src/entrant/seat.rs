//! A player at a table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goban::Position;
use player::outside::with_seed;
use player::{
    Allowance, GtpPlayer, NetPolicy, Patience, Player, PlayerError, PolicyPlayer, RandomPlayer, SearchPlayer,
    TimeSystem,
};

/// An entrant at one of the tables where games are played at the same time.
pub enum Seat {
    /// A recipe.
    Search(Box<SearchPlayer>),
    /// Random moves.
    Random(RandomPlayer),
    /// A playout policy by itself.
    Policy(PolicyPlayer),
    /// The policy of a network by itself.
    NetPolicy(Box<NetPolicy>),
    /// An engine in a process of its own; it ends with this value.
    Outside(Outside),
}

impl Seat {
    /// Gets ready for a new game. Ours are made anew, so that nothing of other games can matter; outside engines go
    /// on, are told of the new game before its clock starts, and are started again if they died.
    ///
    /// # Errors
    /// When an engine cannot be brought to the position, not even one that has just been started.
    pub fn ready(&mut self, seed: u64, position: &Position, allowance: Allowance) -> Result<(), PlayerError> {
        match self {
            Self::Search(player) => {
                let settings = mcts::Settings { seed, ..player.settings().clone() };
                let fresh = SearchPlayer::new(player.name(), player.recipe().clone(), settings);
                **player = fresh.with_manners(player.manners());
            }
            Self::Random(player) => *player = RandomPlayer::new(seed),
            Self::Policy(player) => *player = player.with_seed(seed),
            Self::NetPolicy(player) => **player = player.with_seed(seed),
            Self::Outside(outside) => outside.ready(seed, position, allowance.clock)?,
        }
        Ok(())
    }

    /// Who sits here.
    pub fn player(&mut self) -> &mut dyn Player {
        match self {
            Self::Search(player) => player.as_mut(),
            Self::Random(player) => player,
            Self::Policy(player) => player,
            Self::NetPolicy(player) => player.as_mut(),
            Self::Outside(outside) => outside.player.as_mut(),
        }
    }
}

/// An outside engine at a table.
pub struct Outside {
    /// As given, with `{seed}` or `{seed31}` where the game's seed belongs.
    command_line: String,
    stop: Arc<AtomicBool>,
    player: Box<GtpPlayer>,
}

impl Outside {
    /// Starts an engine, to see that it can be started; with a seed in its command line it is started anew for each game.
    pub(super) fn start(
        command_line: &str,
        patience: Patience,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, PlayerError> {
        let player = GtpPlayer::start_until(&with_seed(command_line, 0), patience, stop)?;
        Ok(Self { command_line: command_line.to_string(), stop: Arc::clone(stop), player: Box::new(player) })
    }

    /// Brings the engine to a position. One that fails between two games has lost neither; it is started again. Only if the
    /// new one fails as well it cannot play.
    fn ready(&mut self, seed: u64, position: &Position, clock: TimeSystem) -> Result<(), PlayerError> {
        let command_line = with_seed(&self.command_line, seed);
        if command_line == self.player.command_line() {
            self.player.forget();
        } else {
            self.player.restart_as(&command_line);
        }
        match self.player.prepare(position, clock) {
            Err(PlayerError::Crash { .. } | PlayerError::Hang { .. } | PlayerError::Nonsense { .. })
                if !self.stop.load(Ordering::Relaxed) =>
            {
                self.player.restart_as(&command_line);
                self.player.prepare(position, clock)
            }
            ready => ready,
        }
    }
}
