//! How long an engine is waited for.

use std::time::Duration;

/// How long to wait for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For its first words; some load a network first.
    pub start: Duration,
    /// For everything that needs no thought.
    pub answer: Duration,
    /// For a move when there is no clock.
    pub think: Duration,
    /// For a move after its clock has run out, so that a late answer is told from none.
    pub margin: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let s = Duration::from_secs;
        Self { start: s(120), answer: s(60), think: s(600), margin: s(3) }
    }
}
