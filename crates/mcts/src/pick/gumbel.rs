//! The move that `select=gumbel` has found: of the arms with the most visits the one with the best score g(a) + ln P(a) + σ(q(a)).
//! [Danihelka et al. 2022, algorithm 2: the winner of sequential halving]
//!
//! The scores are those that the selector gives the root's arms; a selector whose scores mean something else is refused.

use super::Pick;
use super::most_visits::most_visited;
use crate::game::Action;
use crate::report::Report;
use goban::Rng;

recipe::params! {
    /// Of the arms with the most visits the one with the best score of select=gumbel.
    pub struct GumbelPick as "gumbel" {}
}

/// Builds the pick.
pub fn build(params: &GumbelPick) -> Result<Box<dyn Pick>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Pick for GumbelPick {
    fn reads_ranks(&self) -> bool {
        true
    }

    fn pick(&self, report: &Report, _rng: &mut Rng) -> Option<Action> {
        let most = most_visited(&report.arms)?.visits;
        let mut finalists = report.arms.iter().filter(|arm| arm.visits == most);
        let first = finalists.next()?;
        let best = finalists.fold(first, |best, arm| if arm.score > best.score { arm } else { best });
        Some(best.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::tests::report;

    #[test]
    fn the_best_score_of_the_most_visited() {
        let picked = |visits: &[u32], scores: &[f32]| {
            let mut report = report(&visits.iter().map(|&n| (n, 0.5)).collect::<Vec<_>>());
            report.arms.iter_mut().zip(scores).for_each(|(arm, &score)| arm.score = score);
            GumbelPick {}.pick(&report, &mut Rng::new(1)).map(|action| action.0)
        };
        assert_eq!(picked(&[6, 2, 6, 6, 0], &[-3.0, 9.0, -1.0, -2.0, 7.0]), Some(2));
        // Without visits the best score; of equal ones the earlier; nothing of nothing.
        assert_eq!((picked(&[0, 0], &[1.0, 2.0]), picked(&[3, 3], &[1.0, 1.0])), (Some(1), Some(0)));
        assert_eq!(picked(&[], &[]), None);
    }
}
