//! AMAF, for the first owner of a point only: as `rave`, but where both players play the same action after
//! a node (a recapture), a simulation counts for its arm only if the mover at the node was the first of the two.
//! [Hsu; Gelly & Silver 2007 credit the first play of a point by either player]

use super::Estimator;
use super::amaf::{AmafColumns, AmafModel};
use crate::blueprint::{Blueprint, SharedColumns};
use crate::game::Action;
use crate::trace::{FirstPlies, first_ply};

recipe::params! {
    /// As rave, but a point both players play counts only for who played it first.
    pub struct AmafFirst as "amaf-first" {}
}

/// Builds the model.
pub fn build(
    _params: &AmafFirst,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Estimator>, recipe::Error> {
    Ok(Box::new(AmafModel::new(AmafColumns::claim(&mut blueprint.layout), 1, was_first)))
}

/// Whether the mover played the action at or after the trace's depth, and before the other side if that one did too.
#[inline]
fn was_first(own: &FirstPlies, other: &FirstPlies, action: Action) -> bool {
    // Never is later than any ply.
    first_ply(own, action) < first_ply(other, action)
}

#[cfg(test)]
mod tests {
    use crate::estimate::rave::tests::check;

    #[test]
    fn worked_by_hand() {
        // B0 W1 B2 W0 B1, won: Black was first at 0 and 2; at 1 White was, so Black's later play does not count.
        // B0 W2 B3 W3 B2, lost: Black was first at 0 and 3; at 2 White was.
        // Arm 0: (1 + 0)/2; arm 1: nothing, ½; arm 2: 1/1; arm 3: 0/1; the pass: nothing.
        let simulations: [(&[i16], f32, u32); 2] = [(&[0, 1, 2, 0, 1], 1.0, 1), (&[0, 2, 3, 3, 2], 0.0, 1)];
        let expected = [(0.5, 2.0), (0.5, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.0)];
        check("amaf-first", None, &simulations, expected);
    }

    #[test]
    fn extremes() {
        // Nothing seen: ½. Four million draws in 3, with Black's and White's passes between.
        let none = (0.5, 0.0);
        check("amaf-first", None, &[], [none; 5]);
        let simulations: [(&[i16], f32, u32); 1] = [(&[-1, -1, 3], 0.5, 4_000_000)];
        let expected = [none, none, none, (0.5, 4e6), none];
        check("amaf-first", None, &simulations, expected);
    }
}
