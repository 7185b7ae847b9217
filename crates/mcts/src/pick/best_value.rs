//! The arm with the best mixed value, among those that were visited often enough for it to mean something. [You 3.1 names
//! it beside the most visits; Ikeda & Viennot 2013, 6.2]

use super::Pick;
use super::most_visits::most_visited;
use crate::game::Action;
use crate::report::Report;
use goban::Rng;

recipe::params! {
    /// The arm with the best value; of equal ones the more visited, then the earlier. The most visited arm if none has
    /// enough visits.
    pub struct BestValue as "best-value" {
        min_visits: u32 = 1, 1..=1_000_000_000, "real visits an arm must have";
    }
}

/// Builds the pick.
pub fn build(params: &BestValue) -> Result<Box<dyn Pick>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Pick for BestValue {
    fn pick(&self, report: &Report, _rng: &mut Rng) -> Option<Action> {
        let mut best = most_visited(&report.arms)?;
        for arm in report.arms.iter().filter(|arm| arm.visits >= self.min_visits) {
            if arm.value > best.value || (arm.value == best.value && arm.visits > best.visits) {
                best = arm;
            }
        }
        Some(best.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::tests::check;

    #[test]
    fn value_then_visits_then_order() {
        let any = BestValue::default();
        check(&any, &[(50, 0.4), (3, 0.6), (5, 0.6), (5, 0.6), (0, 0.9)], Some(2));
        // Points as well as win rates, all of them lost.
        check(&any, &[(50, -4.5), (10_000_000, -60.0), (3, -3.5)], Some(2));
        check(&any, &[(0, 0.5), (0, 0.5)], Some(0));
        check(&any, &[], None);
    }

    #[test]
    fn rare_arms_do_not_count() {
        let often = BestValue { min_visits: 20 };
        check(&often, &[(50, 0.4), (19, 1.0), (20, 0.5), (0, 1.0)], Some(2));
        // None has enough: the most visited.
        check(&often, &[(5, 1.0), (19, 0.0), (7, 0.9)], Some(1));
    }
}
