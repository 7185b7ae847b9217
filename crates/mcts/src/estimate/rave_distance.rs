//! AMAF with weights by distance in time: as `rave`, but a simulation counts more for an arm whose move came
//! soon after the node than for one whose move came late, when it may have had another meaning. [Baudiš & Gailly 2011, the
//! program Pachi; Fuego (Enzenberger et al. 2010) weighs in a straight line from 2 to 1]
//!
//! With T plies from the node to the end of the simulation, a move d plies after the node (d = 0 is the arm that was taken)
//! weighs 1 + ⌊k·(T − 1 − d)/T⌋, k being `near`: k in the first of k equal parts, 1 in the last. Both ñ and w̃ grow by the
//! weight, so ñ is up to k times that of `rave`; with k = 1 the two are the same.

use super::Estimator;
use super::amaf::{AmafColumns, AmafModel, was_played};
use crate::blueprint::{Blueprint, SharedColumns};

recipe::params! {
    /// As rave, but moves that came soon after the node weigh more than late ones.
    pub struct RaveDistance as "rave-distance" {
        near: u32 = 3, 1..=8, "weight of a move that came at once; one at the end of the simulation weighs 1";
    }
}

/// Builds the model.
pub fn build(
    params: &RaveDistance,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Estimator>, recipe::Error> {
    Ok(Box::new(AmafModel::new(AmafColumns::claim(&mut blueprint.layout), params.near, was_played)))
}

#[cfg(test)]
mod tests {
    use crate::estimate::rave::tests::check;
    use crate::estimate::trial::{Trial, model};

    type Simulations<'a> = &'a [(&'a [i16], f32, u32)];

    #[track_caller]
    fn check_near(near: u32, simulations: Simulations<'_>, expected: [(f32, f32); 5]) {
        check(&format!("rave-distance:near={near}"), None, simulations, expected);
    }

    #[test]
    fn worked_by_hand() {
        // B0 W3 B1 W- B2 W-, won: T = 6, three parts of two. 0 came at d = 0 and weighs 3, 1 at d = 2 weighs 2, 2 at d = 4
        // weighs 1. B2 W- B0, lost: T = 3: 2 weighs 3, 0 at d = 2 weighs 1.
        // Arm 0: 3/(3 + 1); arm 1: 2/2; arm 2: 1/(1 + 3); White's 3 and the passes: nothing.
        let simulations: Simulations<'_> = &[(&[0, 3, 1, -1, 2, -1], 1.0, 1), (&[2, -1, 0], 0.0, 1)];
        let none = (0.5, 0.0);
        check_near(3, simulations, [(0.75, 4.0), (1.0, 2.0), (0.25, 4.0), none, none]);
        // Two parts: 0, and 1 at d = 2, weigh 2 and 2 weighs 1 in the first; 2 weighs 2 and 0 weighs 1 in the second.
        check_near(2, simulations, [(2.0 / 3.0, 3.0), (1.0, 2.0), (1.0 / 3.0, 3.0), none, none]);
    }

    #[test]
    fn extremes() {
        let none = (0.5, 0.0);
        check_near(8, &[], [none; 5]);
        // A single move has one part only; a sample of any weight still leaves room for eight times as much.
        check_near(8, &[(&[3], 0.5, 1)], [none, none, none, (0.5, 1.0), none]);
        let heavy = 8.0 * (1 << 19) as f32;
        let late = (1 << 19) as f32;
        let simulations: Simulations<'_> = &[(&[0, 3, -1, -1, -1, -1, 1, -1], 1.0, 4_000_000)];
        check_near(8, simulations, [(1.0, heavy), (1.0, 2.0 * late), none, none, none]);
        // A prior counts as before: ¾ worth 4 visits, then a win that weighs 3.
        let prior = Some((0.75, 4.0));
        let seen = (6.0 / 7.0, 7.0);
        let unseen = (0.75, 4.0);
        check(
            "rave-distance:near=3",
            prior,
            &[(&[0, -1, -1], 1.0, 1)],
            [seen, unseen, unseen, unseen, unseen],
        );
    }

    #[test]
    fn one_part_is_rave() {
        let trial = Trial::new(&[model("rave"), model("rave-distance:near=1")], None);
        let endings: [&[i16]; 3] = [&[0, 1, 2, 3], &[1, 3, 0, 2, 3], &[-1, 2, 3, 1, 1]];
        for round in 0..30 {
            trial.play(endings[round % 3], (round % 2) as f32, 1 + round as u32);
            assert_eq!(trial.estimates(0), trial.estimates(1));
        }
    }
}
