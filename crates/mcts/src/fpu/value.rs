//! A constant: optimistic initialisation. [You 2013; Gelly & Wang 2006, first-play urgency]
//!
//! v = 1 starts an untried arm at the value of a win, so that it is preferred to any arm that has lost once, yet an arm
//! with a bound can come before it; smaller values search deeper before they search wider. The small random tie-break of
//! the source needs no parameter: arms of the same score, as all untried ones are, are drawn by the selector with the
//! search's own random numbers. Under reward=score v is in points.

use super::Fpu;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// A constant; ties are drawn at random.
    pub struct ValueFpu as "value" {
        v: f32 = 1.0, -1000.0..=1000.0, "the urgency, in units of the reward as the mover sees it";
    }
}

/// Builds the urgency.
pub fn build(params: &ValueFpu, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Fpu>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Fpu for ValueFpu {
    fn fill(&self, cx: &Cx<'_>, _models: &[Estimates], out: &mut Mixed) {
        fill(self.v, cx.arms.begun(), &mut out.value);
    }
}

#[inline]
fn fill(v: f32, n: &[f32], values: &mut [f32]) {
    for (value, &n) in values.iter_mut().zip(n) {
        *value = if n > 0.0 { *value } else { v };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(v: f32, n: &[f32], mut values: Vec<f32>, expected: &[f32]) {
        fill(v, n, &mut values);
        assert_eq!(values, expected);
    }

    #[test]
    fn only_unvisited_arms_change() {
        check(1.0, &[0.0, 3.0, 1e7, 0.0], vec![0.5, 0.0, 1.0, 0.5], &[1.0, 0.0, 1.0, 1.0]);
        // A prior's pseudo-visits are visits here, even a quarter of one.
        check(-20.5, &[0.25, 0.0], vec![0.7, 0.7], &[0.7, -20.5]);
        check(1.0, &[], vec![], &[]);
    }
}
