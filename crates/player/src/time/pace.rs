//! How much of its plans a player really spends: targets are divided by it, so that what early stops save is spent on
//! later moves instead of being left on the clock at the end.

use std::time::Duration;

use super::TimePlan;

/// The mean of time spent over target, the last moves counting most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    mean: f64,
}

/// The part of the last move in the mean.
const NEWEST: f64 = 0.2;
/// Nobody who stops early has spent less than half of the target; see `watch`.
const LEAST: f64 = 0.5;
/// Who is always stretched spends about so much.
const MOST: f64 = 2.0;

impl Default for Pace {
    fn default() -> Self {
        Self { mean: 1.0 }
    }
}

impl Pace {
    /// What to divide a target by.
    pub fn get(&self) -> f64 {
        self.mean
    }

    /// Takes note of a move. One that had to be made, or whose time nobody gets back, says nothing.
    pub fn note(&mut self, plan: &TimePlan, spent: Duration) {
        if !plan.saves || plan.target.is_zero() {
            return;
        }
        let share = spent.as_secs_f64() / plan.target.as_secs_f64();
        self.mean += NEWEST * (share.clamp(LEAST, MOST) - self.mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_spent_moves_pull_the_pace_to_a_half() {
        let second = Duration::from_secs(1);
        let plan = TimePlan { target: second, maximum: second * 2, saves: true };
        let mut pace = Pace::default();
        pace.note(&plan, second / 2);
        // 1 + 0.2 · (0.5 − 1)
        assert!((pace.get() - 0.9).abs() < 1e-12);
        for _ in 0..100 {
            pace.note(&plan, second / 10);
        }
        assert!((pace.get() - 0.5).abs() < 1e-6, "and no further");
        let before = pace;
        pace.note(&TimePlan::fixed(second), second);
        pace.note(&TimePlan { target: Duration::ZERO, ..plan }, second);
        assert_eq!(pace, before);
    }
}
