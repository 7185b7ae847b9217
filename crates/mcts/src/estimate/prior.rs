//! The prior as a model of its own: H(s,a) with the weight of its equivalent experience C(s,a), for mixers that take any
//! number of models. It is set when the node is made and never learns. [Gelly & Silver 2007, §7; Gelly & Silver 2011]
//!
//! A prior that is sure of H but adds no visits to `mc` has C = 0; the mean is H all the same.

use super::Estimator;
use crate::cx::{Cx, Estimates};
use crate::game::Game;
use crate::search::Roster;
use crate::tree::layout::{CountColumn, Layout};

recipe::params! {
    /// What the prior said of the arm, H; it never learns.
    pub struct PriorValue as "prior" {}
}

/// The model with the prior's columns: H and C.
#[derive(Debug, Default)]
pub struct Said {
    columns: Option<(CountColumn, CountColumn)>,
}

/// Builds the model.
pub fn build<G: Game>(_params: &PriorValue) -> Result<Box<dyn Estimator<G>>, recipe::Error> {
    Ok(Box::new(Said::default()))
}

impl<G: Game> Estimator<G> for Said {
    fn bind(&mut self, layout: &Layout) {
        self.columns = layout.h.zip(layout.pseudo);
    }

    fn check(&self, _game: &G, roster: &Roster) -> Result<(), recipe::Error> {
        match roster.gives.h {
            true => Ok(()),
            false => Err(recipe::Error::unsuitable(
                VARIANT.name,
                "it shows the value H(s,a) of a prior; choose a prior that gives one, such as prior=even with prior.visits above 0",
            )),
        }
    }

    fn estimate(&self, cx: &Cx<'_, G>, out: &mut Estimates) {
        match self.columns {
            Some((h, visits)) => {
                cx.node.read_floats(h, &mut out.mean);
                cx.node.read_floats(visits, &mut out.weight);
            }
            None => {
                out.mean.fill(cx.reward.neutral());
                out.weight.fill(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::trial::{Trial, model};

    #[test]
    fn worked_by_hand() {
        // H = ¾ and C = 3 (C̃ is another model's), before and after simulations.
        let trial = Trial::new(vec![model("prior")], Some((0.75, 3.0, 50.0)));
        trial.expect(0, [(0.75, 3.0); 5]);
        trial.play(&[0, 1], 0.0, 10_000_000);
        trial.expect(0, [(0.75, 3.0); 5]);
        // A sure loss that is worth nothing; and no prior at all.
        Trial::new(vec![model("prior")], Some((0.0, 0.0, 0.0))).expect(0, [(0.0, 0.0); 5]);
        Trial::new(vec![model("prior")], None).expect(0, [(0.5, 0.0); 5]);
    }

    #[test]
    fn a_recipe_without_values_is_refused() {
        use crate::estimate::trial::Go;
        let game = Go::new(goban::Size::square(5).unwrap(), 7.5);
        let model: Box<dyn Estimator<Go>> = build(&PriorValue::default()).unwrap();
        let mut roster = Roster::default();
        let error = model.check(&game, &roster).unwrap_err().to_string();
        let why = "it shows the value H(s,a) of a prior; choose a prior that gives one, such as prior=even with prior.visits above 0";
        assert_eq!(error, format!("`prior` cannot be used here: {why}"));
        roster.gives.h = true;
        model.check(&game, &roster).unwrap();
    }
}
