//! News for all windows of a visitor, each at its own pace.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::Instant;

use crate::pool::lock;

/// Messages that wait for a window at most; one that is slower is told the state anew.
const BACKLOG: usize = 256;
/// Bytes of such messages at most, but for the last of them.
const BACKLOG_BYTES: usize = 512 << 10;

/// Where news come from.
#[derive(Default)]
pub(crate) struct News {
    windows: Mutex<Windows>,
}

#[derive(Default)]
struct Windows {
    inboxes: Vec<Weak<WindowInbox>>,
    is_closed: bool,
}

impl News {
    /// What is told from now on.
    pub(crate) fn listen(&self) -> Arc<WindowInbox> {
        let inbox = Arc::new(WindowInbox::default());
        let mut windows = lock(&self.windows);
        windows.inboxes.push(Arc::downgrade(&inbox));
        if windows.is_closed {
            inbox.close();
        }
        inbox
    }

    /// Tells everybody who listens; false if nobody does.
    pub(crate) fn tell(&self, text: &Arc<str>) -> bool {
        let mut windows = lock(&self.windows);
        windows.inboxes.retain(|window| window.upgrade().is_some_and(|inbox| inbox.put(text)));
        !windows.inboxes.is_empty()
    }

    /// Closes all windows, and those that open later.
    pub(crate) fn close(&self) {
        let mut windows = lock(&self.windows);
        windows.is_closed = true;
        for inbox in windows.inboxes.drain(..).filter_map(|window| window.upgrade()) {
            inbox.close();
        }
    }
}

/// The news that wait for one window.
#[derive(Default)]
pub(crate) struct WindowInbox {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    texts: VecDeque<Arc<str>>,
    /// Bytes of the texts.
    n_bytes: usize,
    /// Whether some were dropped because too many waited.
    has_missed: bool,
    is_over: bool,
}

/// The next news for a window.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Text(Arc<str>),
    /// Messages were dropped before those that still come.
    Missed,
    /// Nothing, for as long as it wanted to wait.
    Nothing,
    /// The window has closed.
    Over,
}

impl WindowInbox {
    /// False if nobody listens any longer.
    fn put(&self, text: &Arc<str>) -> bool {
        let mut waiting = lock(&self.waiting);
        waiting.n_bytes += text.len();
        while waiting.texts.len() == BACKLOG || waiting.n_bytes > BACKLOG_BYTES {
            let Some(oldest) = waiting.texts.pop_front() else { break };
            waiting.n_bytes -= oldest.len();
            waiting.has_missed = true;
        }
        waiting.texts.push_back(Arc::clone(text));
        self.changed.notify_one();
        !waiting.is_over
    }

    /// Waits for news, but not longer than this.
    pub(crate) fn next(&self, until: Instant) -> Told {
        let is_idle =
            |waiting: &mut Waiting| !waiting.is_over && !waiting.has_missed && waiting.texts.is_empty();
        let left = until.saturating_duration_since(Instant::now());
        let waited = self.changed.wait_timeout_while(lock(&self.waiting), left, is_idle);
        let (mut waiting, _) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
        if waiting.is_over {
            return Told::Over;
        }
        if std::mem::take(&mut waiting.has_missed) {
            return Told::Missed;
        }
        let Some(text) = waiting.texts.pop_front() else { return Told::Nothing };
        waiting.n_bytes -= text.len();
        Told::Text(text)
    }

    /// The window closes.
    pub(crate) fn close(&self) {
        lock(&self.waiting).is_over = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_slow_window_misses_the_oldest() {
        let news = News::default();
        assert!(!news.tell(&"nobody listens".into()));
        let inbox = news.listen();
        let now = Instant::now();
        assert_eq!(inbox.next(now), Told::Nothing);
        for n in 0..BACKLOG + 2 {
            assert!(news.tell(&n.to_string().into()));
        }
        assert_eq!(inbox.next(now), Told::Missed);
        assert_eq!(inbox.next(now), Told::Text("2".into()));
        drop(inbox);
        assert!(!news.tell(&"nobody listens any longer".into()));
    }

    #[test]
    fn what_waits_is_bounded_in_bytes_too() {
        let news = News::default();
        let inbox = news.listen();
        let large: Arc<str> = "x".repeat(BACKLOG_BYTES / 2 + 1).into();
        (0..3).for_each(|_| assert!(news.tell(&large)));
        let now = Instant::now();
        assert_eq!(inbox.next(now), Told::Missed);
        assert_eq!((inbox.next(now), inbox.next(now)), (Told::Text(large), Told::Nothing));
        // A single message is told whatever its size.
        let huge: Arc<str> = "x".repeat(2 * BACKLOG_BYTES).into();
        assert!(news.tell(&huge));
        assert_eq!(inbox.next(now), Told::Text(huge));
        news.close();
        assert_eq!(inbox.next(now), Told::Over);
    }

    #[test]
    fn news_wake_those_who_wait_and_so_does_the_end() {
        let news = News::default();
        let inbox = news.listen();
        let later = Instant::now() + Duration::from_secs(600);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| (inbox.next(later), inbox.next(later)));
            news.tell(&"news".into());
            std::thread::sleep(Duration::from_millis(20));
            inbox.close();
            assert_eq!(waits.join().unwrap(), (Told::Text("news".into()), Told::Over));
        });
        assert!(!news.tell(&"the window has closed".into()));
    }
}
