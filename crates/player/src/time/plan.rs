//! The time that a clock allows for one move.
//!
//! Of a time that must last for the rest of the game, a move gets the share 1 / (C + max(M − m, 0)), m own moves made,
//! C = points / 10 and M = points / 4: on 9×9 the first move gets 1/28, and after 20 moves each gets 1/8 of what is
//! left. So 92 % are spent by move 60 of both players, and there is always some left. Overtime is spent as it comes.

use std::time::Duration;

use crate::clock::{Clock, TimeSystem, seconds};

/// How long to think about one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePlan {
    /// The usual end.
    pub target: Duration,
    /// The end in any case, at least the target.
    pub maximum: Duration,
    /// Whether time that is not spent on this move can be spent on a later one.
    pub saves: bool,
}

/// Where the game stands, as far as time is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Points of the board.
    pub area: usize,
    /// Moves of both players so far.
    pub n_plies: usize,
}

/// Seconds that a move may lose on the way to whoever holds the clock, or to other work of the machine.
/// [`LAG_SHARE`] of what is left comes on top.
const LAG: f64 = 0.1;
/// See [`LAG`].
const LAG_SHARE: f64 = 0.02;
/// Seconds that a move takes without any thought.
const AT_ONCE: f64 = 0.003;
/// The largest share of the main time that is kept for such moves.
const RESERVE_SHARE: f64 = 0.08;
/// An unclear choice gets at most this many times its target.
const STRETCH: f64 = 2.5;
/// Of an increment or a share of overtime that comes with every move, this much is spent at once.
const INCOME_SHARE: f64 = 0.95;

impl Course {
    /// The number of moves by which the time left is divided.
    fn divisor(&self) -> f64 {
        let n_own = (self.n_plies / 2) as f64;
        let area = self.area as f64;
        (area / 10.0).max(6.0) + (area / 4.0 - n_own).max(0.0)
    }

    /// Own moves that may come at most: games are cut off after three moves a point.
    fn n_moves_at_most(&self) -> f64 {
        ((3 * self.area).saturating_sub(self.n_plies) as f64 / 2.0).max(10.0)
    }

    /// Seconds to keep for all moves to come, `income` of which each brings itself.
    fn reserve(&self, main: f64, income: f64) -> f64 {
        ((AT_ONCE - income).max(0.0) * self.n_moves_at_most()).min(RESERVE_SHARE * main)
    }
}

impl TimePlan {
    /// A plan of exactly this time.
    pub fn fixed(time: Duration) -> Self {
        Self { target: time, maximum: time, saves: false }
    }

    /// The plan for a move; `None` without a clock. `pace` is the share of its targets that the player spends on
    /// average: who often stops early plans for more.
    pub fn new(clock: &Clock, course: &Course, pace: f64) -> Option<Self> {
        let left = clock.left().as_secs_f64();
        let plan = match clock.system() {
            TimeSystem::Unlimited => return None,
            TimeSystem::Absolute { main } => absolute(left, main.as_secs_f64(), course, pace),
            TimeSystem::Fischer { main, increment, cap } => {
                let income = increment.as_secs_f64();
                // Without a main time the first increment stands in for it.
                let main = main.as_secs_f64().max(income);
                let lost_at = cap.map_or(f64::INFINITY, |cap| cap.as_secs_f64());
                fischer(left, main, income, lost_at, course, pace)
            }
            TimeSystem::Canadian { period, stones, .. } => {
                let income = INCOME_SHARE * period.as_secs_f64() / f64::from(stones.max(1));
                match clock.overtime() {
                    0 => main_time(left, income, course, pace),
                    n_stones => canadian(left, f64::from(n_stones), pace),
                }
            }
            TimeSystem::ByoYomi { period, periods, .. } => match clock.overtime() {
                0 => main_time(left, byo_yomi(period.as_secs_f64(), periods), course, pace),
                n_periods => {
                    let time = byo_yomi(left, n_periods);
                    (time, time, false)
                }
            },
        };
        let (target, maximum, saves) = plan;
        let maximum = maximum.max(0.0);
        Some(Self { target: seconds(target.min(maximum)), maximum: seconds(maximum), saves })
    }

    /// The plan without what goes beyond `limit`.
    #[must_use]
    pub fn at_most(self, limit: Duration) -> Self {
        Self { target: self.target.min(limit), maximum: self.maximum.min(limit), ..self }
    }
}

/// The time that can be spent safely where a move may take no longer than `limit`.
pub fn within(limit: Duration) -> Duration {
    seconds(safe(limit.as_secs_f64()))
}

/// The part of `left` seconds that can be spent safely.
fn safe(left: f64) -> f64 {
    (left * (1.0 - LAG_SHARE) - LAG).max(0.0)
}

/// All moves in the time that is left. Returns target, maximum, and whether time is saved, as all of these.
fn absolute(left: f64, main: f64, course: &Course, pace: f64) -> (f64, f64, bool) {
    let usable = (safe(left) - course.reserve(main, 0.0)).max(0.0);
    let target = usable / course.divisor() / pace;
    (target, (STRETCH * target).min(usable / 4.0), true)
}

/// The increment, and a share of what there is beyond it.
fn fischer(left: f64, main: f64, income: f64, cap: f64, course: &Course, pace: f64) -> (f64, f64, bool) {
    let usable = (safe(left) - course.reserve(main, income)).max(0.0);
    let beyond = (usable - income).max(0.0);
    let target = (INCOME_SHARE * income + beyond / course.divisor()) / pace;
    // What would not fit under the cap is lost.
    let target = target.max(left + income - cap);
    let most = (INCOME_SHARE * income + beyond / 4.0).min(0.9 * usable);
    (target, (STRETCH * target).min(most.max((left + income - cap).min(usable))), true)
}

/// A main time after which each move still has `income` seconds: spent twice as fast, and the move that ends it may
/// take the first income as well.
fn main_time(left: f64, income: f64, course: &Course, pace: f64) -> (f64, f64, bool) {
    let reach = (left * (1.0 - LAG_SHARE) + income).max(0.0);
    if left <= income {
        return (reach, reach, true);
    }
    let target = (2.0 * left / course.divisor()).max(income) / pace;
    (target, (STRETCH * target).min(left / 3.0 + income).min(reach), true)
}

/// A number of stones in the time that is left; after the last one what is left is lost.
fn canadian(left: f64, n_stones: f64, pace: f64) -> (f64, f64, bool) {
    let usable = (safe(left) - (n_stones - 1.0) * AT_ONCE).max(0.0);
    let maximum = usable * 2.0 / (n_stones + 1.0);
    let is_last = n_stones <= 1.0;
    (if is_last { usable } else { usable / n_stones / pace }, maximum, !is_last)
}

/// A period: all of it but the lag, twice that in the last one.
fn byo_yomi(left: f64, n_periods: u32) -> f64 {
    if n_periods > 1 { safe(left) } else { (safe(left) - LAG - LAG_SHARE * left).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: Course = Course { area: 81, n_plies: 0 };

    fn plan(system: TimeSystem, n_plies: usize, set: Option<(f64, u32)>) -> [f64; 2] {
        let mut clock = Clock::new(system);
        if let Some((left, overtime)) = set {
            clock.set_left(left, overtime);
        }
        let plan = TimePlan::new(&clock, &Course { n_plies, ..NINE }, 1.0).unwrap();
        assert!(plan.target <= plan.maximum);
        [plan.target, plan.maximum].map(|time| (time.as_secs_f64() * 1e4).round() / 1e4)
    }

    const fn s(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn sudden_death_by_hand() {
        let ten = TimeSystem::Absolute { main: s(10) };
        // 0.98 · 10 − 0.1 − 121.5 · 0.003 = 9.3355 usable, by 8.1 + 20.25 = 28.35.
        assert_eq!(plan(ten, 0, None), [0.3293, 0.8232]);
        // 0.98 · 3 − 0.1 − 91.5 · 0.003 = 2.5655, by 8.1; a quarter is less than 2.5 times that.
        assert_eq!(plan(ten, 60, Some((3.0, 0))), [0.3167, 0.6414]);
        // Nothing but the reserve is left: 0.98 · 0.2 − 0.1 − 61.5 · 0.003 < 0.
        assert_eq!(plan(ten, 120, Some((0.2, 0))), [0.0, 0.0]);
        assert_eq!(plan(ten, 900, Some((0.0, 0))), [0.0, 0.0]);
        // On 19×19 the first of 600 seconds' shares is 1 / (36.1 + 90.25).
        let clock = Clock::new(TimeSystem::Absolute { main: s(600) });
        let plan = TimePlan::new(&clock, &Course { area: 361, n_plies: 0 }, 1.0).unwrap();
        assert_eq!((plan.target.as_secs_f64() * 1e3).round(), 4640.0);
    }

    #[test]
    fn who_stops_early_plans_for_more() {
        let clock = Clock::new(TimeSystem::Absolute { main: s(10) });
        let at = |pace| TimePlan::new(&clock, &NINE, pace).unwrap().target.as_secs_f64();
        assert!((at(0.5) - 2.0 * at(1.0)).abs() < 1e-6);
    }

    #[test]
    fn overtime_by_hand() {
        let byo_yomi = TimeSystem::ByoYomi { main: s(0), period: s(2), periods: 3 };
        // 0.98 · 2 − 0.1; in the last period the lag of 0.14 counts twice.
        assert_eq!(plan(byo_yomi, 0, None), [1.86, 1.86]);
        assert_eq!(plan(byo_yomi, 0, Some((2.0, 1))), [1.72, 1.72]);
        // The last half second of main time goes with the first period.
        let after_main = TimeSystem::ByoYomi { main: s(20), period: s(2), periods: 3 };
        assert_eq!(plan(after_main, 0, Some((0.5, 0))), [2.35, 2.35]);
        // 2 · 100 / 28.35, or a third and a period at most.
        let long = TimeSystem::ByoYomi { main: s(100), period: s(2), periods: 3 };
        assert_eq!(plan(long, 0, None), [7.0547, 17.6367]);
        let canadian = TimeSystem::Canadian { main: s(0), period: s(20), stones: 4 };
        // 0.98 · 20 − 0.1 − 3 · 0.003 = 19.491, by 4 stones; 2/5 of it at most.
        assert_eq!(plan(canadian, 0, None), [4.8728, 7.7964]);
        assert_eq!(plan(canadian, 0, Some((5.0, 1))), [4.8, 4.8]);
    }

    #[test]
    fn increments_by_hand() {
        let fischer = TimeSystem::Fischer { main: s(20), increment: s(5), cap: None };
        // 0.98 · 20 − 0.1 = 19.5; 4.75 + 14.5 / 28.35, and 4.75 + 14.5 / 4 at most.
        assert_eq!(plan(fischer, 0, None), [5.2615, 8.375]);
        // With less than an increment left: nine tenths of 0.98 · 2 − 0.1.
        assert_eq!(plan(fischer, 0, Some((2.0, 0))), [1.674, 1.674]);
        // Under a cap that is reached already, the next increment would be lost.
        let capped = TimeSystem::Fischer { main: s(20), increment: s(10), cap: Some(s(20)) };
        let [target, _] = plan(capped, 60, None);
        assert!(target >= 10.0, "{target}");
    }

    #[test]
    fn no_clock_is_no_plan() {
        assert_eq!(TimePlan::new(&Clock::new(TimeSystem::Unlimited), &NINE, 1.0), None);
        let plan = TimePlan::fixed(s(3)).at_most(s(2));
        assert_eq!(plan, TimePlan { target: s(2), maximum: s(2), saves: false });
    }
}
