//! Who is searched when: the most urgent first, of equals the earlier. A search that has begun makes way for a more urgent
//! one between two slices, and one that takes very long for its equals, too; it keeps its tree and goes on later. No more
//! than a few wait with a tree.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::ask::Query;
use super::job::Job;

/// Jobs that may wait.
const MAX_WAITING: usize = 20_000;
/// Jobs that may wait with a tree.
pub(super) const MAX_SUSPENDED: usize = 8;
/// After so long a search makes way for its equals.
const PATIENCE: Duration = Duration::from_secs(3);

/// The most urgent first, then the earliest.
type Key = (Reverse<i64>, u64);

#[derive(Default)]
struct State {
    waiting: BTreeMap<Key, Job>,
    running: Vec<Running>,
    n_suspended: usize,
    n_ever: u64,
    has_ended: bool,
    closed: Option<io::Error>,
    is_closed: bool,
}

/// A job that a worker has, as others need to know it.
struct Running {
    query: Arc<Query>,
    turn: usize,
    stop: Arc<AtomicBool>,
    key: Key,
}

/// The jobs.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl State {
    fn new_key(&mut self, priority: i64) -> Key {
        self.n_ever += 1;
        (Reverse(priority), self.n_ever)
    }

    fn is_over(&self) -> bool {
        self.is_closed || (self.has_ended && self.waiting.is_empty() && self.running.is_empty())
    }

    /// Ends jobs: those at work are told to stop, those with a tree are to be finished first, the others are returned.
    fn stop(&mut self, is_meant: impl Fn(&Query, usize) -> bool) -> Vec<Job> {
        for running in self.running.iter().filter(|running| is_meant(&running.query, running.turn)) {
            running.stop.store(true, Ordering::Relaxed);
        }
        let is_waiting = |job: &Job| is_meant(&job.query, job.turn());
        let keys: Vec<Key> =
            self.waiting.iter().filter(|(_, job)| is_waiting(job)).map(|(&key, _)| key).collect();
        let mut ended = Vec::new();
        for key in keys {
            let Some(job) = self.waiting.remove(&key) else { continue };
            if job.has_begun() {
                job.stop.store(true, Ordering::Relaxed);
                let first = self.new_key(i64::MAX);
                self.waiting.insert(first, job);
            } else {
                ended.push(job);
            }
        }
        ended
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the jobs of a question, all or, with a reason, none.
    pub(super) fn submit(&self, jobs: Vec<Job>) -> Result<(), String> {
        let mut state = self.lock();
        let n = state.waiting.len() + jobs.len();
        if n > MAX_WAITING {
            return Err(format!(
                "too much is asked: {n} positions would wait, expected at most {MAX_WAITING}"
            ));
        }
        for job in jobs {
            let key = state.new_key(job.priority());
            state.waiting.insert(key, job);
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// The next job; waits for it; none when all is over.
    pub(super) fn take(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.is_over() {
                return None;
            }
            if let Some((key, job)) = state.waiting.pop_first() {
                state.n_suspended -= usize::from(job.has_begun());
                let (query, stop) = (Arc::clone(&job.query), Arc::clone(&job.stop));
                state.running.push(Running { query, turn: job.turn(), stop, key });
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says that a job is done.
    pub(super) fn finish(&self, job: &Job) {
        let mut state = self.lock();
        state.running.retain(|running| !Arc::ptr_eq(&running.stop, &job.stop));
        drop(state);
        self.changed.notify_all();
    }

    /// Between two slices: gives the job back to go on with, or puts it aside for one that comes first.
    pub(super) fn make_way(&self, job: Job) -> Option<Job> {
        let mut state = self.lock();
        if state.is_closed {
            // Nobody reads what it would find.
            state.running.retain(|running| !Arc::ptr_eq(&running.stop, &job.stop));
            return None;
        }
        let at = |running: &Running| Arc::ptr_eq(&running.stop, &job.stop);
        let Some(place) = state.running.iter().position(at) else { return Some(job) };
        let key = state.running[place].key;
        let Some((&first, _)) = state.waiting.first_key_value() else { return Some(job) };
        let is_urgent = first.0 < key.0;
        let is_patient = first.0 == key.0 && job.spent() > PATIENCE;
        let is_ending = job.stop.load(Ordering::Relaxed);
        if is_ending || !(is_urgent || is_patient) || state.n_suspended >= MAX_SUSPENDED {
            return Some(job);
        }
        // Who makes way for a more urgent one is the next of its own kind; who has had its share is the last.
        let key = if is_urgent { key } else { state.new_key(job.priority()) };
        state.running.swap_remove(place);
        state.n_suspended += 1;
        state.waiting.insert(key, job);
        drop(state);
        self.changed.notify_all();
        None
    }

    /// Ends the jobs of a question, or of all; of all its turns or of some. Returns those that had not begun.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let is_meant = |query: &Query, turn: usize| {
            id.is_none_or(|id| id == query.id) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let ended = self.lock().stop(is_meant);
        self.changed.notify_all();
        ended
    }

    /// Ends searches without a real limit, or all. Returns those that had not begun.
    pub(super) fn end_searches(&self, all: bool) -> Vec<Job> {
        let ended = self.lock().stop(|query, _| all || query.is_open_ended());
        self.changed.notify_all();
        ended
    }

    /// Says that no further question will come. Whatever is not at work or waiting by now must have been answered.
    pub(super) fn end_input(&self) {
        self.lock().has_ended = true;
        self.changed.notify_all();
    }

    /// Ends everything: nobody reads the answers.
    pub(super) fn close(&self, error: io::Error) {
        let mut state = self.lock();
        state.is_closed = true;
        state.closed.get_or_insert(error);
        state.running.iter().for_each(|running| running.stop.store(true, Ordering::Relaxed));
        let waiting = std::mem::take(&mut state.waiting);
        state.n_suspended = 0;
        drop(state);
        drop(waiting);
        self.changed.notify_all();
    }

    /// Waits until all is over; returns why the output failed, if it did.
    pub(super) fn wait_for_the_end(&self) -> Option<io::Error> {
        let waiting = |state: &mut State| !state.is_over();
        let state = self.changed.wait_while(self.lock(), waiting);
        state.unwrap_or_else(PoisonError::into_inner).closed.take()
    }
}
