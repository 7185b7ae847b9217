//! Notes on the root's arms, kept beside the tree until the root changes: the margins in points of the simulations
//! through each arm, and, if somebody wants it, who owned the points in them. Nothing of it guides the search.

use crate::game::{Outcome, Side};
use crate::report::MarginStats;

/// The notes that a search takes at its root for its observers. The default takes the fewest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notes {
    /// Simulations for each one whose owners are noted, at least 1. A model may ask for more of them.
    pub ownership_every: u64,
    /// Whether they are kept for each arm by itself, too.
    pub arm_ownership: bool,
}

impl Default for Notes {
    fn default() -> Notes {
        // A look at every point costs something.
        Notes { ownership_every: 64, arm_ownership: false }
    }
}

/// One worker's notes. Everything is seen by the first player.
#[derive(Debug, Default)]
pub(crate) struct RootTally {
    /// By root arm; empty before the first simulation.
    arms: Vec<ArmTally>,
    /// By root arm, then by action index; empty unless it is asked for.
    owners: Vec<f64>,
    n_points: usize,
}

#[derive(Debug, Default, Clone, Copy)]
struct ArmTally {
    n: u64,
    sum: f64,
    sum_sq: f64,
    n_owned: u32,
}

impl RootTally {
    /// Forgets the old root.
    pub(crate) fn clear(&mut self) {
        self.arms.clear();
        self.owners.clear();
        self.n_points = 0;
    }

    /// Notes what came of `weight` simulations through one of the root's `n_arms` arms.
    #[inline]
    pub(crate) fn add(&mut self, arm: usize, n_arms: usize, outcome: &Outcome, weight: u32, notes: Notes) {
        if self.arms.len() != n_arms {
            self.arms.resize(n_arms, ArmTally::default());
        }
        let Some(tally) = self.arms.get_mut(arm) else { return };
        let (score, weight) = (f64::from(outcome.score), f64::from(weight));
        tally.n += weight as u64;
        tally.sum += weight * score;
        tally.sum_sq += weight * score * score;
        if notes.arm_ownership && !outcome.ownership.is_empty() {
            self.add_owners(arm, &outcome.ownership);
        }
    }

    fn add_owners(&mut self, arm: usize, owners: &[f32]) {
        if self.n_points != owners.len() {
            self.n_points = owners.len();
            self.owners.clear();
            self.owners.resize(self.arms.len() * self.n_points, 0.0);
            self.arms.iter_mut().for_each(|arm| arm.n_owned = 0);
        }
        self.arms[arm].n_owned += 1;
        let sums = &mut self.owners[arm * self.n_points..][..self.n_points];
        sums.iter_mut().zip(owners).for_each(|(sum, &owner)| *sum += f64::from(owner));
    }

    /// The margin of an arm over all workers, as `side` sees it; none before its first simulation.
    pub(crate) fn margin<'a>(
        tallies: impl Iterator<Item = &'a RootTally>,
        arm: usize,
        side: Side,
    ) -> Option<MarginStats> {
        let mut all = ArmTally::default();
        for tally in tallies.filter_map(|tally| tally.arms.get(arm)) {
            all.n += tally.n;
            all.sum += tally.sum;
            all.sum_sq += tally.sum_sq;
        }
        if all.n == 0 {
            return None;
        }
        let mean = all.sum / all.n as f64;
        let variance = (all.sum_sq / all.n as f64 - mean * mean).max(0.0);
        let mean = if side == Side::First { mean } else { -mean };
        Some(MarginStats { mean: mean as f32, sd: variance.sqrt() as f32, n: all.n })
    }

    /// The mean ownership after an arm by action index, as the first player sees it; empty if nobody looked.
    pub(crate) fn ownership<'a>(tallies: impl Iterator<Item = &'a RootTally>, arm: usize) -> Vec<f32> {
        let mut sums: Vec<f64> = Vec::new();
        let mut n_owned = 0;
        for tally in tallies {
            let Some(owners) = tally.owners.get(arm * tally.n_points..(arm + 1) * tally.n_points) else {
                continue;
            };
            sums.resize(tally.n_points.max(sums.len()), 0.0);
            sums.iter_mut().zip(owners).for_each(|(sum, owner)| *sum += owner);
            n_owned += tally.arms.get(arm).map_or(0, |arm| arm.n_owned);
        }
        if n_owned == 0 {
            return Vec::new();
        }
        sums.iter().map(|&sum| sum as f32 / n_owned as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(score: f32, ownership: &[i8]) -> Outcome {
        let ownership = ownership.iter().map(|&owner| f32::from(owner)).collect();
        Outcome { win: 1.0, score, length: 0, ownership }
    }

    #[test]
    fn margins_by_hand() {
        let notes = Notes { ownership_every: 1, arm_ownership: true };
        let (mut a, mut b) = (RootTally::default(), RootTally::default());
        a.add(1, 3, &outcome(2.0, &[1, -1]), 1, notes);
        a.add(1, 3, &outcome(4.0, &[1, 0]), 1, notes);
        b.add(1, 3, &outcome(-3.0, &[]), 2, notes);
        let both = || [&a, &b].into_iter();
        // 2, 4, −3, −3: mean 0, squares 4 + 16 + 9 + 9 = 38, by four 9.5.
        let margin = RootTally::margin(both(), 1, Side::First).unwrap();
        assert_eq!((margin.mean, margin.n), (0.0, 4));
        assert!((margin.sd - 9.5_f32.sqrt()).abs() < 1e-6);
        // The first worker alone: mean 3 for the first player, −3 for the second, variance 10 − 9.
        let margin = RootTally::margin([&a].into_iter(), 1, Side::Second).unwrap();
        assert_eq!((margin.mean, margin.sd, margin.n), (-3.0, 1.0, 2));
        assert_eq!(RootTally::margin(both(), 0, Side::First), None);
        assert_eq!(RootTally::margin(both(), 7, Side::First), None);
        assert_eq!(RootTally::ownership(both(), 1), [1.0, -0.5]);
        assert!(RootTally::ownership(both(), 2).is_empty());
        a.clear();
        assert_eq!(RootTally::margin([&a].into_iter(), 1, Side::First), None);
        assert!(RootTally::ownership([&a].into_iter(), 1).is_empty());
    }

    #[test]
    fn owners_are_kept_only_when_asked_for() {
        let mut tally = RootTally::default();
        tally.add(0, 2, &outcome(1.0, &[1, 1]), 1, Notes::default());
        assert!(tally.owners.is_empty() && RootTally::ownership([&tally].into_iter(), 0).is_empty());
    }
}
