//! A network at work for all threads of a search: questions are gathered into batches, and answers are kept by position.
//!
//! There is no thread of its own: whoever fills a batch, or can wait no longer, shows it to the network and puts the answers
//! where those who asked find them.

use crate::evaluate::Ticket;
use model::net::{EncodedPosition, InputForm, Net, NetAnswer, NetQuery};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The network with its queue and its cache.
pub struct NetService {
    net: Arc<dyn Net>,
    /// Positions that are shown to the network at once.
    batch: usize,
    n_actions: usize,
    state: Mutex<ServiceState>,
    /// Rung when a batch was answered.
    answered: Condvar,
}

#[derive(Default)]
struct ServiceState {
    queue: Vec<NetRequest>,
    /// Answers by thread.
    outboxes: Vec<Vec<(Ticket, Arc<NetAnswer>)>>,
    n_tickets: u64,
    cache: Cache,
    /// Buffers of positions that were answered.
    spare: Vec<EncodedPosition>,
}

struct NetRequest {
    thread: Thread,
    ticket: Ticket,
    key: u64,
    position: EncodedPosition,
}

/// A thread that asks.
#[derive(Debug, Clone, Copy)]
pub struct Thread(usize);

/// How a question was received.
pub enum Received {
    /// The answer is known.
    Known(Arc<NetAnswer>),
    /// It will be, under this ticket.
    Queued(Ticket),
}

impl NetService {
    /// A network that is shown `batch` positions at once and remembers answers in `cache_bytes`.
    pub fn new(net: Arc<dyn Net>, batch: usize, cache_bytes: usize, n_actions: usize) -> NetService {
        let n_numbers = if net.tells_scores() { 2 * n_actions } else { n_actions };
        let state = ServiceState { cache: Cache::new(cache_bytes, n_numbers), ..ServiceState::default() };
        NetService { net, batch: batch.max(1), n_actions, state: Mutex::new(state), answered: Condvar::new() }
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
        self.batch
    }

    /// Lets one more thread ask.
    pub fn add_thread(&self) -> Thread {
        let mut state = self.lock();
        state.outboxes.push(Vec::new());
        Thread(state.outboxes.len() - 1)
    }

    fn lock(&self) -> MutexGuard<'_, ServiceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks about a position, whose buffers are exchanged for others. Who fills a batch has it answered.
    pub fn ask(&self, thread: Thread, key: u64, position: &mut EncodedPosition) -> Received {
        let mut state = self.lock();
        if let Some(answer) = state.cache.get(key) {
            return Received::Known(answer);
        }
        state.n_tickets += 1;
        let ticket = Ticket(state.n_tickets);
        let spare = state.spare.pop().unwrap_or_default();
        let position = std::mem::replace(position, spare);
        state.queue.push(NetRequest { thread, ticket, key, position });
        if state.queue.len() < self.batch {
            return Received::Queued(ticket);
        }
        let mut state = self.answer(state);
        let outbox = &mut state.outboxes[thread.0];
        match outbox.iter().position(|(answered, _)| *answered == ticket) {
            Some(place) => Received::Known(outbox.swap_remove(place).1),
            None => Received::Queued(ticket),
        }
    }

    /// An answer for a thread, if there is one; with `wait` one of its questions must be under way.
    pub fn collect(&self, thread: Thread, wait: bool) -> Option<(Ticket, Arc<NetAnswer>)> {
        let mut state = self.lock();
        loop {
            if let Some(answer) = state.outboxes[thread.0].pop() {
                return Some(answer);
            }
            if !wait {
                return None;
            }
            state = if state.queue.is_empty() {
                self.answered.wait(state).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.answer(state)
            };
        }
    }

    /// Shows the questions that wait to the network. Others may ask meanwhile.
    fn answer<'a>(&'a self, mut state: MutexGuard<'a, ServiceState>) -> MutexGuard<'a, ServiceState> {
        let n_taken = state.queue.len().min(self.batch);
        let batch: Vec<NetRequest> = state.queue.drain(..n_taken).collect();
        drop(state);
        let queries: Vec<NetQuery<'_>> = batch.iter().map(|request| self.query(request)).collect();
        let mut answers = vec![NetAnswer::default(); batch.len()];
        self.net.evaluate(&queries, &mut answers);
        drop(queries);
        let mut state = self.lock();
        for (request, answer) in batch.into_iter().zip(answers) {
            let answer = Arc::new(answer);
            state.cache.insert(request.key, &answer);
            state.outboxes[request.thread.0].push((request.ticket, answer));
            state.spare.push(request.position);
        }
        self.answered.notify_all();
        state
    }

    fn query<'a>(&self, request: &'a NetRequest) -> NetQuery<'a> {
        request.position.query(request.key, self.n_actions, self.net.form())
    }
}

/// The key of a position, and its answer.
type CacheEntry = (u64, Arc<NetAnswer>);

/// Answers by position, in a table in which a new one takes the place of an old one.
#[derive(Default)]
struct Cache {
    /// A power of two of them, or none.
    slots: Box<[Option<CacheEntry>]>,
}

impl Cache {
    /// A table within a bound of bytes, for answers of a fixed length in numbers.
    fn new(n_bytes: usize, n_numbers: usize) -> Cache {
        let entry = size_of::<Option<CacheEntry>>() + size_of::<NetAnswer>() + 16 + 4 * n_numbers;
        let n_slots = n_bytes / entry;
        let n_slots = if n_slots == 0 { 0 } else { 1 << n_slots.ilog2() };
        Cache { slots: vec![None; n_slots].into_boxed_slice() }
    }

    fn slot(&self, key: u64) -> Option<usize> {
        // The high bits of a product depend on all bits of the key.
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        (!self.slots.is_empty()).then(|| mixed as usize & (self.slots.len() - 1))
    }

    fn get(&self, key: u64) -> Option<Arc<NetAnswer>> {
        let (known, answer) = self.slots[self.slot(key)?].as_ref()?;
        (*known == key).then(|| Arc::clone(answer))
    }

    fn insert(&mut self, key: u64, answer: &Arc<NetAnswer>) {
        if let Some(slot) = self.slot(key) {
            self.slots[slot] = Some((key, Arc::clone(answer)));
        }
    }
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
        (NetService::new(Arc::new(net), batch, cache_bytes, 10), counts)
    }

    #[test]
    fn batches_are_filled_and_answers_find_who_asked() {
        let (service, counts) = service(3, 0);
        let (a, b) = (service.add_thread(), service.add_thread());
        let ask = |thread, key| match service.ask(thread, key, &mut EncodedPosition::default()) {
            Received::Queued(ticket) => Some(ticket),
            Received::Known(_) => None,
        };
        let (first, second) = (ask(a, 1).unwrap(), ask(b, 2).unwrap());
        assert!(service.collect(a, false).is_none());
        assert!(ask(b, 3).is_none(), "who fills the batch is answered");
        assert_eq!(service.collect(a, false).unwrap().0, first);
        assert_eq!(service.collect(b, true).unwrap().0, second);
        // A batch that does not fill is shown as it is to the net when somebody must wait for it.
        let third = ask(a, 4).unwrap();
        assert_eq!(service.collect(a, true).unwrap().0, third);
        assert_eq!([counts[0].load(Relaxed), counts[1].load(Relaxed)], [2, 4]);
    }

    #[test]
    fn a_position_is_shown_once_while_it_is_remembered() {
        let (service, counts) = service(1, 1 << 16);
        let thread = service.add_thread();
        let ask = |key| match service.ask(thread, key, &mut EncodedPosition::default()) {
            Received::Known(answer) => answer,
            Received::Queued(_) => panic!("a batch of one waits for nothing"),
        };
        let (first, again) = (ask(7), ask(7));
        assert_eq!((first.as_ref(), counts[1].load(Relaxed)), (again.as_ref(), 1));
        for key in 0..100_000 {
            ask(key);
        }
        let state = service.lock();
        let bytes: usize =
            state.cache.slots.iter().flatten().map(|(_, answer)| 4 * answer.policy.len()).sum();
        assert!(bytes <= 1 << 16);
    }

    #[test]
    fn threads_lose_no_answer() {
        let (service, _) = service(8, 0);
        std::thread::scope(|scope| {
            for n in 0..4u64 {
                let service = &service;
                scope.spawn(move || {
                    let thread = service.add_thread();
                    let (mut n_known, mut open) = (0, Vec::new());
                    for key in 0..2000 {
                        match service.ask(thread, n << 32 | key, &mut EncodedPosition::default()) {
                            Received::Known(_) => n_known += 1,
                            Received::Queued(ticket) => open.push(ticket),
                        }
                        while open.len() > 8 {
                            let (ticket, _) = service.collect(thread, true).unwrap();
                            let place = open.iter().position(|open| *open == ticket).unwrap();
                            open.swap_remove(place);
                            n_known += 1;
                        }
                    }
                    while !open.is_empty() {
                        let (ticket, _) = service.collect(thread, true).unwrap();
                        open.retain(|open| *open != ticket);
                        n_known += 1;
                    }
                    assert_eq!(n_known, 2000);
                });
            }
        });
    }
}
