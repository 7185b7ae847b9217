//! The next searches of a review: first a glance at every position, then duels of the suspects in waves, as long as the budget
//! lasts. It depends on nothing but the budget and what was found, so a review that was interrupted, or that is made by
//! several threads, searches the same.

use goban::Vertex;

use super::finding::{Duel, Finding, Glance};
use super::thresholds::{ARM_SHARE, DUEL_SHARE, FIRST_SHARE, GLANCE_SHARE, LEAST_DUEL, MOST_ROUNDS, STRETCH};
use super::verdict;

/// The budget of a review: simulations for each position on average, most of them for the suspects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewBudget {
    /// Simulations for each position.
    pub playouts: u64,
}

impl ReviewBudget {
    /// The budget for a time in seconds, at a speed in simulations a second of all threads together.
    pub fn of_time(seconds: f64, speed: f64, n_positions: usize) -> Self {
        let each = seconds * speed / n_positions.max(1) as f64;
        Self { playouts: (each as u64).clamp(1, 100_000_000) }
    }

    /// Simulations of a glance among all moves.
    pub(super) fn glance(self) -> u64 {
        self.playouts.div_ceil(GLANCE_SHARE)
    }

    /// The visits of each of two compared moves in a glance, at least.
    pub(super) fn arm(self) -> u64 {
        self.playouts.div_ceil(ARM_SHARE)
    }

    /// Simulations of each side of a duel.
    pub(super) fn duel(self) -> u64 {
        (self.playouts / DUEL_SHARE).max(LEAST_DUEL)
    }
}

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Glances at the positions after `first` moves up to, without it, after `end`.
    Glances {
        /// Moves before the first position.
        first: usize,
        /// Moves before the first position that is left to others.
        end: usize,
    },
    /// The better move against the one that was played.
    Duel {
        /// Moves before them.
        ply: usize,
        /// The number of the duel, from 0.
        round: usize,
        /// The better move.
        best: Vertex,
    },
}

/// All that was found of a game so far.
#[derive(Clone, Debug)]
pub struct Ledger {
    budget: ReviewBudget,
    glances: Vec<Option<Glance>>,
    /// By position, then by round.
    duels: Vec<Vec<Option<Duel>>>,
}

impl Ledger {
    /// Nothing is known yet of `n_positions` positions.
    pub fn new(budget: ReviewBudget, n_positions: usize) -> Self {
        Self { budget, glances: vec![None; n_positions], duels: vec![Vec::new(); n_positions] }
    }

    /// What may be spent.
    pub fn budget(&self) -> ReviewBudget {
        self.budget
    }

    /// Takes in what was found; false if it belongs to no position or round of this game.
    pub fn add(&mut self, finding: Finding) -> bool {
        match finding {
            Finding::Glance(glance) => match self.glances.get_mut(glance.ply) {
                Some(place) => *place = Some(glance),
                None => return false,
            },
            Finding::Duel(duel) => match self.duels.get_mut(duel.ply) {
                Some(duels) if duel.round < MOST_ROUNDS => {
                    if duels.len() <= duel.round {
                        duels.resize(duel.round + 1, None);
                    }
                    let round = duel.round;
                    duels[round] = Some(duel);
                }
                _ => return false,
            },
        }
        true
    }

    /// Whether this was found already.
    pub fn knows(&self, finding: &Finding) -> bool {
        match finding {
            Finding::Glance(glance) => self.glance(glance.ply).is_some(),
            Finding::Duel(duel) => self.duels(duel.ply).any(|one| one.round == duel.round),
        }
    }

    /// The glance at a position, if it was made.
    pub fn glance(&self, ply: usize) -> Option<&Glance> {
        self.glances.get(ply)?.as_ref()
    }

    /// Positions.
    pub fn n_positions(&self) -> usize {
        self.glances.len()
    }

    /// The duels of a move that were made.
    pub fn duels(&self, ply: usize) -> impl Iterator<Item = &Duel> {
        self.duels.get(ply).into_iter().flatten().flatten()
    }

    /// Simulations that may be spent on the whole game.
    pub fn n_allowed(&self) -> u64 {
        self.budget.playouts.saturating_mul(self.glances.len() as u64)
    }

    /// Simulations that were spent.
    pub fn n_spent(&self) -> u64 {
        let glances = self.glances.iter().flatten().map(|glance| glance.simulations);
        let duels = self.duels.iter().flatten().flatten().map(|duel| duel.simulations);
        glances.chain(duels).sum()
    }

    /// What can be done now, in any order; nothing once the review is complete.
    pub fn tasks(&self) -> Vec<Task> {
        let n = self.glances.len();
        let stretches = (0..n).step_by(STRETCH).map(|first| (first, (first + STRETCH).min(n)));
        let open = stretches.filter(|&(first, end)| self.glances[first..end].iter().any(Option::is_none));
        let glances: Vec<Task> = open.map(|(first, end)| Task::Glances { first, end }).collect();
        if glances.is_empty() { self.next_duels() } else { glances }
    }

    /// The duels of the first wave that is not complete. The waves before are gone through again as they were decided.
    fn next_duels(&self) -> Vec<Task> {
        let cost = 2 * self.budget.duel();
        let spent: u64 = self.glances.iter().flatten().map(|glance| glance.simulations).sum();
        let mut n_left = self.n_allowed().saturating_sub(spent) / cost;
        let mut rounds = vec![0; self.glances.len()];
        let mut is_first = true;
        while n_left > 0 {
            let n_wave = if is_first { n_left.div_ceil(FIRST_SHARE) } else { n_left };
            is_first = false;
            let wave = self.wave(&rounds, usize::try_from(n_wave).unwrap_or(usize::MAX));
            if wave.is_empty() {
                break;
            }
            let mut missing = Vec::new();
            for &ply in &wave {
                let round = rounds[ply];
                let best = self.glance(ply).and_then(|glance| glance.candidates.first()?.vertex());
                let is_done = self.duels[ply].get(round).is_some_and(Option::is_some);
                if let (false, Some(best)) = (is_done, best) {
                    missing.push(Task::Duel { ply, round, best });
                }
                rounds[ply] += 1;
            }
            if !missing.is_empty() {
                return missing;
            }
            n_left -= wave.len() as u64;
        }
        Vec::new()
    }

    /// The moves that need another duel after their `rounds`, the most suspicious first, at most `n`.
    fn wave(&self, rounds: &[usize], n: usize) -> Vec<usize> {
        let mut open: Vec<(usize, f32)> = (0..self.glances.len())
            .filter_map(|ply| Some((ply, verdict::suspicion(self, ply, rounds[ply])?)))
            .collect();
        open.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        open.into_iter().map(|(ply, _)| ply).take(n).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Compared, Variation};
    use super::*;
    use goban::Color;

    const BUDGET: ReviewBudget = ReviewBudget { playouts: 1000 };

    fn compared(loss: f32) -> Compared {
        Compared { best_win: 0.5 + loss, played_win: 0.5, best_margin: 0.0, played_margin: 0.0, visits: 125 }
    }

    /// A glance after which the move seems to cost so much.
    fn glance(ply: usize, loss: f32) -> Finding {
        let best = Variation { win: 0.5, visits: 100, line: vec![Vertex::new(0, 0)] };
        let compared = Some(compared(loss));
        let (to_play, candidates) = (Color::Black, vec![best]);
        Finding::Glance(Glance {
            ply,
            to_play,
            win: 0.5,
            margin: 0.0,
            simulations: 400,
            candidates,
            compared,
        })
    }

    /// Does all tasks; every duel shows the loss that `truth` gives.
    fn finish(ledger: &mut Ledger, truth: impl Fn(usize) -> f32) -> Vec<usize> {
        let mut n_duels = vec![0; ledger.n_positions()];
        loop {
            let tasks = ledger.tasks();
            if tasks.is_empty() {
                return n_duels;
            }
            for task in tasks {
                let Task::Duel { ply, round, .. } = task else { panic!("all glances are made") };
                let found = compared(truth(ply));
                let simulations = 2 * BUDGET.duel();
                let [line, answer] = [Vec::new(), Vec::new()];
                let duel = Finding::Duel(Duel { ply, round, found, simulations, line, answer });
                assert!(!ledger.knows(&duel) && ledger.add(duel));
                n_duels[ply] += 1;
            }
        }
    }

    #[test]
    fn glances_come_first_and_only_suspects_are_searched_again() {
        let mut ledger = Ledger::new(BUDGET, 20);
        let stretches = [(0, 8), (8, 16), (16, 20)].map(|(first, end)| Task::Glances { first, end });
        assert_eq!(ledger.tasks(), stretches);
        for ply in 0..20 {
            assert!(ledger.add(glance(ply, if ply % 5 == 0 { 0.2 } else { 0.04 })));
        }
        assert!(!ledger.add(glance(20, 0.2)), "there is no such position");
        let n_duels = finish(&mut ledger, |ply| if ply == 10 { 0.2 } else { 0.0 });
        // One duel clears a suspect, two convict one.
        for (ply, &n) in n_duels.iter().enumerate() {
            assert_eq!(n, [0, 1, 2][usize::from(ply % 5 == 0) + usize::from(ply == 10)], "{ply}");
        }
    }

    #[test]
    fn the_budget_is_kept_and_the_worst_come_first() {
        let mut ledger = Ledger::new(BUDGET, 20);
        (0..20).for_each(|ply| assert!(ledger.add(glance(ply, 0.1 + 0.01 * ply as f32))));
        // What is always in doubt takes all that there is.
        let n_duels = finish(&mut ledger, |_| 0.06);
        assert!(ledger.n_spent() <= ledger.n_allowed() && ledger.n_allowed() - ledger.n_spent() < 1000);
        assert!(n_duels[19] > 1 && n_duels[0] == 0, "{n_duels:?}");
    }
}
