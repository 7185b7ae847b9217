//! Rapid action value estimation: Q̃ = w̃ / ñ. A simulation through a node counts for every arm whose action the mover
//! there played at that node or later, tree and playout alike, however often he played it. [You 3.5; Gelly & Silver 2007,
//! §6; Gelly & Silver 2011, Alg. 2, with a_u in place of its a_t in the line that updates Q̃]
//!
//! For node s_t each a_u with u = t, t+2, … is credited at its first occurrence, so an arm gains at most one visit per
//! simulation; the trace's first-play map answers in constant time whether it does. Passes are ignored: ñ of a pass stays
//! 0. A prior with equivalent experience C̃ and value H starts an arm at ñ = C̃, w̃ = C̃·H.

use super::Estimator;
use super::amaf::{AmafColumns, AmafModel, was_played};
use crate::blueprint::{Blueprint, SharedColumns};
use crate::tree::layout::Layout;

recipe::params! {
    /// Mean reward of the simulations in which the mover played the arm's action now or later.
    pub struct Rave as "rave" {}
}

/// The columns of this model, which kernels may read.
#[derive(Debug, Clone, Copy)]
pub(super) struct RaveColumns(pub(super) AmafColumns);

impl SharedColumns for RaveColumns {
    fn claim(layout: &mut Layout) -> RaveColumns {
        RaveColumns(AmafColumns::claim(layout))
    }
}

/// Builds the model.
pub fn build(_params: &Rave, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Estimator>, recipe::Error> {
    let RaveColumns(columns) = blueprint.shared();
    Ok(Box::new(AmafModel::new(columns, 1, was_played)))
}

#[cfg(test)]
pub(super) mod tests {
    use crate::estimate::trial::{Trial, model};

    /// Asserts mean and weight of each arm after `simulations`: their moves from the root on, Black first (`-1` a pass), with
    /// Black's reward and a weight; `prior` is H and C̃.
    #[track_caller]
    pub(crate) fn check(
        text: &str,
        prior: Option<(f32, f32)>,
        simulations: &[(&[i16], f32, u32)],
        expected: [(f32, f32); 5],
    ) {
        let trial = Trial::new(&[model(text)], prior.map(|(h, amaf_visits)| (h, 0.0, amaf_visits)));
        for &(moves, reward, weight) in simulations {
            trial.play(moves, reward, weight);
        }
        trial.expect(0, expected);
    }

    #[test]
    fn worked_by_hand() {
        // B0 W1 B2 W0 B1, won: Black played 0, 2 and 1 (after White); 3 and the pass were not.
        // B0 W2 B3 W- B-, lost: Black played 0 and 3; 2 was White's; the pass does not count.
        // B- W0 B0 W3 B0, a draw: Black played 0, once for the count though twice on the board.
        // Arm 0: (1 + 0 + ½)/3; arms 1 and 2: 1/1; arm 3: 0/1; the pass: nothing, ½.
        let simulations: [(&[i16], f32, u32); 3] =
            [(&[0, 1, 2, 0, 1], 1.0, 1), (&[0, 2, 3, -1, -1], 0.0, 1), (&[-1, 0, 0, 3, 0], 0.5, 1)];
        check("rave", None, &simulations, [(0.5, 3.0), (1.0, 1.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.0)]);
        // Without simulations every arm is at ½ with nothing behind it.
        check("rave", None, &[], [(0.5, 0.0); 5]);
    }

    #[test]
    fn large_weights_and_priors() {
        // Four million wins in 0 and as many losses in 0 and 1: 4·10⁶/(8·10⁶) and 0/(4·10⁶).
        let (n, none) = (4_000_000, (0.5, 0.0));
        let simulations: [(&[i16], f32, u32); 2] = [(&[0], 1.0, n), (&[0, 3, 1], 0.0, n)];
        check("rave", None, &simulations, [(0.5, 8e6), (0.0, 4e6), none, none, none]);
        // Ten million draws: the tally was halved on the way, the mean is the same.
        let draws: [(&[i16], f32, u32); 5] = [(&[0], 0.5, 2_000_000); 5];
        check("rave", None, &draws, [(0.5, 5e6), none, none, none, none]);
        // Prior H = ¾ worth 4 visits, then one win in 0 and 2: (3 + 1)/(4 + 1); the others stay at 3/4.
        let prior = (0.75, 4.0);
        let (seen, unseen) = ((0.8, 5.0), (0.75, 4.0));
        check("rave", Some(prior), &[(&[0, 1, 2], 1.0, 1)], [seen, unseen, seen, unseen, unseen]);
    }
}
