//! Generalised rapid action value estimation: as `rave`, but a node with few visits takes the statistics of its nearest
//! ancestor that has enough, and of the root if none has. [Cazenave 2015]
//!
//! The statistics of an ancestor are those of the same side's moves, whoever is to move there: so a node also counts what
//! the opponent of its mover played, in a second tally. The ancestor lists the points that were free then; an arm that
//! it does not have (a point that was captured since) has the node's own. A prior is always the node's own. With no visits
//! needed it is `rave`.

use super::Estimator;
use super::amaf::{AmafColumns, AmafModel, nearest, was_played};
use crate::blueprint::{Blueprint, SharedColumns};
use crate::cx::{Cx, Estimates, Priors, Visit};
use crate::game::Action;
use crate::trace::FirstPlies;
use crate::tree::Node;
use crate::tree::layout::{Layout, NodeCount, TallyColumn};
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// As rave, but nodes with few visits take the statistics of the nearest ancestor that has more.
    pub struct Grave as "grave" {
        visits: u32 = 50, 0..=1000000000, "visits a node needs before its own statistics count";
        near: u32 = 1, 1..=8, "weight of a move that came at once, as in rave-distance";
    }
}

/// Builds the model.
pub fn build(params: &Grave, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Estimator>, recipe::Error> {
    Ok(from_ancestors(&mut blueprint.layout, params.visits, params.near))
}

/// The model, for another that makes something of it.
pub(super) fn from_ancestors(layout: &mut Layout, visits: u32, near: u32) -> Box<dyn Estimator> {
    let amaf = AmafModel::new(AmafColumns::claim(layout), near, was_played);
    match visits {
        0 => Box::new(amaf),
        _ => Box::new(FromAncestors { amaf, visits, other: layout.tally(), seen: layout.node_count() }),
    }
}

/// The model with its columns.
struct FromAncestors<F> {
    /// The moves of the mover.
    amaf: AmafModel<F>,
    visits: u32,
    /// ñ and w̃ of the moves of the mover's opponent, as that one sees them.
    other: TallyColumn,
    /// Visits of the node that have come to an end.
    seen: NodeCount,
}

impl<F> Estimator for FromAncestors<F>
where
    F: Fn(&FirstPlies, &FirstPlies, Action) -> bool + Send + Sync,
{
    fn reads_trace(&self) -> bool {
        true
    }

    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        let tally = self.amaf.columns.tally;
        let source = nearest(cx, |node| node.node_count(self.seen).load(Relaxed) >= self.visits);
        if source.id() == cx.node.id() {
            cx.node.read_tallies(tally, &mut out.mean, &mut out.weight);
        } else {
            let column = if source.mover() == cx.mover { tally } else { self.other };
            let Estimates { mean, weight, ancestors, .. } = out;
            ancestors.read((cx.tree, cx.node), (source, column), tally, (mean, weight));
        }
        self.amaf.finish(cx, out);
    }

    fn seed(&self, node: Node<'_>, old: &Priors, new: &Priors) {
        self.amaf.seed(node, old, new);
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        self.amaf.observe(cx, visit);
        let plies = (visit.trace.first_plies(!cx.mover), visit.trace.first_plies(cx.mover));
        self.amaf.credit(cx.node, self.other, plies, cx.reward.flip(visit.reward), visit);
        cx.node.node_count(self.seen).fetch_add(visit.weight, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use crate::estimate::trial::{Trial, model};

    #[test]
    fn worked_by_hand() {
        // Three visits are needed. White's node below B0 has the arms 1, 2, 4 and 3; 4 is no arm of the root.
        let trial = Trial::new(&[model("grave:visits=3"), model("rave")], None);
        trial.grow(0, &[1, 2, 4, 3]);
        // 1. B1 W2 B0 W3, won by Black: at the root White played 2 and 3, and lost.
        // 2. B0 W1 B2 W4, lost by Black: at the root White played 1 and 4, and won; so he did below B0.
        trial.play(&[1, 2, 0, 3], 1.0, 1);
        trial.play(&[0, 1, 2, 4], 0.0, 1);
        // The node below B0 was visited once, the root twice: neither has three, so it is the root. White's 1 won there,
        // 2 and 3 lost; of the 4 the root knows nothing, and the node itself has seen it won.
        trial.expect_below(0, 0, [(1.0, 1.0), (0.0, 1.0), (1.0, 1.0), (0.0, 1.0)]);
        // RAVE has only what went through the node.
        trial.expect_below(0, 1, [(1.0, 1.0), (0.5, 0.0), (1.0, 1.0), (0.5, 0.0)]);
        // The root itself has no ancestor.
        assert_eq!(trial.estimates(0), trial.estimates(1));
        // 3. and 4. B0 W1 B3, won by Black: now the node has its three visits and speaks for itself: 1 is 1 of 3.
        trial.play(&[0, 1, 3], 1.0, 2);
        trial.expect_below(0, 0, [(1.0 / 3.0, 3.0), (0.5, 0.0), (1.0, 1.0), (0.5, 0.0)]);
    }

    #[test]
    fn the_same_side_two_plies_up() {
        // Black's node below B0 W1 with its arms 2 and 3, unvisited; below B0 is one visit, at the root are three.
        let trial = Trial::new(&[model("grave:visits=3")], None);
        trial.grow(0, &[1, 2, 3]);
        trial.grow_deeper(0, 1, &[2, 3]);
        trial.play(&[2, 1, 3], 1.0, 1);
        trial.play(&[3, 1], 0.0, 1);
        trial.play(&[0, 2, 3], 0.0, 1);
        // Black at the root: 2 won once, 3 won once and lost twice.
        trial.expect_deeper([0, 1], 0, [(1.0, 1.0), (1.0 / 3.0, 3.0)]);
    }

    #[test]
    fn priors_stay_and_weights_may_be_large() {
        // H = ¾ worth C̃ = 4 at every node. B1 W2, four million losses of Black: White's 2 won as often.
        let trial = Trial::new(&[model("grave:visits=1000000000")], Some((0.75, 9.0, 4.0)));
        trial.grow(0, &[1, 2]);
        trial.expect_below(0, 0, [(0.75, 4.0); 2]);
        trial.play(&[1, 2], 0.0, 4_000_000);
        trial.expect_below(0, 0, [(0.75, 4.0), ((3.0 + 4e6) / (4.0 + 4e6), 4e6 + 4.0)]);
    }

    #[test]
    fn distance_weighs_as_in_rave_distance() {
        // B0 W1 B2 W3, won by White, T = 4 and two parts: at the root White's 1 weighs 2 and his 3 weighs 1. The node below B1
        // has no visits of its own.
        let trial = Trial::new(&[model("grave:near=2"), model("rave-distance:near=2")], None);
        trial.grow(1, &[1, 3]);
        trial.play(&[0, 1, 2, 3], 0.0, 1);
        trial.expect_below(1, 0, [(1.0, 2.0), (1.0, 1.0)]);
        assert_eq!(trial.estimates(0), trial.estimates(1));
    }
}
