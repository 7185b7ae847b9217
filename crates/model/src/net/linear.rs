//! A network of one layer that nobody trained: a fixed linear function of its input.
//!
//! With planes x_p, globals g_k and weights u, v, w, t in −1 … 1 that the salt decides:
//! the policy is the softmax over actions of Σ_p u_p·x_p(a) for the points, and of Σ_k t_k·g_k for every action behind them
//! (the pass); the value is the logistic function of Σ_p v_p·mean(x_p) + Σ_k w_k·g_k. So an answer changes when a plane
//! does, and turning the board turns the policy with it, as for a network that has learned something.

use super::fake::draw_by_key;
use super::{Net, NetAnswer, NetQuery, Planes};
use crate::math::{logistic, softmax};
use goban::Rng;

recipe::params! {
    /// A fixed linear function of the planes; without planes it answers by the position's hash.
    pub struct LinearNet as "linear" {
        salt: u64 = 0, 0..=4_294_967_295, "another number is another network";
    }
}

/// Builds the network.
pub fn build(params: &LinearNet) -> Result<Box<dyn Net>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

/// The group of inputs and outputs that a weight joins.
#[derive(Clone, Copy)]
enum WeightGroup {
    /// u: planes to the policy.
    PointPolicy = 1,
    /// v: planes to the value.
    PointValue,
    /// w: globals to the value.
    GlobalValue,
    /// t: globals to the policy of the pass.
    GlobalPolicy,
}

impl LinearNet {
    /// The weight of a plane or a global, −1 … 1.
    fn weight(&self, part: WeightGroup, idx: usize) -> f32 {
        let mut rng = Rng::new(self.salt << 32 | (part as u64) << 24 | idx as u64);
        2.0 * rng.unit() - 1.0
    }

    fn dot(&self, part: WeightGroup, numbers: impl Iterator<Item = f32>) -> f32 {
        numbers.enumerate().map(|(idx, number)| self.weight(part, idx) * number).sum()
    }

    fn answer(&self, planes: &Planes<'_>, n_actions: usize, out: &mut NetAnswer) {
        out.policy.clear();
        let beyond = self.dot(WeightGroup::GlobalPolicy, planes.globals.iter().copied());
        out.policy.resize(n_actions.min(planes.n_points), 0.0);
        for (idx, plane) in planes.iter().enumerate() {
            let weight = self.weight(WeightGroup::PointPolicy, idx);
            for (score, x) in out.policy.iter_mut().zip(plane) {
                *score += weight * x;
            }
        }
        out.policy.resize(n_actions, beyond);
        softmax(&mut out.policy);
        let means = planes.iter().map(|plane| plane.iter().sum::<f32>() / plane.len() as f32);
        let globals = planes.globals.iter().copied();
        out.value =
            logistic(self.dot(WeightGroup::PointValue, means) + self.dot(WeightGroup::GlobalValue, globals));
    }
}

impl Net for LinearNet {
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        for (query, out) in batch.iter().zip(out) {
            match &query.planes {
                Some(planes) => self.answer(planes, query.n_actions, out),
                None => draw_by_key(query, self.salt, out),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(salt: u64, values: &[f32], globals: &[f32]) -> NetAnswer {
        let mut out = NetAnswer::default();
        let planes = Some(Planes { n_points: 4, values, globals });
        LinearNet { salt }.evaluate_one(&NetQuery { key: 1, n_actions: 5, planes, board: None }, &mut out);
        out
    }

    #[test]
    fn worked_by_hand() {
        let net = LinearNet { salt: 3 };
        let out = ask(3, &[0.0, 2.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0], &[0.5]);
        let (u0, u1) = (net.weight(WeightGroup::PointPolicy, 0), net.weight(WeightGroup::PointPolicy, 1));
        // The second point has 2·u₀ more than the first; the last two points are alike; the pass has t₀/2.
        let ratio = |a: usize, b: usize| f64::from(out.policy[a]) / f64::from(out.policy[b]);
        assert!((ratio(1, 0) / f64::from(2.0 * u0).exp() - 1.0).abs() < 1e-5);
        assert!((ratio(0, 2) / f64::from(u1).exp() - 1.0).abs() < 1e-5);
        assert_eq!(out.policy[2], out.policy[3]);
        let pass = f64::from(0.5 * net.weight(WeightGroup::GlobalPolicy, 0)).exp();
        assert!((ratio(4, 3) / pass - 1.0).abs() < 1e-5);
        let sum = 0.5 * net.weight(WeightGroup::PointValue, 0)
            + 0.5 * net.weight(WeightGroup::PointValue, 1)
            + 0.5 * net.weight(WeightGroup::GlobalValue, 0);
        assert!((f64::from(out.value) - 1.0 / (1.0 + f64::from(-sum).exp())).abs() < 1e-6);
    }

    #[test]
    fn turned_input_turns_the_policy_and_another_salt_is_another_net() {
        let out = ask(1, &[1.0, 2.0, 3.0, 4.0], &[]);
        let turned = ask(1, &[4.0, 3.0, 2.0, 1.0], &[]);
        let mut pairs = out.policy[..4].iter().zip(turned.policy[..4].iter().rev());
        assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-6), "{out:?} {turned:?}");
        assert_eq!(out.value, turned.value);
        assert_ne!(ask(1, &[1.0; 4], &[1.0]), ask(2, &[1.0; 4], &[1.0]));
        assert_ne!(ask(1, &[1.0; 4], &[1.0]).value, ask(1, &[1.0; 4], &[2.0]).value);
    }
}
