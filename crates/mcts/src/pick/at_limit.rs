//! One of the arms that reached the limit of their visits, at random. [You A.1: the final choice of `limited-visits`]
//!
//! With `widen=limited-visits` the arms that looked best all stop at k visits, and the search cannot tell them apart by
//! visits any more. If none came so far the most visited is picked. k is that widener's limit; the source does not give
//! it.

use super::Pick;
use super::most_visits::most_visited;
use crate::game::Action;
use crate::report::Report;
use goban::Rng;

recipe::params! {
    /// One of the arms with at least k visits, at random; the most visited if there is none.
    pub struct AtLimit as "at-limit" {
        k: u32 = 300, 1..=1_000_000_000, "real visits an arm must have; the k of widen=limited-visits";
    }
}

/// Builds the pick.
pub fn build(params: &AtLimit) -> Result<Box<dyn Pick>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Pick for AtLimit {
    fn pick(&self, report: &Report, rng: &mut Rng) -> Option<Action> {
        let at_limit = || report.arms.iter().filter(|arm| arm.visits >= self.k);
        let arm = match at_limit().count() {
            0 => most_visited(&report.arms)?,
            1 => at_limit().next()?,
            n => at_limit().nth(rng.below(n as u32) as usize)?,
        };
        Some(arm.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::tests::{check, frequencies};

    #[test]
    fn all_at_the_limit_are_drawn_alike() {
        let pick = AtLimit::default();
        let arms = [(300, 0.1), (299, 0.9), (301, 0.2), (0, 0.5), (300, 0.3)];
        let counts = frequencies(&pick, &arms);
        // 10 000/3 each; three standard deviations are 3·√(10 000·⅓·⅔) = 141.
        assert!([0, 2, 4].iter().all(|&idx: &usize| counts[idx].abs_diff(3333) < 142), "{counts:?}");
        assert_eq!((counts[1], counts[3]), (0, 0));
    }

    #[test]
    fn one_or_none_at_the_limit() {
        check(&AtLimit::default(), &[(5, 0.9), (10_000_000, 0.0), (299, 1.0)], Some(1));
        check(&AtLimit { k: 301 }, &[(300, 0.1), (299, 0.9), (300, 0.2)], Some(2));
        check(&AtLimit::default(), &[(0, 0.5), (0, 0.5)], Some(0));
        check(&AtLimit::default(), &[], None);
    }
}
