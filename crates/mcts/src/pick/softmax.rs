//! A random arm, better ones more likely. [Hsu 2018: the final move by a temperature]
//!
//! by=visits: p ∝ exp(ln n / t) = n^(1/t) over the arms' real visits. t = 1 draws in proportion to the visits, t → 0 the
//! most visited, t = 100 nearly any visited arm. by=value: p ∝ exp(K·Q) over the mixed values of the visited arms with
//! K = 1/t, so that the published K = 2, 5, 10, 20 are t = 0.5, 0.2, 0.1, 0.05; under reward=score Q, and so t, is in
//! points. An arm without visits is picked only if no arm has any. The exponents are taken relative to the largest, so
//! nothing overflows.

use super::Pick;
use super::best_value::BestValue;
use super::most_visits::most_visited;
use crate::game::Action;
use crate::math::{exp, ln};
use crate::report::{Arm, Report};
use goban::Rng;

recipe::words! {
    /// The number of each arm that the draw weighs.
    pub enum By {
        /// The real visits.
        Visits = "visits",
        /// The mixed value.
        Value = "value",
    }
}

recipe::params! {
    /// An arm at random, with probability ∝ n^(1/t) or exp(Q/t).
    pub struct Softmax as "softmax" {
        t: f32 = 1.0, 0.0..=100.0, "temperature; 0 draws nothing and takes the best";
        by: word(By) = By::Visits, "whether visits or values are weighed";
    }
}

/// Builds the pick.
pub fn build(params: &Softmax) -> Result<Box<dyn Pick>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Pick for Softmax {
    fn pick(&self, report: &Report, rng: &mut Rng) -> Option<Action> {
        let most = most_visited(&report.arms)?;
        if self.t == 0.0 || most.visits == 0 {
            return match self.by {
                By::Visits => Some(most.action),
                By::Value => BestValue::default().pick(report, rng),
            };
        }
        let visited = || report.arms.iter().filter(|arm| arm.visits > 0);
        let strongest = visited().map(|arm| self.strength(arm)).fold(f32::NEG_INFINITY, f32::max);
        let weight = |arm: &Arm| exp((self.strength(arm) - strongest) / self.t);
        let mut left = rng.unit() * visited().map(weight).sum::<f32>();
        for arm in visited() {
            left -= weight(arm);
            if left < 0.0 {
                return Some(arm.action);
            }
        }
        // Rounding left a crumb.
        Some(most.action)
    }
}

impl Softmax {
    /// The exponent at t = 1; the arm has visits.
    fn strength(&self, arm: &Arm) -> f32 {
        match self.by {
            By::Visits => ln(arm.visits as f32),
            By::Value => arm.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pick::tests::{check, frequencies};

    /// Fails unless each arm is drawn as often as expected in 10 000 draws, give or take three standard deviations.
    #[track_caller]
    fn check_frequencies(pick: &Softmax, arms: &[(u32, f32)], expected: &[f32]) {
        let counts = frequencies(pick, arms);
        for (&count, p) in counts.iter().zip(expected) {
            let deviation = (10_000.0 * p * (1.0 - p)).sqrt();
            assert!((count as f32 - 10_000.0 * p).abs() <= 3.0 * deviation, "{counts:?}, {expected:?}");
        }
    }

    #[test]
    fn by_visits() {
        let (arms, at) = ([(10, 0.0), (30, 1.0), (0, 1.0), (60, 0.0)], |t| Softmax { t, by: By::Visits });
        check_frequencies(&at(1.0), &arms, &[0.1, 0.3, 0.0, 0.6]);
        // Squares: 100, 900, 3600 of 4600.
        check_frequencies(&at(0.5), &arms, &[0.021_739, 0.195_652, 0.0, 0.782_609]);
        // Roots: 3.162278, 5.477226, 7.745967 of 16.385471.
        check_frequencies(&at(2.0), &arms, &[0.192_993, 0.334_273, 0.0, 0.472_734]);
    }

    #[test]
    fn by_value() {
        // K = 5: e^(5·0.6) = 20.085537, e^(5·0.4) = 7.389056, e^(5·0.2) = 2.718282, of 30.192875.
        let pick = Softmax { t: 0.2, by: By::Value };
        let arms = [(1, 0.6), (1000, 0.4), (7, 0.2), (0, 1.0)];
        check_frequencies(&pick, &arms, &[0.665_241, 0.244_728, 0.090_031, 0.0]);
        // Points, a thousand apart: e^−1000 is 0, and nothing overflows.
        let points = Softmax { t: 1.0, by: By::Value };
        check_frequencies(&points, &[(5, -500.0), (5, 500.0)], &[0.0, 1.0]);
    }

    #[test]
    fn extremes() {
        let cold = |by| Softmax { t: 0.0, by };
        let arms = [(5, 0.9), (10_000_000, 0.0), (299, 1.0)];
        check(&cold(By::Visits), &arms, Some(1));
        check(&cold(By::Value), &arms, Some(2));
        // Nearly cold: 5/10⁷ to the hundredth million is nothing.
        check_frequencies(&Softmax { t: 1e-8, by: By::Visits }, &arms, &[0.0, 1.0, 0.0]);
        for by in [By::Visits, By::Value] {
            check(&Softmax { t: 100.0, by }, &[(0, 0.5), (0, 0.5)], Some(0));
            check(&Softmax { t: 100.0, by }, &[(0, 0.5), (1, 0.0)], Some(1));
            check(&Softmax { t: 100.0, by }, &[], None);
        }
    }
}
