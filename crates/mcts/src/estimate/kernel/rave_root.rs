//! Arms that AMAF finds good at the root learn more: k(a, b) = Q̃(root, a), whatever arm b was taken. It is no
//! similarity between two arms but trust in one of them. [You 4.3, "rather a pseudo kernel"]
//!
//! Q̃(root, a) is what `rave` says at the root at that moment, ½ where it has nothing to say. It is seen by the player to
//! move at the root, and is used as it stands at nodes of both players: the formula makes no difference between them, and
//! a point good for one is more often good for the other than bad.

use super::{Kernel, MAX_ARMS, set_pass_apart};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};
use crate::estimate::amaf::{AmafColumns, match_arms};
use crate::estimate::mc::divide;
use crate::estimate::rave::RaveColumns;
use crate::tree::Node;
use crate::tree::layout::CountColumn;
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// Arms whose action AMAF finds good at the root learn more.
    pub struct RaveRoot as "rave-root" {}
}

/// The kernel, with the columns of `rave`.
struct ByRoot {
    columns: AmafColumns,
}

/// Builds the kernel.
pub fn build(_params: &RaveRoot, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Kernel>, recipe::Error> {
    blueprint.need_win(VARIANT.name)?;
    blueprint.model_idx("rave", VARIANT.name)?;
    let RaveColumns(columns) = blueprint.shared();
    Ok(Box::new(ByRoot { columns }))
}

impl Kernel for ByRoot {
    fn weigh(&self, cx: &Cx<'_>, visit: &Visit<'_>, out: &mut [f32]) {
        out.fill(cx.reward.neutral());
        let Some(root) = cx.tree.node(cx.root) else { return };
        let mut scratch = [0.0; MAX_ARMS];
        let Some(values) = scratch.get_mut(..root.n_children()) else { return };
        self.read(root, cx.reward.neutral(), values);
        // Actions that the root does not have keep the neutral value.
        match_arms(root, cx.node, |arm_idx, child| {
            child.into_iter().for_each(|child| out[arm_idx] = values[child.idx()]);
        });
        set_pass_apart(cx, visit, out);
    }
}

impl ByRoot {
    /// Writes Q̃ of every arm of the root.
    fn read(&self, root: Node<'_>, neutral: f32, out: &mut [f32]) {
        let mut scratch = [0.0; MAX_ARMS];
        let n = &mut scratch[..out.len()];
        root.read_tallies(self.columns.tally, out, n);
        if let Some([visits, sum]) = self.columns.pseudo {
            let add = |column: CountColumn, to: &mut [f32]| {
                for (x, cell) in to.iter_mut().zip(root.counts(column)) {
                    *x += f32::from_bits(cell.load(Relaxed));
                }
            };
            add(visits, n);
            add(sum, out);
        }
        divide(out, n, neutral);
        // A mean of rewards in 0..=1; threads that are between sum and count must not show.
        out.iter_mut().for_each(|q| *q = q.clamp(0.0, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use crate::estimate::trial::{Trial, model};

    fn trial() -> Trial {
        Trial::new(&[model("rave"), model("lwr:kernel=rave-root")], None)
    }

    #[test]
    fn worked_by_hand_at_the_root() {
        // B0 W3 B1, won: rave has Q̃ = (1, 1, –, –), so k = (1, 1, ½, ½): sums (1, 1, ½, ½), weights the same.
        // B0 W1 B2, lost: Q̃ = (½, 1, 0, –), k = (½, 1, 0, ½): sums unchanged, weights (1½, 2, ½, 1).
        // The pass is similar to none of them.
        let trial = trial();
        trial.play(&[0, 3, 1], 1.0, 1);
        trial.play(&[0, 1, 2], 0.0, 1);
        trial.expect(1, [(1.0 / 1.5, 1.5), (0.5, 2.0), (1.0, 0.5), (0.5, 1.0), (0.5, 0.0)]);
    }

    #[test]
    fn worked_by_hand_below_the_root() {
        // The root has 0, 1, 2, 3 and the pass. B0 W1 B2, won by Black: Q̃(root) = (1, –, 1, –).
        // Then White's node below B0 has the arms 3, 4, 2, 1 in that order; B0 W3 B1, won by White: the node learns
        // before the root does, so k = (½, ½ for the unknown 4, 1, ½), and White's reward is 1.
        let trial = trial();
        trial.play(&[0, 1, 2], 1.0, 1);
        trial.grow(0, &[3, 4, 2, 1]);
        trial.play(&[0, 3, 1], 0.0, 1);
        trial.expect_below(0, 1, [(1.0, 0.5), (1.0, 0.5), (1.0, 1.0), (1.0, 0.5)]);
    }

    #[test]
    fn a_prior_counts_at_the_root() {
        // H = ¾ worth C̃ = 2 everywhere. B0 W3, lost: Q̃(0) = 1½/3, the others ¾. So k = (½, ¾, ¾, ¾), added to the
        // regression's own 2 visits of H: arm 0 is 1½/2½, the others 1½/2¾, the pass stays.
        let trial = Trial::new(&[model("rave"), model("lwr:kernel=rave-root")], Some((0.75, 0.0, 2.0)));
        trial.play(&[0, 3], 0.0, 1);
        let other = (1.5 / 2.75, 2.75);
        trial.expect(1, [(0.6, 2.5), other, other, other, (0.75, 2.0)]);
    }

    #[test]
    fn a_hopeless_arm_learns_nothing() {
        // Four million losses through 0 and 1: Q̃ = 0, so k = 0 and the arms stay at ½ with nothing behind them.
        let trial = trial();
        trial.play(&[0, 3, 1], 0.0, 4_000_000);
        trial.expect(1, [(0.5, 0.0), (0.5, 0.0), (0.0, 2e6), (0.0, 2e6), (0.5, 0.0)]);
    }
}
