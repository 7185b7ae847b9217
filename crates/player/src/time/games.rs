//! Whole games with a simulated clock, a simulated search and a machine that stalls: nobody loses on time, and the main
//! time is used.

use std::time::Duration;

use goban::Rng;

use super::{Course, Pace, SearchStanding, TimePlan, Watch};
use crate::clock::{Clock, TimeSystem};

/// How the simulated positions are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    /// The first move of the search is the best, and everybody sees it.
    Decided,
    /// Two moves are equal to the end.
    Close,
    /// Now this, now that.
    Mixed,
}

const SPEED: f64 = 20_000.0;

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// The time that one simulated move takes, and the plan for it.
fn think(clock: &Clock, course: &Course, style: Style, pace: &Pace, rng: &mut Rng) -> (Duration, TimePlan) {
    let plan = TimePlan::new(clock, course, pace.get()).unwrap();
    let shares = match style {
        Style::Decided => (0.9, 0.02),
        Style::Close => (0.4, 0.39),
        Style::Mixed => [(0.9, 0.02), (0.4, 0.39), (0.5, 0.3), (0.6, 0.1)][rng.below(4) as usize],
    };
    let mut now = ms(1);
    let watch = Watch::new(plan, now);
    let mut standing = None;
    while let Some(until) = watch.next(now, standing.as_ref()) {
        // One stall of 50 to 100 ms for every second of thinking.
        let slice = until.saturating_sub(now);
        if f64::from(rng.below(1000)) < slice.as_secs_f64() * 1000.0 {
            now += ms(50 + u64::from(rng.below(50)));
        }
        now = now.max(until) + Duration::from_micros(100);
        let n_simulations = (SPEED * (now - ms(1)).as_secs_f64()) as u64;
        let visits = |share: f64| (share * n_simulations as f64) as u64;
        let (first, second) = (visits(shares.0), visits(shares.1));
        let is_unclear = shares.1 > 0.85 * shares.0;
        standing = Some(SearchStanding { n_choices: 40, first, second, n_simulations, is_unclear });
    }
    (now, plan)
}

/// A game of `n_plies` plies; returns the share of all time there was that is used at ply 60, or at its end.
fn play(system: TimeSystem, style: Style, area: usize, n_plies: usize, seed: u64) -> f64 {
    let (mut clock, mut pace, mut rng) = (Clock::new(system), Pace::default(), Rng::new(seed));
    let (mut spent, mut used) = (0.0, 0.0);
    for ply in (0..n_plies).step_by(2) {
        let course = Course { area, n_plies: ply };
        let (time, plan) = think(&clock, &course, style, &pace, &mut rng);
        pace.note(&plan, time);
        let before = clock;
        assert!(
            clock.spend(time + ms(1)),
            "{system:?} {style:?} seed {seed}: lost at ply {ply}: {time:?} of {before:?}, {plan:?}"
        );
        spent += time.as_secs_f64();
        if ply + 2 <= 60 {
            used = match system {
                TimeSystem::Fischer { .. } => spent / (spent + clock.left().as_secs_f64()),
                TimeSystem::Absolute { main } => 1.0 - clock.left().as_secs_f64() / main.as_secs_f64(),
                _ if clock.overtime() > 0 => 1.0,
                TimeSystem::Canadian { main, .. } | TimeSystem::ByoYomi { main, .. } => {
                    1.0 - clock.left().as_secs_f64() / main.as_secs_f64()
                }
                TimeSystem::Unlimited => 0.0,
            };
        }
    }
    used
}

const fn s(n: u64) -> Duration {
    Duration::from_secs(n)
}

const SYSTEMS: [TimeSystem; 12] = [
    TimeSystem::Absolute { main: s(3) },
    TimeSystem::Absolute { main: s(10) },
    TimeSystem::Absolute { main: s(300) },
    TimeSystem::Canadian { main: s(20), period: s(10), stones: 5 },
    TimeSystem::Canadian { main: s(0), period: s(3), stones: 25 },
    TimeSystem::Canadian { main: s(300), period: s(1), stones: 1 },
    TimeSystem::ByoYomi { main: s(0), period: s(2), periods: 3 },
    TimeSystem::ByoYomi { main: s(30), period: s(1), periods: 1 },
    TimeSystem::ByoYomi { main: s(10), period: s(2), periods: 3 },
    TimeSystem::Fischer { main: s(10), increment: s(1), cap: None },
    TimeSystem::Fischer { main: s(2), increment: s(2), cap: Some(s(10)) },
    TimeSystem::Fischer { main: s(60), increment: ms(100), cap: None },
];

const STYLES: [Style; 3] = [Style::Decided, Style::Close, Style::Mixed];

#[test]
fn nobody_loses_on_time() {
    for system in SYSTEMS {
        for style in STYLES {
            for seed in 0..5 {
                play(system, style, 81, 243, seed);
                if system != (TimeSystem::Absolute { main: s(3) }) {
                    play(system, style, 361, 500, seed);
                }
            }
        }
    }
}

#[test]
fn the_time_is_used_by_ply_sixty_of_a_small_board() {
    for system in SYSTEMS.into_iter().filter(|system| *system != TimeSystem::Absolute { main: s(3) }) {
        for style in STYLES {
            for seed in 0..5 {
                let used = play(system, style, 81, 60, seed);
                assert!(used >= 0.85, "{system:?} {style:?}: {used:.3}");
            }
        }
    }
    // Of three seconds more goes into lag and reserve.
    let used = play(TimeSystem::Absolute { main: s(3) }, Style::Mixed, 81, 60, 1);
    assert!(used >= 0.8, "{used:.3}");
}
