//! Actions of one simulation are similar: k(a, b) = 1 if the mover played both at the node or later in this simulation, 0
//! otherwise. Since b, the arm taken, was played, this makes the regression the same as `rave`. [You 4.4, eq. 4.32]
//!
//! As for `rave`, passes are ignored: a pass that was taken hides nothing, and the pass itself learns nothing.

use super::Kernel;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};

recipe::params! {
    /// Actions the mover plays in the same simulation are similar; the regression becomes rave.
    pub struct AmafKernel as "amaf" {}
}

/// Builds the kernel.
pub fn build(params: &AmafKernel, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Kernel>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Kernel for AmafKernel {
    fn reads_trace(&self) -> bool {
        true
    }

    fn weigh(&self, cx: &Cx<'_>, visit: &Visit<'_>, out: &mut [f32]) {
        let pass = cx.pass;
        for (k, action) in out.iter_mut().zip(cx.node.actions()) {
            let is_played = visit.trace.first_play(cx.mover, action).is_some() && Some(action) != pass;
            *k = if is_played { 1.0 } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::estimate::trial::{Trial, model};

    #[test]
    fn worked_by_hand() {
        // B0 W1 B2 W0 B1, won: Black played 0, 2 and 1. B- W0 B0 W3 B0, a draw: 0, once.
        // Arm 0: (1 + ½)/2; arms 1 and 2: 1/1; 3 and the pass: nothing.
        let trial = Trial::new(&[model("lwr:kernel=amaf")], None);
        trial.play(&[0, 1, 2, 0, 1], 1.0, 1);
        trial.play(&[-1, 0, 0, 3, 0], 0.5, 1);
        trial.expect(0, [(0.75, 2.0), (1.0, 1.0), (1.0, 1.0), (0.5, 0.0), (0.5, 0.0)]);
    }

    #[test]
    fn the_same_as_rave() {
        let simulations: [(&[i16], f32, u32); 5] = [
            (&[0, 1, 2, 0, 1], 1.0, 1),
            (&[1, 0, -1, 3, 3, -1], 0.0, 3),
            (&[-1, 0, 0, 3, 0], 0.5, 1),
            (&[3, 0], 1.0, 4_000_000),
            (&[2, 3, 3], 0.25, 7),
        ];
        for priors in [None, Some((0.75, 3.0, 4.0))] {
            let trial = Trial::new(&[model("rave"), model("lwr:kernel=amaf")], priors);
            for (moves, reward, weight) in simulations {
                trial.play(moves, reward, weight);
                assert_eq!(trial.estimates(0), trial.estimates(1));
            }
        }
    }
}
