//! Looking into a position: what is asked of it, a search that is asked what it thinks while it goes on, and somebody who
//! looks on while a player thinks about its move.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use goban::Vertex;

use crate::survey::{Survey, Wants};

/// The first look comes after so long at most, however seldom the others are: whoever asks wants to see something.
const FIRST_LOOK: Duration = Duration::from_millis(100);

/// A question about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudyQuestion {
    /// Moves that are not to be looked at.
    pub avoid: Vec<Vertex>,
    /// The only moves that are to be looked at, if they are named.
    pub allow: Option<Vec<Vertex>>,
    /// What is to be told beyond the usual.
    pub wants: Wants,
}

impl StudyQuestion {
    /// Whether a move of the player at the root comes into question.
    pub fn allows(&self, vertex: Vertex) -> bool {
        !self.avoid.contains(&vertex) && self.allow.as_ref().is_none_or(|allow| allow.contains(&vertex))
    }
}

/// The budget of a study for one step. Whatever runs out first ends the step.
#[derive(Clone, Debug)]
pub struct StudyStep {
    /// Simulations of the whole study, all steps together.
    pub simulations: u64,
    /// The moment to stop.
    pub until: Instant,
    /// Set by anybody to stop at once.
    pub stop: Arc<AtomicBool>,
}

/// A search of one position that goes on step by step.
pub trait Study: Send {
    /// Searches on, for one simulation at least unless nothing is left to do, and says what it thinks then.
    fn step(&mut self, step: &StudyStep) -> Survey;
}

/// Somebody who looks on while a player thinks.
pub struct Onlooker<'a> {
    /// What is asked beside the move.
    pub question: StudyQuestion,
    /// How often he wants to look.
    every: Duration,
    next: Instant,
    tell: &'a mut dyn FnMut(&Survey),
}

impl<'a> Onlooker<'a> {
    /// Somebody who is told what is thought, soon, then in these intervals, and when the thinking has ended.
    pub fn new(question: StudyQuestion, every: Duration, tell: &'a mut dyn FnMut(&Survey)) -> Self {
        Self { question, every, next: Instant::now() + every.min(FIRST_LOOK), tell }
    }

    /// When he wants to look next.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// Shows him what is thought.
    pub fn tell(&mut self, survey: &Survey) {
        self.next = after(self.every);
        (self.tell)(survey);
    }
}

/// So much later; a time that no clock can show is as good as never.
pub fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or_else(|| now + Duration::from_secs(1 << 30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_named_one_way_or_the_other() {
        let [a, b] = [Vertex::new(0, 0), Vertex::new(1, 0)];
        let avoid = StudyQuestion { avoid: vec![a], ..StudyQuestion::default() };
        assert!(!avoid.allows(a) && avoid.allows(b) && avoid.allows(Vertex::PASS));
        let allow = StudyQuestion { allow: Some(vec![a]), ..StudyQuestion::default() };
        assert!(allow.allows(a) && !allow.allows(b) && !allow.allows(Vertex::PASS));
        assert!(StudyQuestion::default().allows(Vertex::PASS));
    }

    #[test]
    fn no_interval_is_too_long() {
        let mut nobody = |_: &Survey| {};
        let onlooker = Onlooker::new(StudyQuestion::default(), Duration::MAX, &mut nobody);
        assert!(onlooker.next() <= Instant::now() + FIRST_LOOK);
        assert!(after(Duration::MAX) > Instant::now() + Duration::from_secs(1_000_000));
    }
}
