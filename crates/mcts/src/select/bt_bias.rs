//! A static bias that fades as the node is visited: Q* + c·√(ln N / n) + C_BT·√(K / (N + K))·P(a).
//! [Ikeda & Viennot 2013, eq. 6; C = 0.9, C_BT = 0.6 and K = 600 on 13×13, 0.8 and 400 on 19×19]
//!
//! P(a) comes from the prior, N = Σ n over the arms. After 3K visits half of the bias is left; K = ∞ (10⁹ here) keeps it,
//! and then C_BT = 0.1 was best. Values are seen by the mover. An arm with n = 0 scores its first-play urgency and the
//! bias, without a bound; if the urgency is infinite the untried arms go in order of P(a).

use super::{Selector, biased_urgency};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::ln;
use crate::tree::layout::CountColumn;

recipe::params! {
    /// Value plus c·√(ln N / n) plus bias·√(k / (N + k))·P(a).
    pub struct BtBias as "bt-bias" {
        c: f32 = 0.9, 0.0..=1000.0, "exploration constant, in units of the reward";
        bias: f32 = 0.6, 0.0..=1000.0, "C_BT: the bias of a move that is certain, in units of the reward";
        k: f32 = 600.0, 1.0..=1e9, "visits of the node that weaken the bias to √½ of itself";
    }
}

/// Builds the selector.
pub fn build(params: &BtBias, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    Ok(Box::new(BtBiasSelector { params: params.clone(), p: blueprint.need_p(VARIANT.name)? }))
}

/// The selector with the column of P(a).
struct BtBiasSelector {
    params: BtBias,
    p: CountColumn,
}

impl Selector for BtBiasSelector {
    fn score(&self, cx: &Cx<'_>, _models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        cx.node.read_floats(self.p, out);
        self.params.add(cx.arms.begun_total(), cx.arms.begun(), &mixed.value, out);
    }
}

impl BtBias {
    /// Turns the column of P(a) into scores.
    #[inline]
    fn add(&self, total: f32, n: &[f32], values: &[f32], out: &mut [f32]) {
        let ln_total = ln(total.max(1.0));
        let scale = self.bias * (self.k / (total + self.k)).sqrt();
        for ((out, &n), &value) in out.iter_mut().zip(n).zip(values) {
            let p = *out;
            let bias = scale * p;
            let bound = self.c * (ln_total / n.max(1.0)).sqrt();
            *out = if n > 0.0 { value + bound + bias } else { biased_urgency(value, bias, p) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::select::tests::{Drawn, with_p};
    use crate::tree::layout::Gives;

    fn selector(params: &BtBias) -> Box<dyn Selector> {
        build(params, &mut with_p(&[])).unwrap()
    }

    #[test]
    fn worked_by_hand() {
        // N = 10: bounds 0.9·0.758714 = 0.682843 and 0.9·0.619487 = 0.557538; √(600/610) = 0.991769, times 0.6 =
        // 0.595062; biases 0.297531, 0.119012 and, for the untried arm, 0.178518 beside its urgency of 1.1.
        let node = Drawn { n: &[4.0, 6.0, 0.0], value: &[0.5, 0.25, 1.1], p: &[0.5, 0.2, 0.3], models: &[] };
        node.check(&*selector(&BtBias::default()), &[1.480_374, 0.926_550, 1.278_518]);
        // After 3K visits half of the bias is left: √(K/4K) = ½. K = 10/3: N = 10 = 3K.
        let halved = BtBias { c: 0.0, bias: 1.0, k: 10.0 / 3.0 };
        node.check(&*selector(&halved), &[0.5 + 0.25, 0.25 + 0.1, 1.1 + 0.15]);
    }

    #[test]
    fn extremes() {
        // N = 10⁷ + 1: √(600/10000601) = 0.007746, times 0.6 = 0.004648. √16.118096 = 4.014735, times 0.9 = 3.613261.
        let node = Drawn { n: &[1e7, 1.0], value: &[0.0, 1.0], p: &[1.0, 0.0], models: &[] };
        node.check(&*selector(&BtBias::default()), &[0.001_143 + 0.004_648, 4.613_261]);
        // A constant bias.
        node.check(&*selector(&BtBias { c: 0.0, bias: 0.1, k: 1e9 }), &[0.1 * (1.0f32 / 1.01).sqrt(), 1.0]);
        // Nothing visited: only the bias tells the arms apart.
        let fresh = Drawn { n: &[0.0, 0.0], value: &[0.5, 0.5], ..node };
        fresh.check(&*selector(&BtBias::default()), &[1.1, 0.5]);
    }

    #[test]
    fn untried_arms_of_infinite_urgency_go_in_order_of_p() {
        let p = [0.0, 1.0, 1e-8, 2e-8, 0.5, 0.9];
        let node = Drawn {
            n: &[0.0, 0.0, 0.0, 0.0, 0.0, 5.0],
            value: &[1e30, 1e30, 1e30, 1e30, 1e30, 1.0],
            p: &p,
            models: &[],
        };
        let score = node.score(&*selector(&BtBias::default()));
        assert!(score.iter().all(|x| x.is_finite()));
        assert!(score[1] > score[4] && score[4] > score[3] && score[3] > score[2] && score[2] > score[0]);
        assert!(score[0] >= 1e30 && score[5] < 10.0);
    }

    #[test]
    fn a_recipe_without_p_is_refused() {
        let error = build(&BtBias::default(), &mut Blueprint::drawn(&[], Gives::default(), Reward::Win))
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.starts_with("`bt-bias` cannot be used here: it needs a static probability P(a)"),
            "{error}"
        );
    }
}
