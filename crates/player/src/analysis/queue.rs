//! Who is searched when: the most urgent first, of equals the shorter by powers of ten, of equals the earlier. A search that
//! has begun makes way for one that comes first between two slices, and one that takes very long for its equals, too.
//!
//! Whoever makes way keeps its tree if it is one of the few that may, and goes on later. However many searches are long, the
//! others never wait for a place: one that has none gives its tree up, and one that is long as well begins anew only when a
//! place is free. So a long search may lose a few seconds once, and a short one waits for a slice and not for a search.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::ask::Query;
use super::job::AnalysisJob;

/// Jobs that may wait.
const MAX_WAITING: usize = 20_000;
/// Jobs that may keep a tree while others are searched.
pub(super) const MAX_SUSPENDED: usize = 8;
/// After so long a search makes way for its equals.
const PATIENCE: Duration = Duration::from_secs(3);

/// The most urgent first, then the shortest, then the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct QueueKey {
    rank: (Reverse<i64>, u32),
    number: u64,
}

#[derive(Default)]
struct QueueState {
    waiting: BTreeMap<QueueKey, AnalysisJob>,
    /// Long jobs without a tree, which begin anew when a place is free.
    later: BTreeMap<QueueKey, AnalysisJob>,
    running: Vec<RunningJob>,
    /// Jobs that have a place to keep their tree in, at work or not.
    n_places: usize,
    n_ever: u64,
    has_ended: bool,
    closed: Option<io::Error>,
    is_closed: bool,
}

/// A job that a worker has, as others need to know it.
struct RunningJob {
    query: Arc<Query>,
    turn: usize,
    stop: Arc<AtomicBool>,
    key: QueueKey,
}

/// The jobs.
#[derive(Default)]
pub(super) struct AnalysisQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

impl QueueState {
    fn new_key(&mut self, priority: i64, size: u32) -> QueueKey {
        self.n_ever += 1;
        QueueKey { rank: (Reverse(priority), size), number: self.n_ever }
    }

    fn key_of(&mut self, job: &AnalysisJob) -> QueueKey {
        self.new_key(job.priority(), job.query.size())
    }

    fn is_over(&self) -> bool {
        let is_empty = self.waiting.is_empty() && self.later.is_empty() && self.running.is_empty();
        self.is_closed || (self.has_ended && is_empty)
    }

    /// A job makes way for others.
    fn put_aside(&mut self, key: QueueKey, mut job: AnalysisJob) {
        if !job.has_place && (self.n_places < MAX_SUSPENDED || self.take_place_for(&job)) {
            job.has_place = true;
            self.n_places += 1;
        }
        let is_long = job.spent() > PATIENCE;
        if !job.has_place {
            job.give_up_tree();
            if is_long {
                self.later.insert(key, job);
                return;
            }
        }
        self.waiting.insert(key, job);
    }

    /// A search that only somebody's word will end gives its place to one with an end, if it is such a one.
    fn take_place_for(&mut self, job: &AnalysisJob) -> bool {
        let is_endless = |job: &AnalysisJob| job.has_place && job.query.is_open_ended();
        let least = self.waiting.iter().filter(|(_, job)| is_endless(job)).min_by_key(|(_, job)| job.spent());
        let Some(key) = least.map(|(&key, _)| key).filter(|_| !job.query.is_open_ended()) else {
            return false;
        };
        if let Some(mut endless) = self.waiting.remove(&key) {
            endless.give_up_tree();
            endless.has_place = false;
            self.n_places -= 1;
            self.later.insert(key, endless);
        }
        true
    }

    /// The place of a job that is done goes to the first that waits for one.
    fn free_place(&mut self) {
        self.n_places -= 1;
        if let Some((_, mut job)) = self.later.pop_first() {
            job.has_place = true;
            self.n_places += 1;
            let key = self.key_of(&job);
            self.waiting.insert(key, job);
        }
    }

    /// Ends jobs: those at work are told to stop, those with a tree are to be finished first, the others are returned.
    fn stop(&mut self, is_meant: impl Fn(&Query, usize) -> bool) -> Vec<AnalysisJob> {
        for running in self.running.iter().filter(|running| is_meant(&running.query, running.turn)) {
            running.stop.store(true, Ordering::Relaxed);
        }
        let is_waiting = |job: &AnalysisJob| is_meant(&job.query, job.turn());
        let keys = |jobs: &BTreeMap<QueueKey, AnalysisJob>| -> Vec<QueueKey> {
            jobs.iter().filter(|(_, job)| is_waiting(job)).map(|(&key, _)| key).collect()
        };
        let mut ended: Vec<AnalysisJob> =
            keys(&self.later).iter().filter_map(|key| self.later.remove(key)).collect();
        for key in keys(&self.waiting) {
            let Some(job) = self.waiting.remove(&key) else { continue };
            if job.has_begun() {
                job.stop.store(true, Ordering::Relaxed);
                let first = self.new_key(i64::MAX, 0);
                self.waiting.insert(first, job);
            } else {
                if job.has_place {
                    self.free_place();
                }
                ended.push(job);
            }
        }
        ended
    }
}

impl AnalysisQueue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the jobs of a question, all or, with a reason, none.
    pub(super) fn submit(&self, jobs: Vec<AnalysisJob>) -> Result<(), String> {
        let mut state = self.lock();
        let n = state.waiting.len() + state.later.len() + jobs.len();
        if n > MAX_WAITING {
            return Err(format!(
                "too much is asked: {n} positions would wait, expected at most {MAX_WAITING}"
            ));
        }
        for job in jobs {
            let key = state.key_of(&job);
            state.waiting.insert(key, job);
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// The next job; waits for it; none when all is over.
    pub(super) fn take(&self) -> Option<AnalysisJob> {
        let mut state = self.lock();
        loop {
            if state.is_over() {
                return None;
            }
            if let Some((key, job)) = state.waiting.pop_first() {
                let (query, stop) = (Arc::clone(&job.query), Arc::clone(&job.stop));
                state.running.push(RunningJob { query, turn: job.turn(), stop, key });
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says that a job is done.
    pub(super) fn finish(&self, job: &AnalysisJob) {
        let mut state = self.lock();
        state.running.retain(|running| !Arc::ptr_eq(&running.stop, &job.stop));
        if job.has_place {
            state.free_place();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Between two slices: gives the job back to go on with, or puts it aside for one that comes first.
    pub(super) fn make_way(&self, job: AnalysisJob) -> Option<AnalysisJob> {
        let mut state = self.lock();
        if state.is_closed {
            // Nobody reads what it would find.
            state.running.retain(|running| !Arc::ptr_eq(&running.stop, &job.stop));
            return None;
        }
        let at = |running: &RunningJob| Arc::ptr_eq(&running.stop, &job.stop);
        let Some(place) = state.running.iter().position(at) else { return Some(job) };
        let key = state.running[place].key;
        let Some((&first, _)) = state.waiting.first_key_value() else { return Some(job) };
        let is_urgent = first.rank < key.rank;
        let is_patient = first.rank == key.rank && job.spent() > PATIENCE;
        let is_ending = job.stop.load(Ordering::Relaxed);
        if is_ending || !(is_urgent || is_patient) {
            return Some(job);
        }
        // Who makes way for one that comes first is the next of its own kind; who has had its share is the last.
        let key = if is_urgent { key } else { state.key_of(&job) };
        state.running.swap_remove(place);
        state.put_aside(key, job);
        drop(state);
        self.changed.notify_all();
        None
    }

    /// Ends the jobs of a question, or of all; of all its turns or of some. Returns those that had not begun.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<AnalysisJob> {
        let is_meant = |query: &Query, turn: usize| {
            id.is_none_or(|id| id == query.id) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let ended = self.lock().stop(is_meant);
        self.changed.notify_all();
        ended
    }

    /// Ends searches without a real limit, or all. Returns those that had not begun.
    pub(super) fn end_searches(&self, all: bool) -> Vec<AnalysisJob> {
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
        let jobs = (std::mem::take(&mut state.waiting), std::mem::take(&mut state.later));
        drop(state);
        drop(jobs);
        self.changed.notify_all();
    }

    /// Waits until all is over; returns why the output failed, if it did.
    pub(super) fn wait_for_the_end(&self) -> Option<io::Error> {
        let waiting = |state: &mut QueueState| !state.is_over();
        let state = self.changed.wait_while(self.lock(), waiting);
        state.unwrap_or_else(PoisonError::into_inner).closed.take()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ask::{AnalysisRequest, Viewer};
    use super::super::read::QueryReader;
    use super::*;

    fn jobs(id: &str, visits: u64) -> Vec<AnalysisJob> {
        let text = format!(
            r#"{{"id":"{id}","moves":[],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":{visits}}}"#
        );
        match QueryReader::new(10, Viewer::Black).read(text.as_bytes()) {
            Ok((AnalysisRequest::Query(query), _)) => AnalysisJob::of(&Arc::new(*query)),
            other => panic!("no question: {other:?}"),
        }
    }

    /// Takes the next job and searches it for so long in all.
    fn work(queue: &AnalysisQueue, seconds: f64) -> AnalysisJob {
        let mut job = queue.take().unwrap();
        job.pretend(job.spent().as_secs_f64() + seconds);
        job
    }

    fn n_trees(queue: &AnalysisQueue) -> usize {
        queue.lock().waiting.values().filter(|job| job.has_begun()).count()
    }

    #[test]
    fn long_searches_take_turns_in_few_places_and_never_keep_a_short_one_waiting() {
        let queue = AnalysisQueue::default();
        (0..20).for_each(|idx| queue.submit(jobs(&format!("long {idx}"), 1_000_000_000)).unwrap());
        for round in 0..60 {
            let job = work(&queue, 4.0);
            assert!(queue.make_way(job).is_none(), "round {round}: others wait");
            assert!(n_trees(&queue) <= MAX_SUSPENDED);
        }
        assert_eq!((n_trees(&queue), queue.lock().later.len()), (MAX_SUSPENDED, 20 - MAX_SUSPENDED));
        let job = work(&queue, 0.05);
        queue.submit(jobs("short", 10)).unwrap();
        assert!(queue.make_way(job).is_none());
        let short = queue.take().unwrap();
        assert_eq!(short.query.id, "short");
        // One of middling length takes the place of one without an end.
        queue.submit(jobs("middle", 1000)).unwrap();
        queue.finish(&short);
        let middle = work(&queue, 4.0);
        queue.submit(jobs("other", 1000)).unwrap();
        assert!(queue.make_way(middle).is_none());
        assert_eq!((n_trees(&queue), queue.lock().later.len()), (MAX_SUSPENDED, 21 - MAX_SUSPENDED));
        let other = queue.take().unwrap();
        queue.finish(&other);
        let middle = queue.take().unwrap();
        assert!(middle.query.id == "middle" && middle.has_begun(), "its tree was kept");
        queue.finish(&middle);
        assert_eq!(queue.lock().later.len(), 20 - MAX_SUSPENDED, "the place is free again");
        // Everybody is told of the end once: those without a tree at once, the others after their last slice.
        let ended = queue.terminate(None, None);
        let n_waiting = queue.lock().waiting.len();
        assert_eq!(ended.len() + n_waiting, 20);
        assert!(queue.lock().later.is_empty());
    }
}
