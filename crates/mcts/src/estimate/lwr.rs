//! Locally weighted regression: Q̂(s,a) = Σᵢ k(a, aᵢ)·zᵢ / Σᵢ k(a, aᵢ) over all visits i of s, aᵢ the arm taken and zᵢ the
//! reward; the [`kernel`] k says how similar two arms are. [You 4.2, eq. 4.30]
//!
//! Each visit adds k·z and k to every arm of the node. The weight of the estimate is Σ k. A prior with equivalent
//! experience C̃ (that of AMAF) and value H starts an arm as C̃ visits of similarity 1 would.

use super::Estimator;
use super::kernel::{self, Kernel, MAX_ARMS};
use super::mc::divide;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Priors, Visit};
use crate::tree::layout::{FINE, SumColumn};
use crate::tree::{ChildIdx, Node};

recipe::params! {
    /// Mean reward of all simulations through the node, weighted by the similarity of their arm to this one.
    pub struct Lwr as "lwr" {
        kernel: choice(kernel::FAMILY) = "manhattan", "how similar two arms are";
    }
}

/// The model with its columns.
struct Regression {
    kernel: Box<dyn Kernel>,
    /// Σ k·z as the mover sees it.
    sum: SumColumn,
    /// Σ k.
    weight: SumColumn,
}

/// Builds the model.
pub fn build(params: &Lwr, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Estimator>, recipe::Error> {
    let n_arms = blueprint.facts.max_arms;
    if n_arms > MAX_ARMS {
        let why = format!("it compares at most {MAX_ARMS} arms, and this game has up to {n_arms}");
        return Err(recipe::Error::unsuitable(VARIANT.name, why));
    }
    let kernel = kernel::build(&params.kernel, blueprint)?;
    let layout = &mut blueprint.layout;
    Ok(Box::new(Regression { kernel, sum: layout.sum(FINE), weight: layout.sum(FINE) }))
}

impl Estimator for Regression {
    fn reads_trace(&self) -> bool {
        self.kernel.reads_trace()
    }

    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        cx.node.read_sums(self.sum, &mut out.mean);
        cx.node.read_sums(self.weight, &mut out.weight);
        divide(&mut out.mean, &out.weight, cx.reward.neutral());
    }

    fn seed(&self, node: Node<'_>, old: &Priors, new: &Priors) {
        for child_idx in 0..new.h.len() {
            let child = ChildIdx(child_idx as u16);
            let (before, now) = (old.amaf_visits[child_idx], new.amaf_visits[child_idx]);
            node.add_sum(self.sum, child, new.h[child_idx] * now - old.h[child_idx] * before);
            node.add_sum(self.weight, child, now - before);
        }
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let mut scratch = [0.0; MAX_ARMS];
        let Some(similarities) = scratch.get_mut(..cx.node.n_children()) else { return };
        self.kernel.weigh(cx, visit, similarities);
        let weight = visit.weight as f32;
        let gain = visit.reward * weight;
        for (child_idx, &k) in similarities.iter().enumerate() {
            debug_assert!(k.is_finite() && k >= 0.0, "a similarity of {k}");
            // Some kernels leave most arms out, and half the simulations are lost and have nothing to add.
            if k > 0.0 {
                let child = ChildIdx(child_idx as u16);
                cx.node.add_sum(self.weight, child, k * weight);
                if gain != 0.0 {
                    cx.node.add_sum(self.sum, child, k * gain);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::estimate::trial::{Trial, model};

    #[test]
    fn worked_by_hand() {
        // On 5×5 k = (8 − d)/10, and the arms 0 to 3 lie in a row. 0 won: k = (.8, .7, .6, .5), and as much reward.
        // 3 lost: k = (.5, .6, .7, .8). The pass was a draw: k = 1 for itself, 0 for the others.
        let trial = Trial::new(&[model("lwr")], None);
        trial.expect(0, [(0.5, 0.0); 5]);
        trial.play(&[0, 1], 1.0, 1);
        trial.play(&[3, 1], 0.0, 1);
        trial.play(&[-1, 1], 0.5, 1);
        let expected =
            [(8.0 / 13.0, 1.3), (7.0 / 13.0, 1.3), (6.0 / 13.0, 1.3), (5.0 / 13.0, 1.3), (0.5, 1.0)];
        trial.expect(0, expected);
    }

    #[test]
    fn large_weights_and_priors() {
        // H = ¾ worth C̃ = 4; then ten million wins in 0: (3 + 8·10⁶)/(4 + 8·10⁶), and so on; the pass keeps its prior.
        let trial = Trial::new(&[model("lwr")], Some((0.75, 100.0, 4.0)));
        trial.expect(0, [(0.75, 4.0); 5]);
        trial.play(&[0, 1], 1.0, 10_000_000);
        trial.expect(0, [(1.0, 8e6), (1.0, 7e6), (1.0, 6e6), (1.0, 5e6), (0.75, 4.0)]);
    }
}
