//! The clocks of a game. Time is counted by the server; the page only shows it.

use std::time::{Duration, Instant};

use goban::{Color, Position};
use player::clock::seconds;
use player::time::{Course, TimePlan};
use player::{Clock, TimeSystem};

use crate::protocol::ask::ClockTerms;
use crate::protocol::tell::{ClockView, Num};
use crate::protocol::{Answer, Refusal};

/// A day, which nobody thinks longer than.
const MAX_SECONDS: f64 = 86_400.0;

/// Both clocks, of which one may run.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    pub(super) terms: ClockTerms,
    pub(super) clocks: [Clock; 2],
    /// When the running one was started; none while they stand.
    since: Option<Instant>,
}

impl Clocks {
    /// Clocks at the start of a game; Black's runs.
    pub(super) fn new(terms: ClockTerms) -> Answer<Self> {
        let is_time = |x: f64| (0.0..=MAX_SECONDS).contains(&x);
        if !is_time(terms.main) || !is_time(terms.period) || terms.periods > 100 {
            return Err(Refusal::invalid(
                "clock: expected 0 to 86400 seconds of main time and of each period, and at most 100 periods",
            ));
        }
        let (main, period) = (seconds(terms.main), seconds(terms.period));
        let has_overtime = terms.periods > 0 && !period.is_zero();
        if main.is_zero() && !has_overtime {
            return Err(Refusal::invalid("clock: expected some main time or overtime"));
        }
        let system = match has_overtime {
            true => TimeSystem::ByoYomi { main, period, periods: terms.periods },
            false => TimeSystem::Absolute { main },
        };
        Ok(Self { terms, clocks: [Clock::new(system); 2], since: Some(Instant::now()) })
    }

    /// Sets what is left, as it was kept: seconds and periods of Black and White.
    pub(super) fn restore(&mut self, left: [(f64, u32); 2]) {
        for (clock, (left, overtime)) in self.clocks.iter_mut().zip(left) {
            clock.set_left(left, overtime);
        }
    }

    fn spent(&self) -> Duration {
        self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// A move was made; false if it was too late. The other clock runs now.
    pub(super) fn press(&mut self, color: Color) -> bool {
        let spent = self.spent();
        self.since = Some(Instant::now());
        self.clocks[color.idx()].spend(spent)
    }

    /// Whether this colour's time is over.
    pub(super) fn is_over(&self, color: Color) -> bool {
        let mut clock = self.clocks[color.idx()];
        !clock.spend(self.spent())
    }

    /// Nothing is left to this colour.
    pub(super) fn run_out(&mut self, color: Color) {
        self.clocks[color.idx()].set_left(0.0, 0);
    }

    pub(super) fn start(&mut self) {
        self.since = Some(Instant::now());
    }

    pub(super) fn stop(&mut self) {
        self.since = None;
    }

    /// What a move may take of the clock of whoever is to move.
    pub(super) fn plan(&self, position: &Position) -> Option<Duration> {
        let course = Course { area: position.size().area(), n_plies: position.plays().len() };
        TimePlan::new(&self.clocks[position.to_play().idx()], &course, 1.0).map(|plan| plan.target)
    }

    /// What is left as the page is told, with `running` to move.
    pub(super) fn view(&self, running: Option<Color>) -> ClockView {
        let mut clocks = self.clocks;
        let running = running.filter(|_| self.since.is_some());
        if let Some(color) = running {
            let clock = &mut clocks[color.idx()];
            // The page shows how much is left now; what a move makes of a period is seen afterwards.
            let left = clock.left().saturating_sub(self.spent());
            if clock.overtime() == 0 || !left.is_zero() {
                clock.set_left(left.as_secs_f64(), clock.overtime());
            }
        }
        ClockView {
            terms: self.terms,
            left: clocks.map(|clock| Num(clock.left().as_secs_f32())),
            overtime: clocks.map(|clock| clock.overtime()),
            running: running.map(Into::into),
        }
    }
}
