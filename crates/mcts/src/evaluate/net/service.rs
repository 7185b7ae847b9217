//! A network at work for all threads of a search: questions are gathered into batches, turned as the recipe wants, and answers are
//! kept by position.
//!
//! There is no thread of its own: whoever fills a batch, or can wait no longer, shows it to the network and puts the answers
//! where those who asked find them. No lock is held meanwhile, and all that is written belongs to the thread.

use super::cache::Cache;
use super::symmetry::Views;
use crate::evaluate::Ticket;
use model::net::{EncodedPosition, InputForm, Net, NetAnswer, NetQuery};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The network with its queue and its cache.
pub struct NetService {
    net: Arc<dyn Net>,
    shape: ServiceShape,
    views: Views,
    cache: Mutex<Cache>,
    queue: Mutex<Queue>,
    /// Rung when a batch was answered.
    answered: Condvar,
}

/// The sizes of a service.
#[derive(Debug, Clone, Copy)]
pub struct ServiceShape {
    /// Positions that are shown to the network at once, at least 1.
    pub batch: usize,
    /// Bytes that remembered answers may take.
    pub cache_bytes: usize,
    /// The number of actions of the game.
    pub n_actions: usize,
    /// The length of a policy as the network gives it.
    pub n_places: usize,
}

/// Questions that wait, and answers that were not fetched yet.
#[derive(Default)]
struct Queue {
    requests: Vec<NetRequest>,
    /// Further questions about positions of the requests.
    followers: Vec<Follower>,
    /// Answers by thread.
    outboxes: Vec<Vec<(Ticket, NetAnswer)>>,
    n_tickets: u64,
    /// Buffers of positions that were answered, and of answers that were fetched.
    spare_positions: Vec<EncodedPosition>,
    spare_answers: Vec<NetAnswer>,
}

struct NetRequest {
    thread_idx: usize,
    ticket: Ticket,
    key: u64,
    position: EncodedPosition,
}

/// A question about a position that waits already: a path has come to a node that awaits its priors.
#[derive(Clone, Copy)]
struct Follower {
    thread_idx: usize,
    ticket: Ticket,
    key: u64,
}

/// A thread that asks, with the memory in which it shows positions to the network.
#[derive(Default)]
pub struct NetThread {
    idx: usize,
    /// The batch that the thread shows, who else asked about it, and the answers.
    requests: Vec<NetRequest>,
    followers: Vec<Follower>,
    answers: Vec<NetAnswer>,
    /// The views of each position, where they are turned, and the answers about them.
    views: Vec<EncodedPosition>,
    view_answers: Vec<NetAnswer>,
    turned_back: Vec<f32>,
    /// Empty between questions; only its memory is used.
    queries: Vec<NetQuery<'static>>,
}

/// How a question was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// It is answered.
    Known,
    /// It will be, under this ticket.
    Queued(Ticket),
}

impl NetService {
    /// A network that is asked in these sizes, about these views of positions.
    pub fn new(net: Arc<dyn Net>, shape: ServiceShape, views: Views) -> NetService {
        let n_numbers = if net.tells_scores() { 2 * shape.n_places } else { shape.n_places };
        let cache = Mutex::new(Cache::new(shape.cache_bytes, n_numbers));
        let shape = ServiceShape { batch: shape.batch.max(1), ..shape };
        NetService { net, shape, views, cache, queue: Mutex::default(), answered: Condvar::new() }
    }

    /// The form in which the network reads positions.
    pub fn form(&self) -> InputForm {
        self.net.form()
    }

    /// Whether the network's answers tell leads and owners.
    pub fn tells_scores(&self) -> bool {
        self.net.tells_scores()
    }

    /// Positions that are shown to the network at once.
    pub fn batch(&self) -> usize {
        self.shape.batch
    }

    /// The bytes that remembered answers take.
    pub fn bytes(&self) -> usize {
        lock(&self.cache).bytes()
    }

    /// The bytes that they may take in the end.
    pub fn max_bytes(&self) -> usize {
        lock(&self.cache).max_bytes()
    }

    /// Lets one more thread ask.
    pub fn add_thread(&self) -> NetThread {
        let mut queue = lock(&self.queue);
        queue.outboxes.push(Vec::new());
        NetThread { idx: queue.outboxes.len() - 1, ..NetThread::default() }
    }

    /// Asks about a position, whose buffers are exchanged for others if it has to wait. Who fills a batch has it answered.
    pub fn ask(
        &self,
        thread: &mut NetThread,
        key: u64,
        position: &mut EncodedPosition,
        out: &mut NetAnswer,
    ) -> Received {
        if lock(&self.cache).read(key, out) {
            return Received::Known;
        }
        if self.shape.batch == 1 {
            let request = NetRequest {
                thread_idx: thread.idx,
                ticket: Ticket(0),
                key,
                position: std::mem::take(position),
            };
            thread.requests.push(request);
            self.show(thread);
            std::mem::swap(out, &mut thread.answers[0]);
            thread.requests.drain(..).for_each(|request| *position = request.position);
            return Received::Known;
        }
        let mut queue = lock(&self.queue);
        queue.n_tickets += 1;
        let ticket = Ticket(queue.n_tickets);
        if queue.requests.iter().any(|request| request.key == key) {
            queue.followers.push(Follower { thread_idx: thread.idx, ticket, key });
            return Received::Queued(ticket);
        }
        let spare = queue.spare_positions.pop().unwrap_or_default();
        let position = std::mem::replace(position, spare);
        queue.requests.push(NetRequest { thread_idx: thread.idx, ticket, key, position });
        if queue.requests.len() < self.shape.batch {
            return Received::Queued(ticket);
        }
        let mut queue = self.answer(thread, queue);
        let outbox = &mut queue.outboxes[thread.idx];
        match outbox.iter().position(|(answered, _)| *answered == ticket) {
            Some(place) => {
                let (_, answer) = outbox.swap_remove(place);
                queue.spare_answers.push(std::mem::replace(out, answer));
                Received::Known
            }
            None => Received::Queued(ticket),
        }
    }

    /// An answer for a thread, if there is one; with `wait` one of its questions must be under way.
    pub fn collect(&self, thread: &mut NetThread, wait: bool, out: &mut NetAnswer) -> Option<Ticket> {
        let mut queue = lock(&self.queue);
        loop {
            if let Some((ticket, answer)) = queue.outboxes[thread.idx].pop() {
                queue.spare_answers.push(std::mem::replace(out, answer));
                return Some(ticket);
            }
            if !wait {
                return None;
            }
            queue = if queue.requests.is_empty() {
                self.answered.wait(queue).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.answer(thread, queue)
            };
        }
    }

    /// Shows the questions that wait to the network. Others may ask meanwhile.
    fn answer<'a>(
        &'a self,
        thread: &mut NetThread,
        mut queue: MutexGuard<'a, Queue>,
    ) -> MutexGuard<'a, Queue> {
        let n_taken = queue.requests.len().min(self.shape.batch);
        thread.requests.extend(queue.requests.drain(..n_taken));
        let requests = &thread.requests;
        let is_taken = |follower: &mut Follower| requests.iter().any(|request| request.key == follower.key);
        thread.followers.extend(queue.followers.extract_if(.., is_taken));
        drop(queue);
        self.show(thread);
        let mut queue = lock(&self.queue);
        for follower in thread.followers.drain(..) {
            let mut answered = thread.requests.iter().zip(&thread.answers);
            let Some((_, answer)) = answered.find(|(request, _)| request.key == follower.key) else {
                continue;
            };
            let mut copy = queue.spare_answers.pop().unwrap_or_default();
            copy.copy_from(answer);
            queue.outboxes[follower.thread_idx].push((follower.ticket, copy));
        }
        for (request, answer) in thread.requests.drain(..).zip(&mut thread.answers) {
            let spare = queue.spare_answers.pop().unwrap_or_default();
            let answer = std::mem::replace(answer, spare);
            queue.outboxes[request.thread_idx].push((request.ticket, answer));
            queue.spare_positions.push(request.position);
        }
        self.answered.notify_all();
        queue
    }

    /// Shows the requests of a thread to the network and remembers its answers.
    fn show(&self, thread: &mut NetThread) {
        let NetThread { requests, answers, views, view_answers, turned_back, queries, .. } = thread;
        let (n_views, form) = (self.views.n_views(), self.form());
        grow(answers, requests.len());
        let mut shown = emptied(std::mem::take(queries));
        if self.views.is_straight() {
            shown.extend(requests.iter().map(|request| self.query(request.key, &request.position)));
            self.net.evaluate(&shown, &mut answers[..requests.len()]);
        } else {
            grow(views, n_views * requests.len());
            grow(view_answers, n_views * requests.len());
            for (request, views) in requests.iter().zip(views.chunks_exact_mut(n_views)) {
                self.views.turn(form, request.key, &request.position, views);
            }
            let keys = requests.iter().flat_map(|request| std::iter::repeat_n(request.key, n_views));
            shown.extend(keys.zip(&*views).map(|(key, view)| self.query(key, view)));
            self.net.evaluate(&shown, &mut view_answers[..n_views * requests.len()]);
            for ((request, views), out) in
                requests.iter().zip(view_answers.chunks_exact(n_views)).zip(&mut *answers)
            {
                self.views.join(request.key, views, turned_back, out);
            }
        }
        *queries = emptied(shown);
        let mut cache = lock(&self.cache);
        requests.iter().zip(answers).for_each(|(request, answer)| cache.insert(request.key, answer));
    }

    fn query<'a>(&self, key: u64, position: &'a EncodedPosition) -> NetQuery<'a> {
        position.query(key, self.shape.n_actions, self.form())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a list at least this long.
fn grow<T: Default>(list: &mut Vec<T>, len: usize) {
    if list.len() < len {
        list.resize_with(len, T::default);
    }
}

/// An empty list of queries of another lifetime, in the same memory.
fn emptied<'a>(queries: Vec<NetQuery<'_>>) -> Vec<NetQuery<'a>> {
    queries.into_iter().map_while(|_| None).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use recipe::Choice;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// Counts what it is shown.
    struct Counting(Box<dyn Net>, Arc<[AtomicUsize; 2]>);

    impl Net for Counting {
        fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
            self.1[0].fetch_add(1, Relaxed);
            self.1[1].fetch_add(batch.len(), Relaxed);
            self.0.evaluate(batch, out);
        }
    }

    fn service(batch: usize, cache_bytes: usize) -> (NetService, Arc<[AtomicUsize; 2]>) {
        let counts = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let fake = model::net::build(&Choice::new(model::net::FAMILY.get("fake").unwrap())).unwrap();
        let net = Counting(fake, Arc::clone(&counts));
        let shape = ServiceShape { batch, cache_bytes, n_actions: 10, n_places: 10 };
        (NetService::new(Arc::new(net), shape, Views::straight()), counts)
    }

    /// Asks, and returns the ticket of a question that waits.
    fn ask(service: &NetService, thread: &mut NetThread, key: u64, out: &mut NetAnswer) -> Option<Ticket> {
        match service.ask(thread, key, &mut EncodedPosition::default(), out) {
            Received::Queued(ticket) => Some(ticket),
            Received::Known => None,
        }
    }

    #[test]
    fn batches_are_filled_and_answers_find_who_asked() {
        let (service, counts) = service(3, 0);
        let (mut a, mut b, mut out) = (service.add_thread(), service.add_thread(), NetAnswer::default());
        let first = ask(&service, &mut a, 1, &mut out).unwrap();
        let second = ask(&service, &mut b, 2, &mut out).unwrap();
        assert_eq!(service.collect(&mut a, false, &mut out), None);
        assert_eq!(ask(&service, &mut b, 3, &mut out), None, "who fills the batch is answered");
        assert_eq!(service.collect(&mut a, false, &mut out), Some(first));
        assert_eq!(service.collect(&mut b, true, &mut out), Some(second));
        // A batch that does not fill is shown as it is to the net when somebody must wait for it.
        let third = ask(&service, &mut a, 4, &mut out).unwrap();
        assert_eq!(service.collect(&mut a, true, &mut out), Some(third));
        assert_eq!([counts[0].load(Relaxed), counts[1].load(Relaxed)], [2, 4]);
        // What comes is the answer to the question, whatever it was gathered with.
        let mut alone = NetAnswer::default();
        service.net.evaluate_one(&EncodedPosition::default().query(4, 10, service.form()), &mut alone);
        assert_eq!(out, alone);
    }

    #[test]
    fn a_position_is_shown_once_while_it_is_remembered() {
        let (service, counts) = service(1, 1 << 18);
        let mut thread = service.add_thread();
        let mut answer_to = |key| {
            let mut out = NetAnswer::default();
            assert_eq!(ask(&service, &mut thread, key, &mut out), None, "a batch of one waits for nothing");
            out
        };
        let (first, again) = (answer_to(7), answer_to(7));
        assert_eq!((first, counts[1].load(Relaxed)), (again, 1));
        for key in 0..100_000 {
            answer_to(key);
        }
        assert!(service.bytes() <= service.max_bytes() && service.max_bytes() <= 1 << 18);
    }

    #[test]
    fn threads_lose_no_answer() {
        let (service, _) = service(8, 0);
        std::thread::scope(|scope| {
            for n in 0..4u64 {
                let service = &service;
                scope.spawn(move || {
                    let (mut thread, mut out) = (service.add_thread(), NetAnswer::default());
                    let (mut n_known, mut open) = (0, Vec::new());
                    for key in 0..2000 {
                        match ask(service, &mut thread, n << 32 | key, &mut out) {
                            None => n_known += 1,
                            Some(ticket) => open.push(ticket),
                        }
                        while open.len() > 8 {
                            let ticket = service.collect(&mut thread, true, &mut out).unwrap();
                            let place = open.iter().position(|open| *open == ticket).unwrap();
                            open.swap_remove(place);
                            n_known += 1;
                        }
                    }
                    while !open.is_empty() {
                        let ticket = service.collect(&mut thread, true, &mut out).unwrap();
                        open.retain(|open| *open != ticket);
                        n_known += 1;
                    }
                    assert_eq!(n_known, 2000);
                });
            }
        });
    }

    /// Waits for all who are to come before it answers.
    struct Meeting(std::sync::Barrier);

    impl Net for Meeting {
        fn evaluate(&self, _batch: &[NetQuery<'_>], _out: &mut [NetAnswer]) {
            self.0.wait();
        }
    }

    #[test]
    fn threads_are_with_the_network_at_the_same_time() {
        // Were a lock held during an evaluation, no two threads would ever meet there.
        let net = Arc::new(Meeting(std::sync::Barrier::new(2)));
        let shape = ServiceShape { batch: 1, cache_bytes: 1 << 20, n_actions: 1, n_places: 1 };
        let service = NetService::new(net, shape, Views::straight());
        std::thread::scope(|scope| {
            for n in 0..2 {
                let service = &service;
                scope.spawn(move || {
                    let (mut thread, mut out) = (service.add_thread(), NetAnswer::default());
                    (0..10)
                        .for_each(|key| assert_eq!(ask(service, &mut thread, 2 * key + n, &mut out), None));
                });
            }
        });
    }
}
