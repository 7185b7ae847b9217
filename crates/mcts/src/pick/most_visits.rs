//! The arm with the most visits. [You 3.1]

use super::Pick;
use crate::game::Action;
use crate::report::{Arm, Report};
use goban::Rng;

recipe::params! {
    /// The arm with the most real visits; of equal ones the better value, then the earlier.
    pub struct MostVisits as "most-visits" {}
}

/// Builds the pick.
pub fn build(params: &MostVisits) -> Result<Box<dyn Pick>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Pick for MostVisits {
    fn pick(&self, report: &Report, _rng: &mut Rng) -> Option<Action> {
        most_visited(&report.arms).map(|arm| arm.action)
    }
}

/// The arm with the most visits; of equal ones the better value, then the earlier.
pub(super) fn most_visited(arms: &[Arm]) -> Option<&Arm> {
    let mut best = arms.first()?;
    for arm in &arms[1..] {
        if arm.visits > best.visits || (arm.visits == best.visits && arm.value > best.value) {
            best = arm;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::tests::check;

    #[test]
    fn visits_then_value_then_order() {
        check(&MostVisits {}, &[(3, 0.9), (5, 0.1), (5, 0.2), (5, 0.2)], Some(2));
        check(&MostVisits {}, &[], None);
    }
}
