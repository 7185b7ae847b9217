//! Who searches when: a few threads serve the searches of all sessions, a slice each in turn, so that a session waits for
//! the others' slices and never for their searches. A session with several searches still has one turn.
//!
//! There are two lanes. Short jobs, for whose end somebody waits (a move, a hint), have three slices for each one of the
//! long jobs, which go on until they are stopped: however many of those there are, a game goes on.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Who has a turn.
pub type Key = u64;

/// Whether a job wants another slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do.
    More,
    /// It is done.
    Done,
}

/// Something to be done in slices.
pub trait Job: Send {
    /// Works until about the given moment.
    fn slice(&mut self, until: Instant) -> Progress;

    /// Whether it ends soon and somebody waits for its end.
    fn is_short(&self) -> bool {
        false
    }

    /// Whether nobody waits for it any more, so that it need not have another slice.
    fn is_forgotten(&self) -> bool {
        false
    }
}

/// The longest slice, which is what anybody waits for at least when all threads are busy.
const SLICE: Duration = Duration::from_millis(50);
/// The shortest slice; less would be spent on changing over.
const LEAST: Duration = Duration::from_millis(8);
/// How long a turn of all sessions should take.
const ROUND: Duration = Duration::from_millis(400);

/// Slices of short jobs in a row while long ones wait.
const SHORT_IN_A_ROW: u32 = 3;

#[derive(Default)]
struct Lane {
    /// Sessions that wait for a turn.
    order: VecDeque<Key>,
    /// What each of them wants, the next one first.
    jobs: HashMap<Key, VecDeque<Box<dyn Job>>>,
    /// Sessions whose turn it is.
    busy: HashSet<Key>,
}

#[derive(Default)]
struct Queue {
    short: Lane,
    long: Lane,
    /// Slices of short jobs since the last of a long one.
    n_short: u32,
    is_closed: bool,
}

impl Queue {
    fn lane(&mut self, is_short: bool) -> &mut Lane {
        if is_short { &mut self.short } else { &mut self.long }
    }

    /// The lane whose turn it is, if anybody waits.
    fn next_lane(&mut self) -> Option<&mut Lane> {
        let [has_short, has_long] = [&self.short, &self.long].map(|lane| !lane.order.is_empty());
        if has_short && !(has_long && self.n_short >= SHORT_IN_A_ROW) {
            self.n_short += 1;
            return Some(&mut self.short);
        }
        self.n_short = 0;
        has_long.then_some(&mut self.long)
    }
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

/// The threads that search.
pub struct SearchPool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl SearchPool {
    /// Starts `n_threads` threads, at least one.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(n_threads: usize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let threads = (0..n_threads.max(1)).map(|_| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name("search".to_string()).spawn(move || work(&shared))
        });
        Ok(Self { threads: threads.collect::<std::io::Result<_>>()?, shared })
    }

    /// Adds a job to those of a session; the forgotten ones among them make room.
    pub fn submit(&self, key: Key, job: Box<dyn Job>) {
        let mut queue = lock(&self.shared.queue);
        if queue.is_closed {
            return;
        }
        let lane = queue.lane(job.is_short());
        let jobs = lane.jobs.entry(key).or_default();
        let (forgotten, waiting) = std::mem::take(jobs).into_iter().partition(|job| job.is_forgotten());
        *jobs = waiting;
        jobs.push_back(job);
        if !lane.busy.contains(&key) && !lane.order.contains(&key) {
            lane.order.push_back(key);
        }
        drop(queue);
        self.shared.wake.notify_one();
        // What jobs hold may need the lock to go.
        drop::<VecDeque<_>>(forgotten);
    }

    /// How many threads a new search may use itself: as many as nobody else needs now, at least one. When others come
    /// later the system shares the cores out.
    pub fn spare(&self) -> usize {
        (self.threads.len() / (self.n_active() + 1)).max(1)
    }

    /// Sessions that wait or work, in either lane.
    pub fn n_active(&self) -> usize {
        let queue = lock(&self.shared.queue);
        [&queue.short, &queue.long].iter().map(|lane| lane.order.len() + lane.busy.len()).sum()
    }
}

impl SearchPool {
    /// Lets the threads end and forgets all jobs.
    pub fn close(&self) {
        let mut queue = lock(&self.shared.queue);
        queue.is_closed = true;
        // Jobs hold sessions, which hold the pool: they are dropped when nothing is locked any more.
        let lanes = (std::mem::take(&mut queue.short), std::mem::take(&mut queue.long));
        drop(queue);
        drop(lanes);
        self.shared.wake.notify_all();
    }
}

impl Drop for SearchPool {
    fn drop(&mut self) {
        self.close();
        for thread in self.threads.drain(..) {
            // The last one to hold the pool may be one of its own jobs. Panics of jobs are caught inside.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

/// A thread's life.
fn work(shared: &Shared) {
    while let Some((key, mut job, slice)) = next(shared) {
        let progress = catch_unwind(AssertUnwindSafe(|| job.slice(Instant::now() + slice)));
        let is_short = job.is_short();
        if progress.is_err() {
            log::error!("a search failed: it has panicked");
        }
        // A job that panicked is over; whoever waits for it finds it gone.
        let is_done = !matches!(progress, Ok(Progress::More));
        if is_done {
            drop(job);
            give_back(shared, key, is_short, None);
        } else {
            give_back(shared, key, is_short, Some(job));
        }
    }
}

/// Waits for somebody's turn.
fn next(shared: &Shared) -> Option<(Key, Box<dyn Job>, Duration)> {
    let mut queue = lock(&shared.queue);
    loop {
        if queue.is_closed {
            return None;
        }
        if let Some(lane) = queue.next_lane()
            && let Some(key) = lane.order.pop_front()
        {
            let n_others = lane.order.len() as u32;
            let slice = (ROUND / (n_others + 1)).clamp(LEAST, SLICE);
            if let Some(job) = lane.jobs.get_mut(&key).and_then(VecDeque::pop_front) {
                lane.busy.insert(key);
                return Some((key, job, slice));
            }
            continue;
        }
        queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Ends a turn; a session that wants more goes to the end of the row.
fn give_back(shared: &Shared, key: Key, is_short: bool, job: Option<Box<dyn Job>>) {
    let mut queue = lock(&shared.queue);
    if queue.is_closed {
        drop(queue);
        return drop(job);
    }
    let lane = queue.lane(is_short);
    lane.busy.remove(&key);
    let jobs = lane.jobs.entry(key).or_default();
    jobs.extend(job);
    if jobs.is_empty() {
        lane.jobs.remove(&key);
    } else {
        lane.order.push_back(key);
        drop(queue);
        shared.wake.notify_one();
    }
}

/// A lock whose holder panicked still guards sound data: every change is made in one piece.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};

    struct Count {
        name: &'static str,
        left: usize,
        out: Sender<&'static str>,
    }

    impl Job for Count {
        fn slice(&mut self, _: Instant) -> Progress {
            assert!(self.left < 100, "a panic on purpose");
            let _ = self.out.send(self.name);
            self.left -= 1;
            if self.left == 0 { Progress::Done } else { Progress::More }
        }
    }

    /// A thread that is held until the gate opens.
    struct Gate(std::sync::mpsc::Receiver<()>);

    impl Job for Gate {
        fn slice(&mut self, _: Instant) -> Progress {
            let _ = self.0.recv();
            Progress::Done
        }
    }

    struct Forgotten(Sender<&'static str>);

    impl Job for Forgotten {
        fn slice(&mut self, _: Instant) -> Progress {
            let _ = self.0.send("forgotten");
            Progress::Done
        }

        fn is_forgotten(&self) -> bool {
            true
        }
    }

    #[test]
    fn what_is_forgotten_does_not_pile_up() {
        let (out, results) = channel();
        let pool = SearchPool::new(1).unwrap();
        let (gate, opened) = channel::<()>();
        pool.submit(1, Box::new(Gate(opened)));
        // What the thread holds is no longer waiting.
        while !lock(&pool.shared.queue).long.busy.contains(&1) {
            thread::yield_now();
        }
        for _ in 0..1000 {
            pool.submit(1, Box::new(Forgotten(out.clone())));
            assert_eq!(lock(&pool.shared.queue).long.jobs[&1].len(), 1);
        }
        pool.submit(1, Box::new(Count { name: "wanted", left: 1, out }));
        gate.send(()).unwrap();
        assert_eq!(results.iter().collect::<Vec<_>>(), ["wanted"]);
    }

    struct Short(Count);

    impl Job for Short {
        fn slice(&mut self, until: Instant) -> Progress {
            self.0.slice(until)
        }

        fn is_short(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_short_job_does_not_wait_for_the_turns_of_all_long_ones() {
        let (out, results) = channel();
        let pool = SearchPool::new(1).unwrap();
        let (gate, opened) = channel::<()>();
        pool.submit(0, Box::new(Gate(opened)));
        for key in 1..=50 {
            pool.submit(key, Box::new(Count { name: "long", left: 4, out: out.clone() }));
        }
        pool.submit(60, Box::new(Short(Count { name: "short", left: 9, out })));
        gate.send(()).unwrap();
        let order: Vec<_> = results.iter().collect();
        assert_eq!(order.len(), 50 * 4 + 9);
        let last = order.iter().rposition(|name| *name == "short").unwrap();
        // Nine slices of its own, and one of another's after every third.
        assert!(last <= 12, "{last}");
        assert!(order[..last].contains(&"long"), "nor do the others starve");
    }

    #[test]
    fn sessions_take_turns_and_a_panic_harms_nobody() {
        let (out, results) = channel();
        let pool = SearchPool::new(1).unwrap();
        let (gate, opened) = channel::<()>();
        // The thread is held until all have their jobs in.
        pool.submit(0, Box::new(Gate(opened)));
        let job = |name, left| Box::new(Count { name, left, out: out.clone() });
        pool.submit(1, job("a", 2));
        pool.submit(1, job("b", 1));
        pool.submit(2, job("c", 3));
        pool.submit(3, job("panics", 100));
        drop(out);
        gate.send(()).unwrap();
        let order: Vec<_> = results.iter().collect();
        // One slice of the first session for each of the second.
        assert_eq!(order, ["a", "c", "b", "c", "a", "c"]);
        while pool.n_active() > 0 {
            thread::yield_now();
        }
    }
}
