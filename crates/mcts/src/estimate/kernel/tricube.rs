//! Only points nearby are similar: k(a, b) = (1 − (d/h)³)³ for a distance d < h, 0 from there on. [Cleveland 1979: the kernel of
//! locally weighted regression outside of Go]
//!
//! The parameter h is the bandwidth: with h = 1 an arm learns from itself alone, and the larger h, the smoother the estimate. Where
//! `manhattan` reaches over the whole board, this one ends after h − 1 steps. Actions without a place, such as a pass, are similar to
//! themselves only.

use super::Kernel;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};
use crate::game::ActionDistances;
use std::sync::Arc;

recipe::params! {
    /// Only points nearby are similar: (1 − (d/h)³)³ up to the distance h.
    pub struct Tricube as "tricube" {
        h: u32 = 3, 1..=100, "steps from which on points are strangers";
    }
}

/// The kernel with the distances of its game.
struct Nearby {
    distances: Arc<ActionDistances>,
    /// k by distance, as far as it is not 0.
    similarities: Vec<f32>,
}

/// Builds the kernel.
pub fn build(params: &Tricube, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Kernel>, recipe::Error> {
    let similarity = |distance: u32| {
        let share = distance as f32 / params.h as f32;
        let rest = 1.0 - share * share * share;
        rest * rest * rest
    };
    let similarities = (0..params.h).map(similarity).collect();
    Ok(Box::new(Nearby { distances: blueprint.need_distances(VARIANT.name)?, similarities }))
}

impl Kernel for Nearby {
    fn weigh(&self, cx: &Cx<'_>, visit: &Visit<'_>, out: &mut [f32]) {
        let chosen = cx.node.action(visit.chosen);
        for (k, action) in out.iter_mut().zip(cx.node.actions()) {
            *k = match self.distances.get(action, chosen) {
                Some(distance) => self.similarities.get(distance as usize).copied().unwrap_or(0.0),
                None => f32::from(action == chosen),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::estimate::trial::{Trial, model};

    #[test]
    fn worked_by_hand() {
        // The arms 0 to 3 lie in a row. h = 2: k is 1 for the arm itself, (1 − 1/8)³ = 343/512 beside it, 0 beyond.
        // 0 won: weights (1, k, 0, 0). 2 lost: (0, k, 1, k). The pass was a draw: 1 for itself.
        let k = 343.0 / 512.0;
        let trial = Trial::new(&[model("lwr:kernel=tricube,kernel.h=2")], None);
        trial.play(&[0, 1], 1.0, 1);
        trial.play(&[2, 1], 0.0, 1);
        trial.play(&[-1, 1], 0.5, 1);
        trial.expect(0, [(1.0, 1.0), (0.5, 2.0 * k), (0.0, 1.0), (0.0, k), (0.5, 1.0)]);
    }

    #[test]
    fn with_the_smallest_bandwidth_it_is_the_mean() {
        let trial = Trial::new(&[model("mc"), model("lwr:kernel=tricube,kernel.h=1")], None);
        for (moves, reward) in [([0, 1], 1.0), ([0, 2], 0.0), ([3, 1], 1.0), ([-1, 0], 0.5)] {
            trial.play(&moves, reward, 3);
            assert_eq!(trial.estimates(0), trial.estimates(1));
        }
    }
}
