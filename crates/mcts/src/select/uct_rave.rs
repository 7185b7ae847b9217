//! UCT-RAVE: every model m carries its own bound, Q_m + c·√(ln m(s) / m(s,a)) with m(s) = Σ_a m(s,a), and the bounded
//! values are mixed by the mixer's weights β_m. [Gelly & Silver 2007, §6]
//!
//! Since a mixed value is Σ β_m·Q_m, that is Q* + c·Σ β_m·√(ln m(s) / m(s,a)), for any number of models. m(s,a) is the
//! number of observations behind a model's estimate; fewer than one count as one, so that the bound stays finite. Values
//! are seen by the mover. An arm with n = 0 scores its first-play urgency, without a bound.

use super::Selector;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::ln;

recipe::params! {
    /// The models' values with a bound each, mixed.
    pub struct UctRave as "uct-rave" {
        c: f32 = 0.1, 0.0..=1000.0, "exploration constant of every model, in units of the reward";
    }
}

/// Builds the selector.
pub fn build(params: &UctRave, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Selector for UctRave {
    fn draws_untried(&self) -> bool {
        true
    }

    fn score(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        out.copy_from_slice(&mixed.value);
        for (model, betas) in models.iter().zip(&mixed.weights) {
            add_bound(self.c, cx.arms.begun(), &model.weight, betas, out);
        }
    }
}

/// Adds one model's part of the bound.
#[inline]
fn add_bound(c: f32, n: &[f32], weights: &[f32], betas: &[f32], out: &mut [f32]) {
    let ln_total = ln(sum(weights).max(1.0));
    for (((out, &n), &weight), &beta) in out.iter_mut().zip(n).zip(weights).zip(betas) {
        let bound = c * beta * (ln_total / weight.max(1.0)).sqrt();
        *out += if n > 0.0 { bound } else { 0.0 };
    }
}

/// Σ in an order that eight lanes share, the same on every machine.
#[inline]
fn sum(numbers: &[f32]) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<8>();
    let mut lanes = [0.0f32; 8];
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane += x);
    }
    lanes.iter().chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::tests::Drawn;
    use crate::select::uct::Uct;

    #[test]
    fn worked_by_hand() {
        // mc: m(s) = 10, √(2.302585/4) = 0.758714, √(2.302585/6) = 0.619487.
        // rave: m(s) = 100, √(4.605170/20) = 0.479853, √(4.605170/80) = 0.239926.
        // Arm 0: 0.75·0.4 + 0.25·0.8 = 0.5; bound 0.75·0.758714 + 0.25·0.479853 = 0.688999.
        // Arm 1: 0.5·0.2 + 0.5·0.6 = 0.4; bound 0.5·(0.619487 + 0.239926) = 0.429706.
        let node = Drawn {
            n: &[4.0, 6.0],
            value: &[0.5, 0.4],
            p: &[],
            models: &[(&[0.4, 0.2], &[4.0, 6.0], &[0.75, 0.5]), (&[0.8, 0.6], &[20.0, 80.0], &[0.25, 0.5])],
        };
        node.check(&UctRave { c: 0.1 }, &[0.568_900, 0.442_971]);
        node.check(&UctRave { c: 1.0 }, &[1.188_999, 0.829_706]);
        node.check(&UctRave { c: 0.0 }, &[0.5, 0.4]);
    }

    #[test]
    fn extremes() {
        // An untried arm keeps its urgency whatever rave says; one of which rave knows nothing counts as seen once there:
        // rave m(s) = 10⁷ + 1, √16.118096 = 4.014735; mc m(s) = 1, ln 1 = 0.
        let node = Drawn {
            n: &[0.0, 1.0, 0.0],
            value: &[1e30, 1.0, 0.0],
            p: &[],
            models: &[
                (&[0.5, 1.0, 0.5], &[0.0, 1.0, 0.0], &[0.5, 0.5, 0.5]),
                (&[0.0, 1.0, 0.5], &[1e7, 0.0, 1.0], &[0.5, 0.5, 0.5]),
            ],
        };
        node.check(&UctRave { c: 1.0 }, &[1e30, 1.0 + 0.5 * 4.014_735, 0.0]);
        // Weights below one in all, as kernels give: ln is never negative.
        let faint = Drawn {
            n: &[1.0, 1e7],
            value: &[0.0, 1.0],
            models: &[(&[0.0, 1.0], &[0.25, 0.25], &[1.0, 1.0])],
            ..node
        };
        faint.check(&UctRave { c: 10.0 }, &[0.0, 1.0]);
        let fresh = Drawn { n: &[0.0; 3], value: &[1.0; 3], ..node };
        fresh.check(&UctRave { c: 10.0 }, &[1.0; 3]);
    }

    #[test]
    fn with_the_monte_carlo_model_alone_it_is_uct() {
        let n: Vec<f32> = (0..40u8).map(|i| f32::from(i % 7)).collect();
        let value: Vec<f32> = (0..40u8).map(|i| f32::from(i % 11) / 11.0).collect();
        let models: &[_] = &[(&value[..], &n[..], &[1.0; 40][..])];
        let node = Drawn { n: &n, value: &value, p: &[], models };
        assert_eq!(node.score(&UctRave { c: 0.7 }), node.score(&Uct { c: 0.7 }));
    }
}
