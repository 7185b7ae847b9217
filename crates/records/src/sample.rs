//! Some games of many, each equally likely, without keeping the others. [Vitter 1985, algorithm R]

use std::ops::ControlFlow;
use std::path::PathBuf;

use goban::Rng;

use super::{ReadItem, RecordedGame, read};

/// Games drawn at random while they are read, or the first ones.
pub struct GameSample {
    n_wanted: usize,
    /// `None`: the first ones are taken.
    rng: Option<Rng>,
    n_offered: usize,
    /// The number of each in the order of reading, and the game.
    taken: Vec<(usize, RecordedGame)>,
}

impl GameSample {
    /// A sample of `n_wanted` games, each as likely as the next.
    pub fn drawn(n_wanted: usize, seed: u64) -> Self {
        Self { n_wanted, rng: Some(Rng::new(seed)), n_offered: 0, taken: Vec::new() }
    }

    /// The first `n_wanted` games.
    pub fn first(n_wanted: usize) -> Self {
        Self { n_wanted, rng: None, n_offered: 0, taken: Vec::new() }
    }

    /// Offers the next game. `is_fit` is asked only of games that would be taken; one that is not fit does not count as
    /// offered.
    pub fn offer(&mut self, game: RecordedGame, is_fit: impl FnOnce(&RecordedGame) -> bool) {
        let slot = match &mut self.rng {
            _ if self.taken.len() < self.n_wanted => self.taken.len(),
            Some(rng) => below(rng, self.n_offered + 1),
            None => usize::MAX,
        };
        if slot < self.n_wanted {
            if !is_fit(&game) {
                return;
            }
            let entry = (self.n_offered, game);
            match self.taken.get_mut(slot) {
                Some(old) => *old = entry,
                None => self.taken.push(entry),
            }
        }
        self.n_offered += 1;
    }

    /// Offers the games of some files, see [`GameSample::offer`], until no more can be taken. `complain` is told what cannot be
    /// read.
    ///
    /// # Errors
    /// The one of `complain`, which ends the reading.
    pub fn read<E>(
        &mut self,
        paths: &[PathBuf],
        is_fit: impl Fn(&RecordedGame) -> bool,
        mut complain: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut complaints = Ok(());
        read(paths, |found| {
            match found {
                ReadItem::Game(game) => self.offer(*game, &is_fit),
                ReadItem::Unreadable(why) => complaints = complain(&why),
            }
            if self.is_full() || complaints.is_err() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        complaints
    }

    /// True if no further game can be taken.
    pub fn is_full(&self) -> bool {
        self.rng.is_none() && self.taken.len() == self.n_wanted
    }

    /// Games offered so far.
    pub fn n_offered(&self) -> usize {
        self.n_offered
    }

    /// The games in the order in which they were read.
    pub fn into_games(mut self) -> Vec<RecordedGame> {
        self.taken.sort_by_key(|(number, _)| *number);
        self.taken.into_iter().map(|(_, game)| game).collect()
    }
}

/// A number below `n`, for more than 32 bits of games as well.
fn below(rng: &mut Rng, n: usize) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}
