//! Clocks in GTP's words: which command tells an engine the time system, what `time_left` says then, and how
//! long to wait for an answer at most.

use std::time::Duration;

use crate::clock::{Clock, TimeSystem};

/// How an engine was told its time system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeDialect {
    /// In a command that has a word for it.
    Exact,
    /// As the Canadian overtime of one stone that comes closest, in `time_settings`.
    Folded,
}

/// The commands that tell a time system, the best one first.
pub(super) fn settings(system: TimeSystem, knows: impl Fn(&str) -> bool) -> Vec<(String, TimeDialect)> {
    let mut ways = Vec::new();
    let mut offer = |command: &str, rest: String, dialect| {
        if knows(command) {
            ways.push((format!("{command} {rest}"), dialect));
        }
    };
    match system {
        // Overtime without stones means no limit.
        TimeSystem::Unlimited => offer("time_settings", "0 1 0".to_string(), TimeDialect::Exact),
        TimeSystem::Absolute { main } => {
            offer("time_settings", format!("{} 0 0", main.as_secs()), TimeDialect::Exact);
        }
        TimeSystem::Canadian { main, period, stones } => {
            let rest = format!("{} {} {stones}", main.as_secs(), whole(period));
            offer("time_settings", rest, TimeDialect::Exact);
        }
        TimeSystem::ByoYomi { main, period, periods } => {
            let rest = format!("byoyomi {} {} {periods}", main.as_secs(), whole(period));
            offer("kgs-time_settings", rest, TimeDialect::Exact);
            // All periods but the last are main time to an engine that knows only one.
            let main = main + period * periods.saturating_sub(1);
            offer("time_settings", format!("{} {} 1", main.as_secs(), whole(period)), TimeDialect::Folded);
        }
        TimeSystem::Fischer { main, increment, cap } => {
            let (start, step) = (main.as_secs_f64(), increment.as_secs_f64());
            let rest = match cap {
                Some(cap) => format!("fischer-capped {start} {step} {} -1", cap.as_secs_f64()),
                None => format!("fischer {start} {step}"),
            };
            offer("kata-time_settings", rest, TimeDialect::Exact);
            let main = main.saturating_sub(increment);
            offer("time_settings", format!("{} {} 1", main.as_secs(), whole(increment)), TimeDialect::Folded);
        }
    }
    ways
}

/// The numbers of `time_left`: whole seconds, and stones (or periods) left; `None` without a clock.
pub(super) fn left(clock: &Clock, dialect: TimeDialect) -> Option<(u64, u32)> {
    let (left, overtime) = (clock.left(), clock.overtime());
    let (left, stones) = match (clock.system(), dialect) {
        (TimeSystem::Unlimited, _) => return None,
        (TimeSystem::ByoYomi { period, periods, .. }, TimeDialect::Folded) => match overtime {
            0 => (left + period * periods.saturating_sub(1), 0),
            1 => (left, 1),
            more => (left + period * (more - 2), 0),
        },
        (TimeSystem::Fischer { increment, .. }, TimeDialect::Folded) => match left.checked_sub(increment) {
            Some(main) if !main.is_zero() => (main, 0),
            _ => (left, 1),
        },
        _ => (left, overtime),
    };
    Some((left.as_secs(), stones))
}

/// The longest that a move can take without losing on time; `None` without a clock.
pub(super) fn reach(clock: &Clock) -> Option<Duration> {
    let left = clock.left();
    match clock.system() {
        TimeSystem::Unlimited => None,
        TimeSystem::Canadian { period, .. } if clock.overtime() == 0 => Some(left.saturating_add(period)),
        TimeSystem::ByoYomi { period, periods, .. } => {
            let n_more = if clock.overtime() == 0 { periods } else { clock.overtime() - 1 };
            Some(left.saturating_add(period * n_more))
        }
        _ => Some(left),
    }
}

/// Whole seconds of a period; a period of none would mean no overtime.
fn whole(period: Duration) -> u64 {
    period.as_secs().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn best(system: TimeSystem, known: &[&str]) -> Option<String> {
        settings(system, |command| known.contains(&command)).into_iter().next().map(|(command, _)| command)
    }

    #[test]
    fn each_system_has_its_command() {
        let all = ["time_settings", "kgs-time_settings", "kata-time_settings"];
        let plain = ["time_settings"];
        let byo_yomi = TimeSystem::ByoYomi { main: s(600), period: s(30), periods: 5 };
        let fischer = TimeSystem::Fischer { main: s(120), increment: s(10), cap: None };
        let text = |system, known: &[&str]| best(system, known).unwrap();
        assert_eq!(text(TimeSystem::Absolute { main: s(30) }, &all), "time_settings 30 0 0");
        assert_eq!(text(TimeSystem::Unlimited, &plain), "time_settings 0 1 0");
        assert_eq!(text(byo_yomi, &all), "kgs-time_settings byoyomi 600 30 5");
        assert_eq!(text(byo_yomi, &plain), "time_settings 720 30 1");
        assert_eq!(text(fischer, &all), "kata-time_settings fischer 120 10");
        assert_eq!(text(fischer, &plain), "time_settings 110 10 1");
        assert_eq!(best(fischer, &[]), None);
    }

    #[test]
    fn folded_overtime_is_told_as_main_time_until_the_last_period() {
        let mut clock = Clock::new(TimeSystem::ByoYomi { main: s(60), period: s(30), periods: 3 });
        assert_eq!(left(&clock, TimeDialect::Exact), Some((60, 0)));
        assert_eq!(left(&clock, TimeDialect::Folded), Some((120, 0)));
        assert_eq!(reach(&clock), Some(s(150)));
        clock.set_left(30.0, 2);
        assert_eq!(left(&clock, TimeDialect::Folded), Some((30, 0)));
        assert_eq!(reach(&clock), Some(s(60)));
        clock.set_left(30.0, 1);
        assert_eq!(left(&clock, TimeDialect::Folded), Some((30, 1)));
        assert_eq!(reach(&clock), Some(s(30)));
        let fischer = Clock::new(TimeSystem::Fischer { main: s(20), increment: s(20), cap: None });
        assert_eq!(left(&fischer, TimeDialect::Folded), Some((20, 1)));
    }
}
