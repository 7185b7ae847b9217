//! The hall: tables side by side where games are played, each with its own players.
//!
//! Which game comes next, and what is done with a finished one, is the business of a [`Schedule`]; which game it is and how it
//! is played, that of a table. A table keeps its seats as long as the same entrants come; who is not needed for the next
//! game leaves, and an outside engine that leaves is told so and ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::game::{Finished, GameJob, Pairing};
use crate::table::{self, GameTable, PlayedGame};
use crate::{Error, ErrorPlace, Result};

/// Tables that a hall has at most: more than any machine of today has cores for.
pub const MAX_PARALLEL: usize = 256;

/// Who says which games are played. Both functions are called under one lock.
pub trait Schedule: Send {
    /// The next game. None if there is none now: it is asked again when a game in progress is finished, and the hall closes
    /// when there are none in progress either.
    fn next(&mut self) -> Option<GameJob>;

    /// Takes a finished game. It counts when this returns; so it is stored here.
    ///
    /// # Errors
    /// What keeps it from being stored; the hall then closes.
    fn finished(&mut self, game: &Finished) -> Result<()>;

    /// A pairing that was not known when the hall opened, by the index its games have: one beyond those that
    /// [`play`] was given. Tuning needs it, whose players depend on earlier games. An error closes the hall.
    fn late_pairing(&self, _pairing: usize) -> Option<Result<Pairing>> {
        None
    }
}

/// Plays the games of a schedule, up to `parallel` at a time, until it has no more. Once `stop` is set, games in progress are
/// given up and nobody is waited for; that is no error.
///
/// # Errors
/// An engine that cannot start, a game that cannot be played, or what the schedule says. `stop` is set then, since that is
/// how the other tables come to know.
pub fn play(
    pairings: &[Pairing],
    parallel: usize,
    schedule: &mut dyn Schedule,
    stop: &Arc<AtomicBool>,
) -> Result<()> {
    let desk = HallDesk {
        state: Mutex::new(HallState { schedule, n_playing: 0, first_error: None }),
        changed: Condvar::new(),
        stop,
    };
    thread::scope(|scope| {
        for _ in 0..parallel.max(1) {
            scope.spawn(|| HallPlace::new(pairings, stop).serve(&desk));
        }
    });
    match desk.state.into_inner().unwrap_or_else(PoisonError::into_inner).first_error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Where tables get their games and bring them back.
struct HallDesk<'a> {
    state: Mutex<HallState<'a>>,
    /// A game was finished or given up.
    changed: Condvar,
    stop: &'a Arc<AtomicBool>,
}

struct HallState<'a> {
    schedule: &'a mut dyn Schedule,
    n_playing: usize,
    first_error: Option<Error>,
}

impl<'a> HallDesk<'a> {
    fn lock(&self) -> MutexGuard<'_, HallState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game; waits for games in progress as long as there is none.
    fn next(&self) -> Option<(GameJob, Option<Result<Pairing>>, Playing<'_, 'a>)> {
        let mut state = self.lock();
        while !self.stop.load(Ordering::Relaxed) {
            if let Some(job) = state.schedule.next() {
                state.n_playing += 1;
                return Some((job, state.schedule.late_pairing(job.pairing), Playing(self)));
            }
            if state.n_playing == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Takes a game that is over; `None` if it was given up.
    fn take(&self, game: Result<Option<Finished>>) {
        let mut state = self.lock();
        let kept = match game {
            Ok(Some(game)) => state.schedule.finished(&game),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = kept {
            self.stop.store(true, Ordering::Relaxed);
            state.first_error.get_or_insert(error);
        }
    }
}

/// A game in progress. However it ends, the tables that wait for it are told.
struct Playing<'d, 'a>(&'d HallDesk<'a>);

impl Drop for Playing<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().n_playing -= 1;
        self.0.changed.notify_all();
    }
}

/// A place of the hall and the table that stands there.
struct HallPlace<'a> {
    pairings: &'a [Pairing],
    stop: &'a Arc<AtomicBool>,
    /// The pairing for which everybody is seated.
    pairing: Option<usize>,
    table: Option<Box<dyn GameTable>>,
}

impl<'a> HallPlace<'a> {
    fn new(pairings: &'a [Pairing], stop: &'a Arc<AtomicBool>) -> Self {
        Self { pairings, stop, pairing: None, table: None }
    }

    /// Plays one game after the other.
    fn serve(mut self, desk: &HallDesk<'_>) {
        while let Some((job, late, _playing)) = desk.next() {
            let game = match late.transpose().and_then(|late| self.play(job, late.as_ref())) {
                // Whoever was not waited for has not failed.
                Err(_) if self.stop.load(Ordering::Relaxed) => Ok(None),
                game => game.map(Some),
            };
            desk.take(game);
        }
    }

    fn play(&mut self, job: GameJob, late: Option<&Pairing>) -> Result<Finished> {
        let Some(pairing) = self.pairings.get(job.pairing).or(late) else {
            let n = self.pairings.len();
            return Err(Error::input(format!("no pairing {}: expected an index below {n}", job.pairing)));
        };
        let table = match self.table.take().filter(|table| table.suits(&pairing.terms)) {
            Some(table) => table,
            None => {
                self.pairing = None;
                table::open(&pairing.terms, self.stop)
            }
        };
        let table = self.table.insert(table);
        if self.pairing != Some(job.pairing) {
            // Nobody is known to sit right until all do.
            self.pairing = None;
            table.seat(pairing)?;
            self.pairing = Some(job.pairing);
        }
        let PlayedGame { line, record, log } =
            table.play(pairing, job.number).at(format!("game {}", job.number))?;
        Ok(Finished { job, line, sgf: record, log })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Terms;
    use goban::{Rules, Size};
    use std::collections::BTreeMap;

    fn pairing(a: &str, b: &str, seed: u64) -> Pairing {
        let terms = Terms::new(Size::square(5).unwrap(), 0.5, Rules::CHINESE);
        Pairing { entrants: [a, b].map(|text| text.parse().unwrap()), terms, seed }
    }

    /// Games of two pairings; the second half is known only when the first is finished.
    #[derive(Default)]
    struct TwoRounds {
        n_asked: u64,
        records: BTreeMap<GameJob, Vec<String>>,
        fails_at: Option<u64>,
    }

    impl Schedule for TwoRounds {
        fn next(&mut self) -> Option<GameJob> {
            let n = self.n_asked;
            let is_known = n < 4 || (n < 8 && self.records.len() >= 4);
            is_known.then(|| {
                self.n_asked += 1;
                GameJob { pairing: (n % 2) as usize, number: n / 2 + 1 }
            })
        }

        fn finished(&mut self, game: &Finished) -> Result<()> {
            if self.fails_at == Some(self.records.len() as u64) {
                return Err(Error::input("the disk is full"));
            }
            let before =
                self.records.insert(game.job, game.log.moves.iter().map(|mv| mv.shown.clone()).collect());
            assert!(before.is_none(), "no game is played twice");
            Ok(())
        }
    }

    fn play_two_rounds(parallel: usize) -> BTreeMap<GameJob, Vec<String>> {
        let pairings = [pairing("random", "default@playouts=10", 1), pairing("random", "random", 2)];
        let mut schedule = TwoRounds::default();
        let stop = Arc::default();
        play(&pairings, parallel, &mut schedule, &stop).unwrap();
        assert!(!stop.load(Ordering::Relaxed));
        schedule.records
    }

    #[test]
    fn tables_wait_for_games_that_follow_from_others() {
        let one = play_two_rounds(1);
        assert_eq!(one.len(), 8);
        let jobs: Vec<(usize, u64)> = one.keys().map(|job| (job.pairing, job.number)).collect();
        assert_eq!(jobs, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 1), (1, 2), (1, 3), (1, 4)]);
        assert_eq!(one, play_two_rounds(5));
    }

    #[test]
    fn what_the_schedule_cannot_store_closes_the_hall() {
        let pairings = [pairing("random", "random", 1), pairing("random", "random", 2)];
        let mut schedule = TwoRounds { fails_at: Some(2), ..TwoRounds::default() };
        let stop = Arc::default();
        let error = play(&pairings, 3, &mut schedule, &stop).unwrap_err();
        assert_eq!(error.to_string(), "the disk is full");
        assert!(stop.load(Ordering::Relaxed) && schedule.records.len() == 2);
    }

    /// Reports say that records name the seeds.
    #[test]
    fn a_record_names_the_seeds_of_both_colours() {
        #[derive(Default)]
        struct SecondGame(bool, String);
        impl Schedule for SecondGame {
            fn next(&mut self) -> Option<GameJob> {
                (!std::mem::replace(&mut self.0, true)).then_some(GameJob { pairing: 0, number: 2 })
            }
            fn finished(&mut self, game: &Finished) -> Result<()> {
                self.1.clone_from(&game.sgf);
                Ok(())
            }
        }
        let mut schedule = SecondGame::default();
        play(&[pairing("random", "random", 1)], 1, &mut schedule, &Arc::default()).unwrap();
        // B has Black in the second game.
        let [a, b] = crate::game::seeds(1, 2);
        assert!(schedule.1.contains(&format!("seeds: Black {b}, White {a}]")), "{}", schedule.1);
    }

    #[test]
    fn a_pairing_that_does_not_exist_is_named() {
        let error = play(&[pairing("random", "random", 1)], 1, &mut TwoRounds::default(), &Arc::default());
        assert_eq!(error.unwrap_err().to_string(), "no pairing 1: expected an index below 1");
    }
}
