//! The mean of the second model, where it has seen the arm: an untried arm whose action was good later on is
//! tried early. [Gelly & Silver 2007, §6; Gelly & Wang 2006]
//!
//! The model is the first of the recipe that is not `mc`: with models=mc+rave the urgency of an arm with n = 0 is Q̃ if
//! ñ > 0. Arms it knows nothing of (a pass, say, which AMAF ignores) get the constant `v`. Values are seen by
//! the mover; ties are drawn at random.

use super::Fpu;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};

recipe::params! {
    /// The second model's mean; a constant where it has seen nothing.
    pub struct AmafFpu as "amaf" {
        v: f32 = 1.0, -1000.0..=1000.0, "the urgency of arms the model knows nothing of, in units of the reward";
    }
}

/// The urgency with the place of its model.
#[derive(Debug)]
pub struct SecondModel {
    v: f32,
    model_idx: usize,
}

/// Builds the urgency.
pub fn build(params: &AmafFpu, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Fpu>, recipe::Error> {
    Ok(Box::new(SecondModel { v: params.v, model_idx: blueprint.second_model(VARIANT.name)? }))
}

impl Fpu for SecondModel {
    fn fill(&self, cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        fill(self.v, cx.arms.begun(), &models[self.model_idx], &mut out.value);
    }
}

#[inline]
fn fill(v: f32, n: &[f32], model: &Estimates, values: &mut [f32]) {
    let known = model.mean.iter().zip(&model.weight);
    for ((value, &n), (&mean, &weight)) in values.iter_mut().zip(n).zip(known) {
        let urgency = if weight > 0.0 { mean } else { v };
        *value = if n > 0.0 { *value } else { urgency };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::tree::layout::Gives;

    #[test]
    fn the_model_where_it_knows_something() {
        // Arm 0: untried, rave has 0.25; arm 1: untried and unknown; arm 2: visited; arms 3 and 4: rave is sure.
        let model = Estimates {
            mean: vec![0.25, 0.5, 0.9, 0.0, 1.0],
            weight: vec![2.0, 0.0, 5.0, 1e7, 0.125],
            ..Estimates::default()
        };
        let mut values = [0.5; 5];
        fill(1.0, &[0.0, 0.0, 3.0, 0.0, 0.0], &model, &mut values);
        assert_eq!(values, [0.25, 1.0, 0.5, 0.0, 1.0]);
    }

    #[test]
    fn it_needs_a_second_model() {
        let built = |models: &[&'static str]| {
            build(&AmafFpu::default(), &mut Blueprint::drawn(models, Gives::default(), Reward::Win))
        };
        assert!(built(&["mc", "rave"]).is_ok() && built(&["rave"]).is_ok());
        assert_eq!(
            built(&["mc"]).err().unwrap().to_string(),
            "`amaf` cannot be used here: it reads a model besides `mc`; add one, such as models=mc+rave"
        );
    }
}
