//! Bayesian model averaging with any number of models: the weight of model m is ∝ P(m)·q_m^w·(1−q_m)^(n−w), w wins out of
//! the arm's own n simulations. [You 5.9; more than two models are the open question of 6.2]
//!
//! Divided by the likelihood of the arm's own mean Q this is P(m)·exp(−n·KL(Q‖q_m)), so the weight of `mc` is P(mc) before
//! all are scaled to a sum of 1: nothing can underflow to 0/0. Over `mc` and one other model it equals `bma`. As there, win
//! rates are kept 2⁻²⁰ from 0 and 1, and n·KL counts as 60 if it is more. A model that knows nothing of an arm has no
//! weight in it; `mc` always takes part, so that at n = 0 the priors decide.
//!
//! A model that tells its error (`value`: a mean with the standard deviation sd, worth m = 1/(4·sd²) observations) is not held to its mean
//! but to a distribution around it. Of n simulations then only n·m/(n + m) speak against it, and since it foretells less it weighs
//! √(m/(n + m)): P(m)·√(m/(n + m))·exp(−(n·m/(n + m))·KL(Q‖q_m)), the marginal likelihood where both variances are taken at ¼. For
//! sd → 0 that is the formula above.

use super::Mixer;
use super::bma::MAX_LOG_RATIO;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::estimate;
use crate::math::{at_least, at_most, exp, kl};
use recipe::declare::one_each;
use recipe::{Choice, Error, Param, ParamKind, ParamValue, Variant};

/// P(m) of each model of the recipe, by name. `params!` would need a line for each model there is.
#[derive(Debug, Clone, PartialEq)]
pub struct BmaN {
    priors: Vec<(&'static str, f32)>,
}

/// The declaration of this variant.
pub static VARIANT: Variant = Variant {
    name: "bma-n",
    doc: " Any number of models, each weighing as much as it is probable given the arm's simulations.\n",
    params: &PARAMS,
};

static PARAMS: [Param; estimate::FAMILY.variants.len()] = one_each(
    &estimate::FAMILY,
    ParamKind::Float { default: 1.0, min: 1e-6, max: 1e6 },
    "P(m) of the model of this name before any simulation, on any common scale; not asked if the recipe does not have it",
);

/// The parameters that `variants!` reads before it calls `build`.
pub(crate) type Declared = BmaN;

impl From<&Choice> for BmaN {
    fn from(choice: &Choice) -> BmaN {
        let prior = |(param, value): (&Param, &ParamValue)| match value {
            ParamValue::Float(prior) => Some((param.key, *prior as f32)),
            _ => None,
        };
        BmaN { priors: choice.pairs().filter_map(prior).collect() }
    }
}

impl BmaN {
    /// P(m) of a model by its name.
    fn of(&self, model: &str) -> Result<f32, Error> {
        let found = self.priors.iter().find(|(name, _)| *name == model);
        let why = || format!("it has no prior for the model `{model}`");
        found.map(|(_, prior)| *prior).ok_or_else(|| Error::unsuitable(VARIANT.name, why()))
    }
}

/// The mixer with its models.
#[derive(Debug)]
struct BmaNMixer {
    mc: usize,
    /// P(m), in the recipe's order.
    priors: Vec<f32>,
}

/// Builds the mixer.
pub fn build(params: &BmaN, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, Error> {
    blueprint.need_win(VARIANT.name)?;
    let mc = blueprint.model_idx("mc", VARIANT.name)?;
    if blueprint.models.len() < 2 {
        return Err(Error::unsuitable(
            VARIANT.name,
            "it averages two models or more; add one, such as models=mc+rave",
        ));
    }
    let priors = blueprint.models.iter().map(|name| params.of(name)).collect::<Result<_, _>>()?;
    Ok(Box::new(BmaNMixer { mc, priors }))
}

impl Mixer for BmaNMixer {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        let Mixed { value, weights } = out;
        // Until the weights are known the values hold their sum.
        value.fill(self.priors[self.mc]);
        for (model_idx, (model, column)) in models.iter().zip(weights.iter_mut()).enumerate() {
            if model_idx == self.mc {
                column.fill(self.priors[self.mc]);
            } else {
                let weigh = if model.is_uncertain { weigh_uncertain } else { weigh };
                weigh(self.priors[model_idx], &models[self.mc], model, column);
                value.iter_mut().zip(&*column).for_each(|(sum, weight)| *sum += weight);
            }
        }
        for column in weights.iter_mut() {
            column.iter_mut().zip(&*value).for_each(|(weight, sum)| *weight /= sum);
        }
        value.fill(0.0);
        for (model, column) in models.iter().zip(&*weights) {
            for ((value, &weight), &mean) in value.iter_mut().zip(column).zip(&model.mean) {
                *value += weight * mean;
            }
        }
    }
}

/// P(m)·exp(−n·KL(Q‖q_m)) for every arm of which the model knows something, 0 for the others.
#[inline]
fn weigh(prior: f32, mc: &Estimates, model: &Estimates, out: &mut [f32]) {
    let arms = mc.weight.iter().zip(&mc.mean).zip(model.weight.iter().zip(&model.mean));
    for (out, ((&n, &q), (&weight, &mean))) in out.iter_mut().zip(arms) {
        let likelihood = exp(-at_most(n * kl(q, mean), MAX_LOG_RATIO));
        *out = if weight > 0.0 { prior * likelihood } else { 0.0 };
    }
}

/// P(m)·√(m/(n + m))·exp(−(n·m/(n + m))·KL(Q‖q_m)) for every arm of which the model knows something, m its observations, 0 for
/// the others.
#[inline]
fn weigh_uncertain(prior: f32, mc: &Estimates, model: &Estimates, out: &mut [f32]) {
    let arms = mc.weight.iter().zip(&mc.mean).zip(model.weight.iter().zip(&model.mean));
    for (out, ((&n, &q), (&weight, &mean))) in out.iter_mut().zip(arms) {
        let share = weight / at_least(n + weight, f32::MIN_POSITIVE);
        let likelihood = exp(-at_most(n * share * kl(q, mean), MAX_LOG_RATIO));
        *out = if weight > 0.0 { prior * share.sqrt() * likelihood } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::tests::{check, mix};

    #[test]
    fn a_model_that_tells_its_error_worked_by_hand() {
        let column = |weight: f32, mean: f32, is_uncertain| Estimates {
            mean: vec![mean],
            weight: vec![weight],
            is_uncertain,
            ..Estimates::default()
        };
        let weigh = |n: f32, q: f32, model: &Estimates| {
            let mut out = [f32::NAN];
            let weigh = if model.is_uncertain { weigh_uncertain } else { weigh };
            weigh(2.0, &column(n, q, false), model, &mut out);
            out[0]
        };
        // KL(¾‖¼) = ½·ln 3. n = 12 and m = 4: 12·4/16 = 3 simulations speak, 3^(−3/2) = 0.19245, times √(4/16).
        let right = 2.0 * 0.5 * 0.192_450_1;
        assert!((weigh(12.0, 0.75, &column(4.0, 0.25, true)) - right).abs() < 1e-5);
        // Many simulations: 4 of them speak, 1/9, times √(4/10⁶).
        let right = 2.0 * (4.0f32 / 1e6).sqrt() / 9.0;
        assert!((weigh(1e6, 0.75, &column(4.0, 0.25, true)) - right).abs() < 1e-6);
        // Before any it weighs its prior; where it knows nothing, nothing; without an error it is the plain formula.
        assert_eq!(weigh(0.0, 0.5, &column(4.0, 0.25, true)), 2.0);
        assert_eq!(weigh(0.0, 0.5, &column(0.0, 0.5, true)), 0.0);
        let (sure, plain) = (column(1e9, 0.25, true), column(1e9, 0.25, false));
        assert!((weigh(12.0, 0.75, &sure) - weigh(12.0, 0.75, &plain)).abs() < 1e-6);
    }

    #[test]
    fn every_model_that_is_declared_has_a_prior() {
        let choice = Choice::new(&VARIANT);
        for name in estimate::FAMILY.names() {
            assert_eq!(BmaN::from(&choice).of(name).unwrap(), 1.0, "{name}");
        }
        assert!(BmaN::from(&choice).of("oracle").is_err());
    }

    #[test]
    fn two_models_worked_by_hand() {
        // As in `bma`: (¾/¼)³·(¼/¾)¹ = 9.
        check("bma-n", (4.0, 0.75), (9.0, 0.25), 0.1);
        check("bma-n:rave=100", (4.0, 0.75), (9.0, 0.25), 0.917_431_2);
        check("bma-n:mc=0.1,rave=10", (4.0, 0.0), (9.0, 0.5), 0.862_075_7);
        check("bma-n:rave=100", (0.0, 0.5), (9.0, 1.0), 0.990_099);
        check("bma-n:rave=1e6", (1e7, 1.0), (1e7, 0.0), 0.0);
        check("bma-n", (4.0, 0.25), (0.0, 0.5), 0.0);
        check("bma-n", (0.0, 0.5), (0.0, 0.5), 0.0);
    }

    #[test]
    fn three_models_worked_by_hand() {
        // n = 2, Q = ½: mc 1, rave with Q̃ = ¾ 2·(¾·¼)/(¼) = 1.5, amaf-first with ½ 3, unless it knows nothing.
        let text = "bma-n:rave=2,amaf-first=3";
        let models = ["mc", "rave", "amaf-first"];
        let arms = [[(2.0, 0.5), (5.0, 0.75), (7.0, 0.5)], [(2.0, 0.5), (5.0, 0.75), (0.0, 0.5)]];
        let mixed = mix(text, &models, &arms.map(Vec::from), 4.0);
        let expected = [1.0 / 5.5, 1.5 / 5.5, 3.0 / 5.5];
        for (column, (expected, dropped)) in mixed.weights.iter().zip(expected.iter().zip([0.4, 0.6, 0.0])) {
            assert!((column[0] - expected).abs() < 1e-6, "{column:?}");
            assert!((column[1] - dropped).abs() < 1e-6, "{column:?}");
        }
        // 0.5 + 0.25 · the weight of rave.
        assert!((mixed.value[0] - (0.5 + 0.25 * 1.5 / 5.5)).abs() < 1e-6);
        assert!((mixed.value[1] - 0.65).abs() < 1e-6);
    }
}
