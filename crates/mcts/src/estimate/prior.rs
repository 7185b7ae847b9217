//! The prior as a model of its own: H(s,a) with the weight of its equivalent experience C(s,a), for mixers that take any
//! number of models. It is set when the node is made, once more if the prior is refined, and learns nothing from
//! simulations. [Gelly & Silver 2007, §7; Gelly & Silver 2011]
//!
//! A prior that is sure of H but adds no visits to `mc` has C = 0; the mean is H all the same.

use super::Estimator;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates};
use crate::tree::layout::PriorColumns;

recipe::params! {
    /// The prior's value of the arm, H; it never learns.
    pub struct PriorValue as "prior" {}
}

/// The model with the prior's columns.
struct PriorEstimator {
    columns: PriorColumns,
}

/// Builds the model.
pub fn build(
    _params: &PriorValue,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Estimator>, recipe::Error> {
    let columns = blueprint.layout.h.ok_or_else(|| {
        recipe::Error::unsuitable(
            VARIANT.name,
            "it shows the value H(s,a) of a prior; choose a prior that gives one, such as prior=even with prior.visits above 0",
        )
    })?;
    Ok(Box::new(PriorEstimator { columns }))
}

impl Estimator for PriorEstimator {
    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        cx.node.read_floats(self.columns.h, &mut out.mean);
        cx.node.read_floats(self.columns.visits, &mut out.weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::trial::{Trial, model};
    use crate::game::Reward;
    use crate::tree::layout::Gives;

    #[test]
    fn worked_by_hand() {
        // H = ¾ and C = 3 (C̃ is another model's), before and after simulations.
        let trial = Trial::new(&[model("prior")], Some((0.75, 3.0, 50.0)));
        trial.expect(0, [(0.75, 3.0); 5]);
        trial.play(&[0, 1], 0.0, 10_000_000);
        trial.expect(0, [(0.75, 3.0); 5]);
        // A sure loss that is worth nothing.
        Trial::new(&[model("prior")], Some((0.0, 0.0, 0.0))).expect(0, [(0.0, 0.0); 5]);
    }

    #[test]
    fn a_recipe_without_values_is_refused() {
        let refusal = |gives| {
            let mut blueprint = Blueprint::drawn(&["prior"], gives, Reward::Win);
            build(&PriorValue::default(), &mut blueprint).err().map(|error| error.to_string())
        };
        let why = "it shows the value H(s,a) of a prior; choose a prior that gives one, such as prior=even with prior.visits above 0";
        assert_eq!(refusal(Gives::default()), Some(format!("`prior` cannot be used here: {why}")));
        assert_eq!(refusal(Gives { p: false, h: true }), None);
    }
}
