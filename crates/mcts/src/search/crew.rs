//! The workers of a search at work: one thread or several on one tree, until a limit is reached or memory runs out.

use super::limits::Limits;
use super::simulate::{SharedParts, Worker};
use crate::game::Game;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Simulations of the first worker between two checks whether the choice is settled.
const SETTLED_EVERY: u64 = 128;

/// The limits and the end of a shift, shared by its workers. Simulations are claimed one by one, so that their number is
/// exact with any number of threads.
#[derive(Debug)]
pub(super) struct Shift<'a> {
    limits: &'a Limits,
    n_claimed: AtomicU64,
    /// A limit was reached, or nothing is left to decide.
    is_over: AtomicBool,
    /// Nothing is left to decide.
    is_settled: AtomicBool,
    /// A node was wanted for which there is no room.
    lacks_room: AtomicBool,
    /// Whether the want of room ends the shift.
    makes_room: AtomicBool,
}

impl<'a> Shift<'a> {
    pub(super) fn new(limits: &'a Limits) -> Shift<'a> {
        Shift {
            limits,
            n_claimed: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            is_settled: AtomicBool::new(false),
            lacks_room: AtomicBool::new(false),
            makes_room: AtomicBool::new(true),
        }
    }

    fn claim(&self) -> bool {
        let claim = |n| (n < self.limits.simulations).then_some(n + 1);
        !self.is_over.load(Relaxed) && self.n_claimed.fetch_update(Relaxed, Relaxed, claim).is_ok()
    }

    fn is_interrupted(&self) -> bool {
        self.lacks_room.load(Relaxed) && self.makes_room.load(Relaxed)
    }

    /// Whether the shift ended only because room must be made; the next one goes on from there.
    pub(super) fn wants_room(&self) -> bool {
        self.is_interrupted()
            && !self.is_over.load(Relaxed)
            && self.n_claimed.load(Relaxed) < self.limits.simulations
    }

    /// Whether the shift ended because nothing is left to decide.
    pub(super) fn is_settled(&self) -> bool {
        self.is_settled.load(Relaxed)
    }

    /// After room was made, or in vain: then the search goes on without growing.
    pub(super) fn resume(&mut self, has_room: bool) {
        *self.lacks_room.get_mut() = false;
        *self.makes_room.get_mut() = has_room;
    }

    /// Runs one worker's simulations.
    fn work<G: Game>(&self, shared: &SharedParts<'_, G>, worker: &mut Worker<G>, is_first: bool) {
        while !self.is_interrupted() && self.claim() {
            worker.simulate(shared);
            if worker.lacks_room() {
                self.lacks_room.store(true, Relaxed);
            }
            // Counted over all runs, so that it makes no difference whether simulations are run at once or bit by bit.
            if is_first && worker.n_ever.is_multiple_of(SETTLED_EVERY) && worker.is_settled(shared) {
                self.is_settled.store(true, Relaxed);
                self.is_over.store(true, Relaxed);
            }
            if self.limits.is_over() {
                self.is_over.store(true, Relaxed);
            }
        }
        worker.drain(shared);
    }

    /// Runs all workers until the shift is over; one of them in this thread.
    pub(super) fn run<G: Game>(&self, shared: &SharedParts<'_, G>, workers: &mut [Worker<G>]) {
        let Some((first, others)) = workers.split_first_mut() else { return };
        std::thread::scope(|scope| {
            for worker in others {
                scope.spawn(|| self.work(shared, worker, false));
            }
            self.work(shared, first, true);
        });
    }
}
