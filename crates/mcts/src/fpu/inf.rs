//! Every arm is tried once before any is tried twice, as UCB1 does. [You 3.3; Auer et al. 2002]

use super::Fpu;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// More than anything: every arm is tried once first.
    pub struct Inf as "inf" {}
}

/// Larger than any value with its bound, and finite so that sums with it stay numbers.
pub const MORE_THAN_ANYTHING: f32 = 1e30;

/// Builds the urgency.
pub fn build(params: &Inf, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Fpu>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Fpu for Inf {
    fn tries_all_first(&self) -> bool {
        true
    }

    fn fill(&self, cx: &Cx<'_>, _models: &[Estimates], out: &mut Mixed) {
        fill(cx.arms.begun(), &mut out.value);
    }
}

#[inline]
fn fill(n: &[f32], values: &mut [f32]) {
    for (value, &n) in values.iter_mut().zip(n) {
        *value = if n > 0.0 { *value } else { MORE_THAN_ANYTHING };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unvisited_arms_change() {
        let mut values = [0.5, 0.2, 0.5];
        fill(&[0.0, 3.0, 0.0], &mut values);
        assert_eq!(values, [MORE_THAN_ANYTHING, 0.2, MORE_THAN_ANYTHING]);
    }
}
