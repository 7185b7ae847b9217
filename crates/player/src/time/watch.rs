//! Thinking in slices: after each one the watch looks at the two most visited arms.
//!
//! A choice cannot change any more if the lead of the most visited arm over the second is larger than the number of
//! simulations that can still be made until the end at the speed measured so far; it is then made at once, though never
//! before half of the target (for recipes that do not pick the most visited arm this is a good guess, no more).
//! A choice is unclear if another arm has the better value or nearly as many visits; it may take the maximum.

use std::time::Duration;

use super::TimePlan;
use mcts::Report;

/// A slice is this part of the target.
const N_SLICES: u32 = 20;
/// The shortest slice: looking at the tree costs something, too.
const MIN_SLICE: Duration = Duration::from_millis(5);
/// The second arm is nearly equal if it has this share of the visits of the first.
const NEARLY: f64 = 0.85;
/// Arms with fewer visits than this share of the most are no rivals, whatever their value.
const RIVAL: f64 = 0.1;

/// How the search stands after a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStanding {
    /// Arms that may be chosen.
    pub n_choices: usize,
    /// Visits of the most visited arm.
    pub first: u64,
    /// Visits of the second.
    pub second: u64,
    /// New simulations for this move.
    pub n_simulations: u64,
    /// Whether more time could bring another choice.
    pub is_unclear: bool,
}

impl SearchStanding {
    /// The standing that a report shows, after `n_simulations` for this move.
    pub fn new(report: &Report, n_simulations: u64) -> Self {
        let mut standing = Self { n_choices: report.arms.len(), n_simulations, ..Self::default() };
        let mut value_of_first = 0.0;
        for arm in &report.arms {
            let visits = u64::from(arm.visits);
            if visits > standing.first {
                (standing.first, standing.second) = (visits, standing.first);
                value_of_first = arm.value;
            } else {
                standing.second = standing.second.max(visits);
            }
        }
        let least = RIVAL * standing.first as f64;
        let has_rival =
            report.arms.iter().any(|arm| f64::from(arm.visits) >= least && arm.value > value_of_first);
        standing.is_unclear = has_rival || standing.second as f64 >= NEARLY * standing.first as f64;
        standing
    }
}

/// Decides about each slice. All times are counted from the moment the move was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    plan: TimePlan,
    /// When the search began.
    start: Duration,
}

impl Watch {
    /// A watch over a search that begins now.
    pub fn new(plan: TimePlan, now: Duration) -> Self {
        Self { plan, start: now }
    }

    /// Until when to search before looking again; `None` when the move is to be made. `standing` is unknown before the
    /// first slice, which is always run.
    pub fn next(&self, now: Duration, standing: Option<&SearchStanding>) -> Option<Duration> {
        let TimePlan { target, maximum, saves } = self.plan;
        if let Some(standing) = standing {
            if now >= maximum || standing.n_choices <= 1 {
                return None;
            }
            let end = if standing.is_unclear { maximum } else { target };
            if saves && (now >= end || now >= target / 2 && self.is_decided(now, end, standing)) {
                return None;
            }
        }
        if !saves {
            return Some(maximum);
        }
        Some((now + (target / N_SLICES).max(MIN_SLICE)).min(maximum))
    }

    /// Whether the second arm cannot overtake the first until `end`.
    fn is_decided(&self, now: Duration, end: Duration, standing: &SearchStanding) -> bool {
        let searched = now.saturating_sub(self.start).as_secs_f64();
        let speed = standing.n_simulations as f64 / searched.max(1e-6);
        let to_come = speed * end.saturating_sub(now).as_secs_f64();
        (standing.first - standing.second) as f64 > to_come
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcts::report::Arm;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    const PLAN: TimePlan = TimePlan { target: ms(1000), maximum: ms(2500), saves: true };

    fn report(arms: &[(u32, f32)]) -> Report {
        let arm = |&(visits, value): &(u32, f32)| Arm { visits, value, ..Arm::default() };
        Report { arms: arms.iter().map(arm).collect(), ..Report::default() }
    }

    #[test]
    fn standings_name_the_two_first_and_what_is_unclear() {
        let standing = SearchStanding::new(&report(&[(10, 0.4), (100, 0.5), (60, 0.45), (2, 0.9)]), 150);
        let clear =
            SearchStanding { n_choices: 4, first: 100, second: 60, n_simulations: 150, is_unclear: false };
        assert_eq!(standing, clear, "two visits make no rival");
        assert!(SearchStanding::new(&report(&[(100, 0.5), (10, 0.51)]), 0).is_unclear, "a better value");
        assert!(
            SearchStanding::new(&report(&[(100, 0.5), (85, 0.4)]), 0).is_unclear,
            "nearly as many visits"
        );
        assert!(!SearchStanding::new(&report(&[(100, 0.5)]), 0).is_unclear);
        assert_eq!(SearchStanding::new(&report(&[]), 0).n_choices, 0);
    }

    #[test]
    fn a_decided_choice_is_made_before_the_target_and_not_before_its_half() {
        let watch = Watch::new(PLAN, ms(0));
        // 1000 simulations in 600 ms: 667 more until the target.
        let standing = |first| SearchStanding {
            n_choices: 5,
            first,
            second: 100,
            n_simulations: 1000,
            is_unclear: false,
        };
        assert_eq!(watch.next(ms(600), Some(&standing(770))), None);
        assert_eq!(watch.next(ms(600), Some(&standing(760))), Some(ms(650)));
        assert_eq!(watch.next(ms(400), Some(&standing(100_000))), Some(ms(450)), "not yet");
        assert_eq!(watch.next(ms(1000), Some(&standing(110))), None, "the target");
    }

    #[test]
    fn an_unclear_choice_may_take_the_maximum() {
        let watch = Watch::new(PLAN, ms(0));
        let unclear =
            SearchStanding { n_choices: 5, first: 500, second: 499, n_simulations: 1000, is_unclear: true };
        assert_eq!(watch.next(ms(1000), Some(&unclear)), Some(ms(1050)));
        assert_eq!(watch.next(ms(2480), Some(&unclear)), Some(ms(2500)));
        assert_eq!(watch.next(ms(2500), Some(&unclear)), None);
        // 500 simulations in 2000 ms: 125 until the maximum, and the lead is 200.
        let hopeless =
            SearchStanding { n_choices: 5, first: 300, second: 100, n_simulations: 500, is_unclear: true };
        assert_eq!(watch.next(ms(2000), Some(&hopeless)), None);
    }

    #[test]
    fn a_single_choice_needs_no_time() {
        let alone = SearchStanding { n_choices: 1, first: 1, n_simulations: 1, ..SearchStanding::default() };
        assert_eq!(Watch::new(PLAN, ms(0)).next(ms(50), Some(&alone)), None);
        assert_eq!(Watch::new(TimePlan::fixed(ms(900)), ms(0)).next(ms(50), Some(&alone)), None);
    }

    #[test]
    fn time_that_nobody_gets_back_is_spent_in_one_piece() {
        let watch = Watch::new(TimePlan::fixed(ms(900)), ms(3));
        assert_eq!(watch.next(ms(3), None), Some(ms(900)));
        let decided =
            SearchStanding { n_choices: 5, first: 1000, n_simulations: 1000, ..SearchStanding::default() };
        assert_eq!(watch.next(ms(700), Some(&decided)), Some(ms(900)));
        assert_eq!(watch.next(ms(900), Some(&decided)), None);
    }

    #[test]
    fn slices_are_a_twentieth_and_at_least_five_milliseconds() {
        assert_eq!(Watch::new(PLAN, ms(0)).next(ms(0), None), Some(ms(50)));
        let short = TimePlan { target: ms(20), maximum: ms(22), saves: true };
        assert_eq!(Watch::new(short, ms(0)).next(ms(0), None), Some(ms(5)));
        let none = TimePlan { target: ms(0), maximum: ms(0), saves: true };
        assert_eq!(Watch::new(none, ms(1)).next(ms(1), None), Some(ms(0)), "one simulation and no more");
    }
}
