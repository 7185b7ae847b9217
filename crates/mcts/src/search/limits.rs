//! When a search stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits of a search: the first that is reached ends it. They are checked between simulations.
#[derive(Debug, Clone)]
pub struct Limits {
    /// New simulations; exactly these are run if nothing else ends the search.
    pub simulations: u64,
    /// The moment to stop.
    pub deadline: Option<Instant>,
    /// Set by anyone to stop after the simulations under way.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// `n` new simulations and no other limit.
    pub fn simulations(n: u64) -> Limits {
        Limits { simulations: n, deadline: None, stop: None }
    }

    /// Until the deadline.
    pub fn until(deadline: Instant) -> Limits {
        Limits { simulations: u64::MAX, deadline: Some(deadline), stop: None }
    }

    /// The same limits with a flag that stops the search.
    pub fn or_when(self, stop: Arc<AtomicBool>) -> Limits {
        Limits { stop: Some(stop), ..self }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
