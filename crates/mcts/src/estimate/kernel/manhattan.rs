//! Points close to each other are similar: k(a, b) = (D − (|Δx| + |Δy|)) / (D + 2), D being the largest distance on the
//! board, (W − 1) + (H − 1); on 9×9 it is (16 − d)/18. [You 4.3, with the brackets his formula lacks]
//!
//! So a point is D/(D + 2) similar to itself and not at all to the opposite corner. Actions without a place, such as a
//! pass, are similar to themselves only: k = 1.

use super::Kernel;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};
use crate::game::{Action, ActionDistances};
use std::sync::Arc;

recipe::params! {
    /// Points close to each other are similar: falls with the distance along the lines.
    pub struct Manhattan as "manhattan" {}
}

/// Builds the kernel.
pub fn build(_params: &Manhattan, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Kernel>, recipe::Error> {
    Ok(Box::new(ByDistance { distances: blueprint.need_distances(VARIANT.name)? }))
}

/// The kernel with the distances of its game.
struct ByDistance {
    distances: Arc<ActionDistances>,
}

impl Kernel for ByDistance {
    fn weigh(&self, cx: &Cx<'_>, visit: &Visit<'_>, out: &mut [f32]) {
        let chosen = cx.node.action(visit.chosen);
        for (k, action) in out.iter_mut().zip(cx.node.actions()) {
            *k = similarity(&self.distances, action, chosen) as f32;
        }
    }
}

/// k(a, b), 0..=1.
pub(in crate::estimate) fn similarity(distances: &ActionDistances, a: Action, b: Action) -> f64 {
    let largest = distances.max;
    match distances.get(a, b) {
        Some(distance) => f64::from(largest.saturating_sub(distance)) / f64::from(largest + 2),
        None if a == b => 1.0,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameFacts};
    use crate::go::GoGame;
    use goban::{Move, Size, SizeClass, Upto9, Vertex};

    #[test]
    fn worked_by_hand() {
        // On 9×9 D = 16: a point and itself 16/18, two points a step apart 15/18, a knight's move 13/18, opposite
        // corners 0. On 5×3 D = 4 + 2 = 6: opposite corners 0, the ends of the long side (6 − 4)/8 = ¼.
        let at = |x, y| GoGame::<Upto9>::action(Move::at(Upto9::point(Vertex::new(x, y))));
        let pass = GoGame::<Upto9>::action(Move::PASS);
        let distances = |size: Size| {
            let game = GoGame::<Upto9>::new(size, 7.5);
            ActionDistances::measure(&GameFacts::of(&game, &|a, b| game.distance(a, b)))
        };
        let nine = distances(Size::square(9).unwrap());
        let k = |a, b| similarity(&nine, a, b);
        assert_eq!(k(at(4, 4), at(4, 4)), 16.0 / 18.0);
        assert_eq!(k(at(4, 4), at(3, 4)), 15.0 / 18.0);
        assert_eq!(k(at(2, 2), at(4, 3)), 13.0 / 18.0);
        assert_eq!(k(at(0, 0), at(8, 8)), 0.0);
        assert_eq!((k(pass, pass), k(pass, at(0, 0)), k(at(0, 0), pass)), (1.0, 0.0, 0.0));
        let small = distances(Size::new(5, 3).unwrap());
        assert_eq!(similarity(&small, at(0, 0), at(4, 2)), 0.0);
        assert_eq!(similarity(&small, at(0, 0), at(4, 0)), 0.25);
    }
}
