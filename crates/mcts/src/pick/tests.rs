//! Reports drawn by their arms, for the tests of the picks.

use super::Pick;
use crate::game::Action;
use crate::report::{Arm, Report};
use goban::Rng;

/// A report whose arms have these visits and values; the action is the arm's place.
pub(super) fn report(arms: &[(u32, f32)]) -> Report {
    let arm = |(idx, &(visits, value)): (usize, &(u32, f32))| Arm {
        action: Action(idx as u16),
        visits,
        value,
        ..Arm::default()
    };
    Report { arms: arms.iter().enumerate().map(arm).collect(), ..Report::default() }
}

/// Fails unless the arm at this place is picked, or none from an empty table.
#[track_caller]
pub(super) fn check(pick: &dyn Pick, arms: &[(u32, f32)], expected: Option<u16>) {
    assert_eq!(pick.pick(&report(arms), &mut Rng::new(1)), expected.map(Action), "{arms:?}");
}

/// How often each arm is picked in 10 000 draws.
pub(super) fn frequencies(pick: &dyn Pick, arms: &[(u32, f32)]) -> Vec<u32> {
    let (report, mut rng) = (report(arms), Rng::new(7));
    let mut counts = vec![0; arms.len()];
    for _ in 0..10_000 {
        counts[pick.pick(&report, &mut rng).unwrap().idx()] += 1;
    }
    counts
}
