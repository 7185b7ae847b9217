//! The lines that have been read and not yet answered, and the handle by which a running command learns
//! that it should end.
//!
//! The inbox is bounded: a controller that sends more than fits waits, as at any full pipe, until commands are answered.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Lines that may wait.
const MAX_LINES: usize = 10_000;

/// Bytes that the waiting lines may hold together. A single line may be longer.
const MAX_BYTES: usize = 16 << 20;

/// Filled by the reader thread, emptied by the loop that answers.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
    /// Every line up to this number is asked to end early. Numbers, and not a flag, because controllers do not
    /// wait: an interrupt may be read before the command it means has begun, and must not hit
    /// a command sent after it.
    interrupted: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Line>,
    /// Bytes of the lines.
    n_bytes: usize,
    n_read: u64,
    ended: bool,
    /// Whether the reader has to wait: from the moment when the inbox is full until it is half empty, so that the two
    /// threads do not wake each other for every line.
    is_blocked: bool,
    /// Whether nobody will take another line.
    abandoned: bool,
}

impl State {
    fn block_or_release(&mut self) {
        if self.lines.len() >= MAX_LINES || self.n_bytes >= MAX_BYTES {
            self.is_blocked = true;
        } else if self.lines.len() <= MAX_LINES / 2 && self.n_bytes <= MAX_BYTES / 2 {
            self.is_blocked = false;
        }
    }
}

/// One line, cleaned, and its number among all lines, counted from 1.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) text: String,
    /// Whether the text is only the beginning of a line that was too long.
    pub(crate) is_cut: bool,
}

impl Inbox {
    /// Adds a line; blank lines too, since any line at all ends an asynchronous command. Waits while the inbox is full.
    /// False if nobody will read it.
    pub(crate) fn push(&self, text: String, is_cut: bool) -> bool {
        let waiting = |state: &mut State| state.is_blocked && !state.abandoned;
        let mut state = self.changed.wait_while(self.lock(), waiting).unwrap_or_else(PoisonError::into_inner);
        if state.abandoned {
            return false;
        }
        state.n_read += 1;
        state.n_bytes += text.len();
        let number = state.n_read;
        state.lines.push_back(Line { number, text, is_cut });
        state.block_or_release();
        self.changed.notify_all();
        true
    }

    /// Nobody takes lines any more; a reader that waits for room is let go.
    pub(crate) fn abandon(&self) {
        self.lock().abandoned = true;
        self.changed.notify_all();
    }

    /// Asks the commands read so far, answered or not, to end early.
    pub(crate) fn interrupt(&self) {
        // Under the lock, so that nobody goes to sleep between looking and being told.
        let state = self.lock();
        self.interrupted.fetch_max(state.n_read, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// No line will follow.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Nobody reads the answers any more: every command, read or still to be read, is to end early.
    pub(crate) fn hang_up(&self) {
        self.interrupted.store(u64::MAX, Ordering::Relaxed);
        self.end();
    }

    /// The next line; waits for it; `None` at the end of the input.
    pub(crate) fn pop(&self) -> Option<Line> {
        let waiting = |state: &mut State| state.lines.is_empty() && !state.ended;
        let mut state = self.changed.wait_while(self.lock(), waiting).unwrap_or_else(PoisonError::into_inner);
        let line = state.lines.pop_front()?;
        state.n_bytes -= line.text.len();
        let was_blocked = state.is_blocked;
        state.block_or_release();
        if was_blocked && !state.is_blocked {
            self.changed.notify_all();
        }
        Some(line)
    }

    /// The handle for the command of this line.
    pub(crate) fn handle(self: &Arc<Self>, number: u64) -> Interrupt {
        Interrupt { inbox: Arc::clone(self), number }
    }

    // No code that can panic runs under the lock, so a poisoned lock guards a state that is whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells a running command that it should end. Cheap to clone and to ask, from any thread.
#[derive(Clone, Debug)]
pub struct Interrupt {
    inbox: Arc<Inbox>,
    number: u64,
}

impl Interrupt {
    /// Whether this command should end early, with the best answer it has: the controller said `# interrupt`,
    /// or it is gone. Input that ends after a `quit` is no such case: a script is answered in full.
    pub fn requested(&self) -> bool {
        self.inbox.interrupted.load(Ordering::Relaxed) >= self.number
    }

    pub(crate) fn hang_up(&self) {
        self.inbox.hang_up();
    }

    /// Whether an asynchronous command is over: a further line has arrived, or none ever will.
    pub fn input_waiting(&self) -> bool {
        let state = self.inbox.lock();
        !state.lines.is_empty() || state.ended || self.requested()
    }

    /// Waits until [`Self::input_waiting`] holds, but not longer than `timeout`; says whether it holds.
    pub fn wait_for_input(&self, timeout: Duration) -> bool {
        let waiting = |state: &mut State| state.lines.is_empty() && !state.ended && !self.requested();
        let (_state, waited) = self
            .inbox
            .changed
            .wait_timeout_while(self.inbox.lock(), timeout, waiting)
            .unwrap_or_else(PoisonError::into_inner);
        !waited.timed_out()
    }
}
