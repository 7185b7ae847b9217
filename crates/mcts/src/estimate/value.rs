//! A network's value of the position behind the arm: v(s′), asked when that position is first evaluated. It is one opinion beside the mean
//! of the simulations, for mixers that take any number of models. [Silver et al. 2016 mix value and playouts by a constant; as a model
//! of its own it is one of the "more than two" that You 6.2 asks about]
//!
//! The value is kept at the parent as its mover sees it, and never changes: simulations below the arm go into `mc`. An arm that was never
//! evaluated has none (weight 0), and neither has one that ends the game, of which `mc` knows all. The parameter sd says how far a value
//! is usually off: it is worth m = 1/(4·sd²) simulations, whose mean would have that standard deviation at a win rate of ½. `min-mse`
//! and `min-mse-n` read m as observations, `bma-n` as the doubt of the model in its own mean.

use super::Estimator;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Visit};
use crate::tree::layout::CountColumn;
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// A network's value of the position behind the arm, from its first evaluation on.
    pub struct NetValue as "value" {
        sd: f32 = 0.1, 0.001..=0.5, "standard deviation of the network's error, in win-rate units";
    }
}

/// The model with its column.
struct ValueEstimator {
    /// The value as `f32` bits, above 0; 0 where there is none.
    value: CountColumn,
    /// m: simulations that a value is worth.
    weight: f32,
}

/// Builds the model.
pub fn build(params: &NetValue, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Estimator>, recipe::Error> {
    blueprint.need_win(VARIANT.name)?;
    blueprint.read_value(VARIANT.name);
    let weight = 1.0 / (4.0 * params.sd * params.sd);
    Ok(Box::new(ValueEstimator { value: blueprint.layout.count(), weight }))
}

impl Estimator for ValueEstimator {
    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        cx.node.read_floats(self.value, &mut out.mean);
        out.is_uncertain = true;
        let neutral = cx.reward.neutral();
        for (mean, weight) in out.mean.iter_mut().zip(&mut out.weight) {
            let is_known = *mean > 0.0;
            *weight = if is_known { self.weight } else { 0.0 };
            *mean = if is_known { *mean } else { neutral };
        }
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let Some(value) = visit.value else { return };
        let cell = &cx.node.counts(self.value)[visit.chosen.idx()];
        if cell.load(Relaxed) == 0 {
            // A sure loss is told from no value at all.
            cell.store(value.max(f32::MIN_POSITIVE).to_bits(), Relaxed);
        }
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
        // sd = 0.1: 1/(4·0.01) = 25 simulations. The value is the last position's, as the mover at the arm sees it.
        let trial = Trial::new(&[model("value"), model("mc")], None);
        let none = (0.5, 0.0);
        trial.expect(0, [none; 5]);
        trial.play_valued(&[0], 1.0, 0.75);
        trial.play_valued(&[2], 0.25, 0.0);
        trial.play(&[3, 1], 1.0, 1);
        trial.expect(0, [(0.75, 25.0), none, (0.0, 25.0), none, none]);
        // Another answer about the same position changes nothing, and a value below belongs to the node below: White's there.
        trial.play_valued(&[0], 0.0, 0.125);
        trial.grow(0, &[1, -1]);
        trial.play_valued(&[0, 1], 0.0, 0.25);
        trial.expect(0, [(0.75, 25.0), none, (0.0, 25.0), none, none]);
        trial.expect_below(0, 0, [(0.75, 25.0), none]);
        trial.expect(1, [(1.0 / 3.0, 3.0), none, (0.25, 1.0), (1.0, 1.0), none]);
    }

    #[test]
    fn a_smaller_error_is_more_simulations() {
        let trial = Trial::new(&[model("value:sd=0.05")], None);
        trial.play_valued(&[1], 1.0, 0.5);
        trial.expect(0, [(0.5, 0.0), (0.5, 100.0), (0.5, 0.0), (0.5, 0.0), (0.5, 0.0)]);
    }

    #[test]
    fn points_are_refused() {
        let mut blueprint = Blueprint::drawn(&["value"], Gives::default(), Reward::Score);
        let error = build(&NetValue::default(), &mut blueprint).err().unwrap().to_string();
        assert_eq!(error, "`value` cannot be used here: it needs win rates; choose reward=win");
    }
}
