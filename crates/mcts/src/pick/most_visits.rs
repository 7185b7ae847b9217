//! The arm with the most visits. [You 3.1]

use super::Pick;
use crate::game::Action;
use crate::search::report::Report;
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
        let mut best = report.arms.first()?;
        for arm in &report.arms[1..] {
            if arm.visits > best.visits || (arm.visits == best.visits && arm.value > best.value) {
                best = arm;
            }
        }
        Some(best.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::report::Arm;

    #[test]
    fn visits_then_value_then_order() {
        let report = |arms: &[(u32, f32)]| Report {
            arms: arms
                .iter()
                .enumerate()
                .map(|(idx, &(visits, value))| Arm {
                    action: Action(idx as u16),
                    visits,
                    value,
                    ..Arm::default()
                })
                .collect(),
            ..Report::default()
        };
        let pick = |arms: &[(u32, f32)]| MostVisits {}.pick(&report(arms), &mut Rng::new(1));
        assert_eq!(pick(&[(3, 0.9), (5, 0.1), (5, 0.2), (5, 0.2)]), Some(Action(2)));
        assert_eq!(pick(&[]), None);
    }
}
