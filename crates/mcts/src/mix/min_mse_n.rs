//! The least mean squared error with any number of models: the weight of model m is ∝ 1 / (1/(4·n_m) + b_m²), n_m its
//! observations and b_m its assumed bias: b for every model but `mc`, which has none.
//! [Gelly & Silver 2011, eq. 12, for two models; for more of them it is the weighting by inverse variances: Cochran 1954]
//!
//! A model's mean is off by √(1/(4·n_m) + b_m²), the variance taken at a win rate of ½ as in `min-mse`, and the errors of
//! different models are taken to be independent. Over `mc` and one other it equals `min-mse`. A model that knows nothing of an
//! arm has no weight in it; if none knows anything, `mc` has it all.

use super::Mixer;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// Any number of models, each weighing the inverse of its squared error.
    pub struct MinMseN as "min-mse-n" {
        b: f32 = 1e-5, 0.0..=1.0, "assumed bias of every model but `mc`, in win-rate units";
    }
}

/// The mixer, with the place of `mc` among the models.
#[derive(Debug)]
struct LeastErrors {
    four_b_sq: f32,
    mc: usize,
}

/// Builds the mixer.
pub fn build(params: &MinMseN, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    let four_b_sq = 4.0 * params.b * params.b;
    Ok(Box::new(LeastErrors { four_b_sq, mc: blueprint.model_idx("mc", VARIANT.name)? }))
}

impl Mixer for LeastErrors {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        let Mixed { value, weights } = out;
        // Until the weights are known the values hold their sum.
        value.fill(0.0);
        for (model_idx, (model, column)) in models.iter().zip(weights.iter_mut()).enumerate() {
            let four_b_sq = if model_idx == self.mc { 0.0 } else { self.four_b_sq };
            for ((weight, sum), &n) in column.iter_mut().zip(&mut *value).zip(&model.weight) {
                *weight = n / (1.0 + n * four_b_sq);
                *sum += *weight;
            }
        }
        for (weight, sum) in weights[self.mc].iter_mut().zip(&mut *value) {
            if *sum <= 0.0 {
                (*weight, *sum) = (1.0, 1.0);
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

#[cfg(test)]
mod tests {
    use crate::mix::tests::{check, mix};

    #[test]
    fn with_two_models_it_is_min_mse() {
        // The cases worked by hand there.
        check("min-mse-n:b=0.25", (4.0, 0.25), (8.0, 0.75), 0.4);
        check("min-mse-n", (100.0, 0.0), (300.0, 1.0), 0.75);
        check("min-mse-n", (1e7, 1.0), (1e7, 0.0), 0.499_002);
        check("min-mse-n:b=1", (1e7, 1.0), (1e7, 0.0), 2.5e-8);
        check("min-mse-n", (0.0, 0.5), (8.0, 0.75), 1.0);
        check("min-mse-n", (4.0, 0.25), (0.0, 0.5), 0.0);
        check("min-mse-n", (0.0, 0.5), (0.0, 0.5), 0.0);
    }

    #[test]
    fn three_models_worked_by_hand() {
        // b = ¼, 4b² = ¼: mc with n = 2 weighs 2, rave with 4 weighs 4/(1 + 1) = 2, amaf-first with 12 weighs 12/(1 + 3) = 3;
        // the value is (2·½ + 2·1 + 3·0)/7. In the second arm amaf-first knows nothing: (2·½ + 2·1)/4.
        let arms = [[(2.0, 0.5), (4.0, 1.0), (12.0, 0.0)], [(2.0, 0.5), (4.0, 1.0), (0.0, 0.5)]];
        let mixed = mix("min-mse-n:b=0.25", &["mc", "rave", "amaf-first"], &arms.map(Vec::from), 4.0);
        let expected = [[2.0 / 7.0, 0.5], [2.0 / 7.0, 0.5], [3.0 / 7.0, 0.0]];
        for (column, expected) in mixed.weights.iter().zip(expected) {
            assert!((column[0] - expected[0]).abs() < 1e-6 && (column[1] - expected[1]).abs() < 1e-6);
        }
        assert!((mixed.value[0] - 3.0 / 7.0).abs() < 1e-6 && (mixed.value[1] - 0.75).abs() < 1e-6);
    }
}
