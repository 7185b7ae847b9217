//! Sums over the simulations of one run.

use crate::game::Outcome;

/// The sums over the simulations of one run.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    pub(crate) n_simulations: u64,
    pub(crate) n_samples: u64,
    /// Evaluations that were no numbers and counted as draws.
    pub(crate) n_unsound: u64,
    pub(crate) score_sum: f64,
    pub(crate) ownership: Vec<f64>,
    pub(crate) n_ownership: u32,
    /// Nodes that were made.
    pub(crate) n_grown: u64,
    /// Whether a node was wanted for which there was no room.
    pub(crate) is_full: bool,
}

impl Stats {
    pub(crate) fn clear(&mut self) {
        let mut ownership = std::mem::take(&mut self.ownership);
        ownership.clear();
        *self = Stats { ownership, ..Stats::default() };
    }

    /// Adds another worker's sums.
    pub(crate) fn merge(&mut self, other: &Stats) {
        self.n_simulations += other.n_simulations;
        self.n_samples += other.n_samples;
        self.n_unsound += other.n_unsound;
        self.score_sum += other.score_sum;
        self.n_ownership += other.n_ownership;
        self.n_grown += other.n_grown;
        self.is_full |= other.is_full;
        self.ownership.resize(self.ownership.len().max(other.ownership.len()), 0.0);
        self.ownership.iter_mut().zip(&other.ownership).for_each(|(sum, other)| *sum += other);
    }

    pub(crate) fn add(&mut self, outcome: &Outcome, weight: u32) {
        self.n_samples += u64::from(weight);
        self.score_sum += f64::from(outcome.score) * f64::from(weight);
        if !outcome.ownership.is_empty() {
            self.ownership.resize(outcome.ownership.len(), 0.0);
            for (sum, &owner) in self.ownership.iter_mut().zip(&outcome.ownership) {
                *sum += f64::from(owner);
            }
            self.n_ownership += 1;
        }
    }
}
