//! Clocks: every time system that clients and servers use.

use std::time::Duration;

/// How time is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TimeSystem {
    /// No clock.
    #[default]
    Unlimited,
    /// All moves in `main`.
    Absolute {
        /// Time for the whole game.
        main: Duration,
    },
    /// After `main`, `stones` moves in each `period`.
    Canadian {
        /// Time before overtime.
        main: Duration,
        /// Time for a set of stones.
        period: Duration,
        /// Stones to be played in it, at least 1.
        stones: u32,
    },
    /// After `main`, each move in `period`; a period overstepped is lost, `periods` of them may be.
    ByoYomi {
        /// Time before overtime.
        main: Duration,
        /// Time for a move.
        period: Duration,
        /// How many periods there are, at least 1.
        periods: u32,
    },
    /// `increment` is added after every move, up to `cap` in all.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Time gained by a move.
        increment: Duration,
        /// The most that can be had.
        cap: Option<Duration>,
    },
}

impl TimeSystem {
    /// The time system of GTP's `time_settings`: no stones and some overtime means no limit, no overtime means
    /// sudden death, else Canadian.
    pub fn from_gtp(main: f64, byo_yomi: f64, stones: u32) -> Self {
        let main = seconds(main);
        let period = seconds(byo_yomi);
        match (period.is_zero(), stones) {
            (true, _) => Self::Absolute { main },
            (false, 0) => Self::Unlimited,
            (false, stones) => Self::Canadian { main, period, stones },
        }
    }
}

/// A duration of a number of seconds; what is no time counts as none.
pub fn seconds(s: f64) -> Duration {
    if s > 0.0 { Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX) } else { Duration::ZERO }
}

/// One player's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    system: TimeSystem,
    /// Time left: of the main time, or of the period once the main time is used up.
    left: Duration,
    /// In overtime: stones still to play in this period (Canadian) or periods left (byo-yomi). 0 in main time.
    overtime: u32,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(system: TimeSystem) -> Self {
        let mut clock = Self { system, left: Duration::ZERO, overtime: 0 };
        clock.left = match system {
            TimeSystem::Unlimited => Duration::MAX,
            TimeSystem::Absolute { main }
            | TimeSystem::Canadian { main, .. }
            | TimeSystem::ByoYomi { main, .. }
            | TimeSystem::Fischer { main, .. } => main,
        };
        if clock.left.is_zero() {
            clock.enter_overtime();
        }
        clock
    }

    /// How time is counted.
    pub fn system(&self) -> TimeSystem {
        self.system
    }

    /// Time left in the main time or the present period.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Stones left to play (Canadian) or periods left (byo-yomi) in overtime; 0 in main time.
    pub fn overtime(&self) -> u32 {
        self.overtime
    }

    /// The share of the main time that is used, 0..=1, after `spent` on all moves; `None` where there is no main time. For
    /// Fischer's clock the increments count as main time.
    pub fn main_used(&self, spent: Duration) -> Option<f64> {
        let left = self.left.as_secs_f64();
        let main = match self.system {
            TimeSystem::Unlimited => return None,
            TimeSystem::Fischer { .. } => spent.as_secs_f64() + left,
            TimeSystem::Absolute { main }
            | TimeSystem::Canadian { main, .. }
            | TimeSystem::ByoYomi { main, .. } => main.as_secs_f64(),
        };
        let left = if self.overtime > 0 { 0.0 } else { left };
        (main > 0.0).then(|| (1.0 - left / main).clamp(0.0, 1.0))
    }

    /// What GTP's `time_left` says: `overtime` is 0 in main time, else stones left, or periods left in byo-yomi.
    pub fn set_left(&mut self, left: f64, overtime: u32) {
        self.left = seconds(left);
        self.overtime = overtime;
    }

    /// Takes the time of one move off; false if that was too much.
    pub fn spend(&mut self, spent: Duration) -> bool {
        match self.system {
            TimeSystem::Unlimited => true,
            TimeSystem::Absolute { .. } => {
                let kept = spent <= self.left;
                self.left = self.left.saturating_sub(spent);
                kept
            }
            TimeSystem::Fischer { increment, cap, .. } => {
                let kept = spent <= self.left;
                self.left = self.left.saturating_sub(spent).saturating_add(increment);
                self.left = cap.map_or(self.left, |cap| self.left.min(cap));
                kept
            }
            TimeSystem::Canadian { period, stones, .. } => self.spend_canadian(spent, period, stones),
            TimeSystem::ByoYomi { period, .. } => self.spend_byo_yomi(spent, period),
        }
    }

    fn enter_overtime(&mut self) {
        match self.system {
            TimeSystem::Canadian { period, stones, .. } => (self.left, self.overtime) = (period, stones),
            TimeSystem::ByoYomi { period, periods, .. } => (self.left, self.overtime) = (period, periods),
            TimeSystem::Unlimited | TimeSystem::Absolute { .. } | TimeSystem::Fischer { .. } => {}
        }
    }

    /// Takes time off the main time; what goes beyond it is left for the overtime, which then begins.
    fn spend_main(&mut self, spent: Duration) -> Option<Duration> {
        if self.overtime > 0 {
            return Some(spent);
        }
        if spent < self.left {
            self.left -= spent;
            return None;
        }
        let beyond = spent - self.left;
        self.enter_overtime();
        Some(beyond)
    }

    fn spend_canadian(&mut self, spent: Duration, period: Duration, stones: u32) -> bool {
        let Some(spent) = self.spend_main(spent) else { return true };
        if spent > self.left {
            self.left = Duration::ZERO;
            return false;
        }
        self.left -= spent;
        self.overtime -= 1;
        if self.overtime == 0 {
            (self.left, self.overtime) = (period, stones);
        }
        true
    }

    fn spend_byo_yomi(&mut self, spent: Duration, period: Duration) -> bool {
        let Some(mut spent) = self.spend_main(spent) else { return true };
        while spent > period {
            if self.overtime <= 1 {
                self.left = Duration::ZERO;
                return false;
            }
            spent -= period;
            self.overtime -= 1;
        }
        // A move within the period leaves it whole.
        self.left = period;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn gtp_settings_name_the_system() {
        assert_eq!(TimeSystem::from_gtp(60.0, 0.0, 0), TimeSystem::Absolute { main: s(60) });
        assert_eq!(TimeSystem::from_gtp(0.0, 1.0, 0), TimeSystem::Unlimited);
        assert_eq!(
            TimeSystem::from_gtp(300.0, 60.0, 10),
            TimeSystem::Canadian { main: s(300), period: s(60), stones: 10 }
        );
    }

    #[test]
    fn sudden_death_ends_at_the_last_second() {
        let mut clock = Clock::new(TimeSystem::Absolute { main: s(10) });
        assert!(clock.spend(s(4)) && clock.spend(s(6)));
        assert!(!clock.spend(Duration::from_millis(1)));
    }

    #[test]
    fn canadian_overtime_starts_again_after_its_stones() {
        let mut clock = Clock::new(TimeSystem::Canadian { main: s(10), period: s(20), stones: 2 });
        assert!(clock.spend(s(15)), "five seconds of overtime");
        assert_eq!((clock.left(), clock.overtime()), (s(15), 1));
        assert!(clock.spend(s(15)));
        assert_eq!((clock.left(), clock.overtime()), (s(20), 2));
        assert!(!clock.spend(s(21)));
    }

    #[test]
    fn byo_yomi_periods_are_lost_one_by_one() {
        let mut clock = Clock::new(TimeSystem::ByoYomi { main: s(0), period: s(10), periods: 3 });
        assert!(clock.spend(s(10)));
        assert_eq!(clock.overtime(), 3);
        assert!(clock.spend(s(25)));
        assert_eq!((clock.left(), clock.overtime()), (s(10), 1));
        assert!(!clock.spend(s(11)));
    }

    #[test]
    fn fischer_adds_up_to_its_cap() {
        let mut clock = Clock::new(TimeSystem::Fischer { main: s(20), increment: s(5), cap: Some(s(22)) });
        assert!(clock.spend(s(1)));
        assert_eq!(clock.left(), s(22));
        assert!(!clock.spend(s(23)));
    }

    #[test]
    fn main_time_is_used_up_to_overtime() {
        let mut clock = Clock::new(TimeSystem::ByoYomi { main: s(20), period: s(10), periods: 3 });
        assert!(clock.spend(s(15)));
        assert_eq!(clock.main_used(s(15)), Some(0.75));
        assert!(clock.spend(s(8)));
        assert_eq!(clock.main_used(s(23)), Some(1.0));
        let mut fischer = Clock::new(TimeSystem::Fischer { main: s(20), increment: s(5), cap: None });
        assert!(fischer.spend(s(10)));
        assert_eq!(fischer.main_used(s(10)), Some(0.4), "10 of 25 seconds");
        let overtime_only = TimeSystem::Canadian { main: s(0), period: s(10), stones: 3 };
        assert_eq!(Clock::new(overtime_only).main_used(s(0)), None);
        assert_eq!(Clock::new(TimeSystem::Unlimited).main_used(s(3)), None);
    }
}
