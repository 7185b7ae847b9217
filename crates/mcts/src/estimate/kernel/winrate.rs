//! Arms that win as often are similar: k(a, b) = 1 − |Q(a) − Q(b)|, Q as `mc` gives it at that moment, ½ for an arm
//! without visits. [You 4.3]
//!
//! If `mc` stands before the regression in the recipe, the visit that is learned from is already in Q(b).

use super::{Kernel, MAX_ARMS, set_pass_apart};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};
use crate::estimate::mc::{self, divide};
use crate::tree::layout::{CountColumn, SumColumn};

recipe::params! {
    /// Arms that win as often are similar: 1 − |Q(a) − Q(b)|.
    pub struct Winrate as "winrate" {}
}

/// The kernel, with the columns of `mc`.
struct ByWins {
    sum: SumColumn,
    /// C as `f32` bits, if there is a prior that gives values.
    pseudo: Option<CountColumn>,
}

/// Builds the kernel.
pub fn build(_params: &Winrate, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Kernel>, recipe::Error> {
    blueprint.need_win(VARIANT.name)?;
    blueprint.model_idx("mc", VARIANT.name)?;
    let mc::McColumns { sum } = blueprint.shared();
    Ok(Box::new(ByWins { sum, pseudo: blueprint.layout.h.map(|prior| prior.visits) }))
}

impl Kernel for ByWins {
    fn weigh(&self, cx: &Cx<'_>, visit: &Visit<'_>, out: &mut [f32]) {
        cx.node.read_sums(self.sum, out);
        let mut scratch = [0.0; MAX_ARMS];
        let n = &mut scratch[..out.len()];
        cx.node.read_visits(n);
        if let Some(pseudo) = self.pseudo {
            let mut scratch = [0.0; MAX_ARMS];
            let pseudo_visits = &mut scratch[..out.len()];
            cx.node.read_floats(pseudo, pseudo_visits);
            n.iter_mut().zip(pseudo_visits).for_each(|(n, pseudo)| *n += *pseudo);
        }
        divide(out, n, cx.reward.neutral());
        compare(out, visit.chosen.idx());
        set_pass_apart(cx, visit, out);
    }
}

/// Turns win rates into similarities to one of them.
fn compare(rates: &mut [f32], chosen: usize) {
    let rate = rates[chosen];
    for q in rates {
        // Rewards are 0..=1; what rounding makes of them may be a little more.
        *q = (1.0 - (*q - rate).abs()).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::trial::{Trial, model};

    #[test]
    fn similarities() {
        // To the arm that wins ¾: itself 1, a sure win ¾, a sure loss ¼, an even arm ¾.
        let mut rates = [0.75, 1.0, 0.0, 0.5];
        compare(&mut rates, 0);
        assert_eq!(rates, [1.0, 0.75, 0.25, 0.75]);
        // A sure win and a sure loss have nothing in common.
        let mut rates = [1.0, 0.0];
        compare(&mut rates, 1);
        assert_eq!(rates, [0.0, 1.0]);
    }

    #[test]
    fn worked_by_hand() {
        // Arm 0 won: Q = (1, ½, ½, ½), so k = (1, ½, ½, ½), and as many wins.
        // Arm 1 lost: Q = (1, 0, ½, ½), k = (0, 1, ½, ½), no wins.
        // The pass lost: it is similar to itself only.
        let trial = Trial::new(&[model("mc"), model("lwr:kernel=winrate")], None);
        trial.play(&[0, 1], 1.0, 1);
        trial.play(&[1, 0], 0.0, 1);
        trial.play(&[-1, 0], 0.0, 1);
        trial.expect(1, [(1.0, 1.0), (0.5 / 1.5, 1.5), (0.5, 1.0), (0.5, 1.0), (0.0, 1.0)]);
    }

    #[test]
    fn pseudo_visits_count() {
        // All arms start at H = 1 with C = 1 and C̃ = 0. Arm 0 lost: Q(0) = (1 + 0)/2, the others 1, k = (1, ½, ½, ½).
        let trial = Trial::new(&[model("mc"), model("lwr:kernel=winrate")], Some((1.0, 1.0, 0.0)));
        trial.play(&[0, 1], 0.0, 1);
        trial.expect(1, [(0.0, 1.0), (0.0, 0.5), (0.0, 0.5), (0.0, 0.5), (0.5, 0.0)]);
    }
}
