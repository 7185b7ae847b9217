//! α·(Q + C·√(ln N / n)) + (1 − α)·p_rave + C_PB·(1/N)·H. [Huang 2011, as given by Ikeda & Viennot 2013, eq. 5]
//!
//! Q is the mean of the model `mc`, p_rave that of the first other model of the recipe — Q where it has seen nothing — and
//! H = P(a) of the prior. N = Σ n over the arms, at least 1. The source gives no coefficients: α = ½, C = 0.1 as suits
//! values with rave in them, and C_PB = 50, a bias that at N = 100 is about that of `bt-bias`. Values are seen by the
//! mover. An arm with n = 0 scores its first-play urgency and the bias, without a bound; if the urgency is infinite the
//! untried arms go in order of P(a).

use super::{Selector, biased_urgency};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::ln;
use crate::tree::layout::CountColumn;

recipe::params! {
    /// alpha·(Q + c·√(ln N / n)) + (1 − alpha)·(second model) + bias/N·P(a).
    pub struct Huang as "huang" {
        alpha: f32 = 0.5, 0.0..=1.0, "weight of the Monte-Carlo mean and its bound";
        c: f32 = 0.1, 0.0..=1000.0, "exploration constant, in units of the reward";
        bias: f32 = 50.0, 0.0..=100_000.0, "C_PB: visits of the node times the bias of a move that is certain";
    }
}

/// The selector with the places of its models.
#[derive(Debug, Clone)]
struct TwoOpinions {
    params: Huang,
    mc_idx: usize,
    rave_idx: usize,
    p: CountColumn,
}

/// Builds the selector.
pub fn build(params: &Huang, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    Ok(Box::new(TwoOpinions::new(params, blueprint)?))
}

impl TwoOpinions {
    fn new(params: &Huang, blueprint: &mut Blueprint<'_>) -> Result<TwoOpinions, recipe::Error> {
        let p = blueprint.need_p(VARIANT.name)?;
        Ok(TwoOpinions {
            params: params.clone(),
            mc_idx: blueprint.model_idx("mc", VARIANT.name)?,
            rave_idx: blueprint.second_model(VARIANT.name)?,
            p,
        })
    }
}

impl Selector for TwoOpinions {
    fn score(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        cx.node.read_floats(self.p, out);
        let Huang { alpha, c, bias } = self.params;
        let total = cx.arms.begun_total().max(1.0);
        let (ln_total, scale) = (ln(total), bias / total);
        let (mc, rave) = (&models[self.mc_idx], &models[self.rave_idx]);
        let opinions = mc.mean.iter().zip(&rave.mean).zip(&rave.weight);
        for (((out, &n), &value), ((&q, &rave), &weight)) in
            out.iter_mut().zip(cx.arms.begun()).zip(&mixed.value).zip(opinions)
        {
            let p = *out;
            let bias = scale * p;
            let rave = if weight > 0.0 { rave } else { q };
            let bound = c * (ln_total / n.max(1.0)).sqrt();
            let score = alpha * (q + bound) + (1.0 - alpha) * rave + bias;
            *out = if n > 0.0 { score } else { biased_urgency(value, bias, p) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::select::tests::{Drawn, with_p};
    use crate::tree::layout::Gives;

    const GIVES: Gives = Gives { p: true, h: false };
    const ONES: &[f32] = &[1.0, 1.0, 1.0];

    fn selector(params: &Huang) -> TwoOpinions {
        TwoOpinions::new(params, &mut with_p(&["mc", "rave"])).unwrap()
    }

    #[test]
    fn worked_by_hand() {
        // N = 10: bounds 0.2·0.758714 = 0.151743 and 0.2·0.619487 = 0.123897; the bias is 5/10·P.
        // Arm 0: 0.25·(0.4 + 0.151743) + 0.75·0.8 + 0.25 = 0.987936.
        // Arm 1: 0.25·(0.2 + 0.123897) + 0.75·0.6 + 0.1 = 0.630974.
        // Arm 2, untried: 1.1 + 0.15.
        let params = Huang { alpha: 0.25, c: 0.2, bias: 5.0 };
        let node = Drawn {
            n: &[4.0, 6.0, 0.0],
            value: &[0.45, 0.25, 1.1],
            p: &[0.5, 0.2, 0.3],
            models: &[
                (&[0.4, 0.2, 0.5], &[4.0, 6.0, 0.0], ONES),
                (&[0.8, 0.6, 0.9], &[20.0, 80.0, 3.0], ONES),
            ],
        };
        node.check(&selector(&params), &[0.987_936, 0.630_974, 1.25]);
        // Where rave knows nothing Q stands for it: 0.25·0.151743 + 0.4 + 0.25 and 0.25·0.123897 + 0.2 + 0.1.
        let unseen = (&[0.5; 3][..], &[0.0; 3][..], ONES);
        Drawn { models: &[node.models[0], unseen], ..node }
            .check(&selector(&params), &[0.687_936, 0.330_974, 1.25]);
    }

    #[test]
    fn extremes() {
        // N = 10⁷ + 1: α·0.9·√16.118096 = 0.5·3.613261 for the arm with one visit, 0.5·0.001143 for the other, whose
        // bias is 50/10⁷.
        let node = Drawn {
            n: &[1e7, 1.0, 0.0],
            value: &[0.0, 1.0, 0.0],
            p: &[1.0, 0.0, 0.0],
            models: &[(&[0.0, 1.0, 0.5], &[1e7, 1.0, 0.0], ONES), (&[0.0, 1.0, 0.5], &[1e7, 1e7, 0.0], ONES)],
        };
        let params = Huang { c: 0.9, ..Huang::default() };
        node.check(&selector(&params), &[0.000_571 + 0.000_005, 2.806_631, 0.0]);
        // Nothing visited: N counts as 1, and the bias is 50·P.
        Drawn { n: &[0.0; 3], value: &[1.0; 3], ..node }.check(&selector(&params), &[51.0, 1.0, 1.0]);
        let score = Drawn { n: &[0.0; 3], value: &[1e30; 3], ..node }.score(&selector(&params));
        assert!(score[0] > score[1] && score[1] == score[2] && score[0].is_finite(), "{score:?}");
    }

    #[test]
    fn a_recipe_without_p_or_two_models_is_refused() {
        let error = |gives, models: &[&'static str]| {
            let mut blueprint = Blueprint::drawn(models, gives, Reward::Win);
            build(&Huang::default(), &mut blueprint).err().unwrap().to_string()
        };
        assert!(error(Gives::default(), &["mc", "rave"]).contains("a static probability P(a)"));
        assert!(error(GIVES, &["rave"]).contains("it reads the model `mc`"));
        let alone = error(GIVES, &["mc"]);
        assert_eq!(
            alone,
            "`huang` cannot be used here: it reads a model besides `mc`; add one, such as models=mc+rave"
        );
    }
}
