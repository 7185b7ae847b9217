//! Three opinions side by side: α·Q + β·p_rave + (γ + C / ln(2 + n))·H. [Chaslot et al. 2009, as given by Ikeda & Viennot
//! 2013, eq. 4]
//!
//! Q is the mean of the model `mc`, p_rave that of the first other model of the recipe — where it has seen nothing, the
//! mixed value — and H = P(a) of the prior. There is no exploration bound; rave and
//! the bias, which fades with ln n and never quite, do its work. The source gives no coefficients: α = β = ½ keeps a sum of
//! win rates a win rate, γ = 0 and C = 0.4 start the bias where `bt-bias` starts (0.4 / ln 2 = 0.58). Values are seen by
//! the mover. An arm with n = 0 scores its first-play urgency and the bias; if the urgency is infinite the untried arms
//! go in order of P(a).

use super::{Selector, biased_urgency};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::ln;
use crate::tree::layout::CountColumn;

recipe::params! {
    /// alpha·Q + beta·(second model) + (gamma + c / ln(2 + n))·P(a).
    pub struct Chaslot as "chaslot" {
        alpha: f32 = 0.5, 0.0..=1.0, "weight of the Monte-Carlo mean";
        beta: f32 = 0.5, 0.0..=1.0, "weight of the second model's mean";
        gamma: f32 = 0.0, 0.0..=1000.0, "part of the bias that stays, in units of the reward";
        c: f32 = 0.4, 0.0..=1000.0, "part of the bias that fades with ln(2 + n), in units of the reward";
    }
}

/// The selector with the places of its models.
#[derive(Debug, Clone)]
struct ThreeOpinions {
    params: Chaslot,
    mc_idx: usize,
    rave_idx: usize,
    p: CountColumn,
}

/// Builds the selector.
pub fn build(params: &Chaslot, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    Ok(Box::new(ThreeOpinions::new(params, blueprint)?))
}

impl ThreeOpinions {
    fn new(params: &Chaslot, blueprint: &mut Blueprint<'_>) -> Result<ThreeOpinions, recipe::Error> {
        let p = blueprint.need_p(VARIANT.name)?;
        let mc_idx = blueprint.model_idx("mc", VARIANT.name)?;
        let rave_idx = blueprint.second_model(VARIANT.name)?;
        Ok(ThreeOpinions { params: params.clone(), mc_idx, rave_idx, p })
    }
}

impl Selector for ThreeOpinions {
    fn score(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        cx.node.read_floats(self.p, out);
        let (mc, rave) = (&models[self.mc_idx], &models[self.rave_idx]);
        let Chaslot { alpha, beta, gamma, c } = self.params;
        let opinions = mc.mean.iter().zip(&rave.mean).zip(&rave.weight);
        for (((out, &n), &value), ((&q, &rave), &weight)) in
            out.iter_mut().zip(cx.arms.begun()).zip(&mixed.value).zip(opinions)
        {
            let p = *out;
            let bias = (gamma + c / ln(2.0 + n)) * p;
            let rave = if weight > 0.0 { rave } else { value };
            *out = if n > 0.0 { alpha * q + beta * rave + bias } else { biased_urgency(value, bias, p) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::select::tests::{Drawn, with_p};
    use crate::tree::layout::Gives;

    fn selector(params: &Chaslot, models: &[&'static str]) -> ThreeOpinions {
        ThreeOpinions::new(params, &mut with_p(models)).unwrap()
    }

    const ONES: &[f32] = &[1.0, 1.0, 1.0];

    #[test]
    fn worked_by_hand() {
        // ln 6 = 1.791759: 0.4/1.791759 = 0.223245; ln 8 = 2.079442: 0.192360; ln 2 = 0.693147: 0.577078.
        // Arm 0: 0.5·0.4 + 0.5·0.8 + 0.223245·0.5 = 0.711622.
        // Arm 1: 0.5·0.2 + 0.5·0.6 + 0.192360·0.2 = 0.438472.
        // Arm 2, untried: 1.1 + 0.577078·0.3 = 1.273123.
        let node = Drawn {
            n: &[4.0, 6.0, 0.0],
            value: &[0.45, 0.25, 1.1],
            p: &[0.5, 0.2, 0.3],
            models: &[
                (&[0.8, 0.6, 0.9], &[20.0, 80.0, 3.0], ONES),
                (&[0.4, 0.2, 0.5], &[4.0, 6.0, 0.0], ONES),
            ],
        };
        node.check(&selector(&Chaslot::default(), &["rave", "mc"]), &[0.711_622, 0.438_472, 1.273_123]);
        // α = 0.7, β = 0.2, γ = 0.1, C = 0: 0.28 + 0.16 + 0.05; 0.14 + 0.12 + 0.02; 1.1 + 0.03.
        let params = Chaslot { alpha: 0.7, beta: 0.2, gamma: 0.1, c: 0.0 };
        node.check(&selector(&params, &["rave", "mc"]), &[0.49, 0.28, 1.13]);
    }

    #[test]
    fn where_the_second_model_knows_nothing_the_mixed_value_counts() {
        // Arm 0: 0.5·0.4 + 0.5·0.45; arm 1 has a rave value of 0.6: 0.5·0.2 + 0.5·0.6.
        let params = Chaslot { c: 0.0, ..Chaslot::default() };
        let node = Drawn {
            n: &[4.0, 6.0],
            value: &[0.45, 0.25],
            p: &[0.5, 0.5],
            models: &[(&[0.4, 0.2], &[4.0, 6.0], &[1.0, 1.0]), (&[0.5, 0.6], &[0.0, 80.0], &[0.0, 0.0])],
        };
        node.check(&selector(&params, &["mc", "rave"]), &[0.425, 0.4]);
    }

    #[test]
    fn extremes() {
        // n = 10⁷: 0.4/ln(10⁷ + 2) = 0.4/16.118096 = 0.024817. P = 1 beside Q = 0 and P = 0 beside Q = 1.
        let node = Drawn {
            n: &[1e7, 1.0, 0.0],
            value: &[0.0, 1.0, 1e30],
            p: &[1.0, 0.0, 0.0],
            models: &[(&[0.0, 1.0, 0.5], &[1e7, 1.0, 0.0], ONES), (&[0.0, 1.0, 0.5], &[1e7, 1e7, 0.0], ONES)],
        };
        node.check(&selector(&Chaslot::default(), &["mc", "rave"]), &[0.024_817, 1.0, 1e30]);
        // Nothing visited, all of infinite urgency: P(a) decides.
        let fresh = Drawn { n: &[0.0; 3], value: &[1e30; 3], ..node };
        let score = fresh.score(&selector(&Chaslot::default(), &["mc", "rave"]));
        assert!(score[0] > score[1] && score[1] == score[2] && score[0].is_finite(), "{score:?}");
    }

    #[test]
    fn a_recipe_without_p_or_two_models_is_refused() {
        let error = |gives, models: &[&'static str]| {
            let mut blueprint = Blueprint::drawn(models, gives, Reward::Win);
            build(&Chaslot::default(), &mut blueprint).err().unwrap().to_string()
        };
        assert!(error(Gives::default(), &["mc", "rave"]).contains("a static probability P(a)"));
        assert!(error(Gives { p: true, h: false }, &["rave"]).contains("it reads the model `mc`"));
        assert_eq!(
            error(Gives { p: true, h: false }, &["mc"]),
            "`chaslot` cannot be used here: it reads a model besides `mc`; add one, such as models=mc+rave"
        );
    }
}
