//! Who searches when: a few threads serve the searches of all sessions, a slice each in turn, so that a session waits for
//! the others' slices and never for their searches. A session with several searches still has one turn.

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

#[derive(Default)]
struct Queue {
    /// Sessions that wait for a turn.
    order: VecDeque<Key>,
    /// What each of them wants, the next one first.
    jobs: HashMap<Key, VecDeque<Box<dyn Job>>>,
    /// Sessions whose turn it is.
    busy: HashSet<Key>,
    is_closed: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

/// The threads that search.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts so many threads, at least one.
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
        let jobs = queue.jobs.entry(key).or_default();
        let (forgotten, waiting) = std::mem::take(jobs).into_iter().partition(|job| job.is_forgotten());
        *jobs = waiting;
        jobs.push_back(job);
        if !queue.busy.contains(&key) && !queue.order.contains(&key) {
            queue.order.push_back(key);
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

    /// Sessions that wait or work.
    pub fn n_active(&self) -> usize {
        let queue = lock(&self.shared.queue);
        queue.order.len() + queue.busy.len()
    }
}

impl Pool {
    /// Lets the threads end and forgets all jobs.
    pub fn close(&self) {
        let mut queue = lock(&self.shared.queue);
        queue.is_closed = true;
        queue.order.clear();
        // Jobs hold sessions, which hold the pool: they are dropped when nothing is locked any more.
        let jobs = std::mem::take(&mut queue.jobs);
        drop(queue);
        drop(jobs);
        self.shared.wake.notify_all();
    }
}

impl Drop for Pool {
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
        // A job that panicked is over; whoever waits for it finds it gone.
        let is_done = !matches!(progress, Ok(Progress::More));
        if is_done {
            drop(job);
            give_back(shared, key, None);
        } else {
            give_back(shared, key, Some(job));
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
        if let Some(key) = queue.order.pop_front() {
            let n_others = queue.order.len() as u32;
            let slice = (ROUND / (n_others + 1)).clamp(LEAST, SLICE);
            if let Some(job) = queue.jobs.get_mut(&key).and_then(VecDeque::pop_front) {
                queue.busy.insert(key);
                return Some((key, job, slice));
            }
            continue;
        }
        queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Ends a turn; a session that wants more goes to the end of the row.
fn give_back(shared: &Shared, key: Key, job: Option<Box<dyn Job>>) {
    let mut queue = lock(&shared.queue);
    queue.busy.remove(&key);
    if queue.is_closed {
        drop(queue);
        return drop(job);
    }
    let jobs = queue.jobs.entry(key).or_default();
    jobs.extend(job);
    if jobs.is_empty() {
        queue.jobs.remove(&key);
    } else {
        queue.order.push_back(key);
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
        let pool = Pool::new(1).unwrap();
        let (gate, opened) = channel::<()>();
        pool.submit(1, Box::new(Gate(opened)));
        // What the thread holds is no longer waiting.
        while !lock(&pool.shared.queue).busy.contains(&1) {
            thread::yield_now();
        }
        for _ in 0..1000 {
            pool.submit(1, Box::new(Forgotten(out.clone())));
            assert_eq!(lock(&pool.shared.queue).jobs[&1].len(), 1);
        }
        pool.submit(1, Box::new(Count { name: "wanted", left: 1, out }));
        gate.send(()).unwrap();
        assert_eq!(results.iter().collect::<Vec<_>>(), ["wanted"]);
    }

    #[test]
    fn sessions_take_turns_and_a_panic_harms_nobody() {
        let (out, results) = channel();
        let pool = Pool::new(1).unwrap();
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
