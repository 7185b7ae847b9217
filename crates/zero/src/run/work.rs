//! The work of a thread of a run: it plays games, and trains when steps are due and no other thread trains.

use std::sync::{Arc, TryLockError};
use std::time::Duration;

use goban::Rng;
use train::net::Row;

use super::{Games, Run, RunEvent, lock};
use crate::learner::Learner;
use crate::selfplay::{GameOrder, SelfPlayer};
use crate::stored::StoredGame;
use crate::{Error, Result};

/// Steps after which a thread looks at what else there is to do.
const STEPS_AT_ONCE: u64 = 20;
/// Between two times that games are brought to the disk: as much a killed run loses.
const STORE_EVERY: Duration = Duration::from_secs(1);

/// One thread.
pub(super) struct Worker<'a> {
    run: &'a Run,
    idx: u32,
    /// The player with the number of its network.
    player: Option<(u32, SelfPlayer)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(run: &'a Run, idx: u32) -> Self {
        Self { run, idx, player: None }
    }

    /// Works until the run is over.
    pub(super) fn work(&mut self, tell: &(dyn Fn(&RunEvent) + Sync)) -> Result<()> {
        while !self.run.is_over() {
            if !self.train(tell)? {
                self.play()?;
            }
        }
        Ok(())
    }

    /// Makes some of the steps that are due; false if there are none, or if another thread trains.
    fn train(&mut self, tell: &(dyn Fn(&RunEvent) + Sync)) -> Result<bool> {
        let run = self.run;
        let mut learner = match run.learner.try_lock() {
            Ok(learner) => learner,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        let learn = &run.settings.learn;
        let per_net = u64::from(learn.steps_per_net);
        let due =
            learn.steps_due(lock(&run.games).log.sums().positions, run.settings.optimise.batch as usize);
        // A run that was stopped in a trial has the steps of its next network already.
        let (n_steps, next_net) = (learner.n_steps(), lock(&run.state).steps + per_net);
        let until = due.min(n_steps + STEPS_AT_ONCE).min(next_net);
        if until <= n_steps && n_steps < next_net {
            return Ok(false);
        }
        while learner.n_steps() < until && !run.is_over() {
            step(run, &mut learner)?;
        }
        if learner.n_steps() >= next_net {
            run.publish(&mut learner, tell)?;
        }
        Ok(true)
    }

    /// Plays a game with the network that plays now.
    fn play(&mut self) -> Result<()> {
        let run = self.run;
        let net = lock(&run.playing).clone();
        let player = match &mut self.player {
            Some((number, player)) if *number == net.number => player,
            other => {
                // The old one's memory is given back first.
                *other = None;
                let seed = run.settings.seed ^ u64::from(net.number) << 16 ^ u64::from(self.idx);
                let player = SelfPlayer::new(&run.settings, net.net, seed)?;
                &mut other.insert((net.number, player)).1
            }
        };
        let order = {
            let mut games = lock(&run.games);
            games.n_begun += 1;
            let number = games.n_begun;
            let seed = Rng::new(run.settings.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64();
            GameOrder { number, net: net.number, resign_below: games.resign.limit(), seed }
        };
        match player.play(&order, &run.stop) {
            Some(game) => run.take(game),
            None => Ok(()),
        }
    }
}

/// Makes a training step on rows that are drawn from the window.
fn step(run: &Run, learner: &mut Learner) -> Result<()> {
    let rows = lock(&run.games).window.draw(run.settings.optimise.batch as usize, &mut learner.rng);
    let rows: Vec<&Row> = rows.iter().map(Arc::as_ref).collect();
    match rows.is_empty() {
        true => Err(Error::input("[learn] first-positions: a step is due, and the window is empty")),
        false => learner.step(&rows),
    }
}

impl Run {
    /// Takes a game that has ended.
    fn take(&self, game: StoredGame) -> Result<()> {
        let rows = game.rows(self.start.as_ref(), self.settings.play.value_mix).map_err(Error::input)?;
        let mut games = lock(&self.games);
        let games: &mut Games = &mut games;
        let most = self.settings.learn.window(games.log.sums().positions);
        games.window.add(rows, most);
        games.note(&game);
        games.tally.add(&game);
        games.log.add(game);
        if games.stored_at.elapsed() >= STORE_EVERY {
            games.log.store()?;
            games.stored_at = std::time::Instant::now();
        }
        Ok(())
    }
}
