//! Planning with Gumbel: a policy improvement even with few simulations. [Danihelka et al. 2022; the arithmetic of its program mctx]
//!
//! At the root each arm draws a Gumbel variate g(a) once. The `candidates` arms with the largest g(a) + ln P(a) are tried, and sequential
//! halving leaves half of them again and again, by g(a) + ln P(a) + σ(q(a)), until two are left and `visits` simulations are made. Within a
//! phase all candidates get as many visits, so who is left is read off the visits: at each simulation those arms stand for choice that have
//! exactly as many as the schedule says. Beyond `visits` the root follows the rule of the other nodes. `pick=gumbel` plays the winner.
//!
//! Below the root the arm is taken whose share of the visits is most behind the improved policy: the largest π′(a) − n/(1 + N) with π′ =
//! softmax(ln P(a) + σ(q(a))).
//!
//! σ(q) = (c_visit + max n)·c_scale·q. For an arm without visits q is v_mix = (v + N·q̄)/(1 + N), q̄ = Σ P(a)·q(a) / Σ P(a) over the arms
//! with visits, v the mean of the samples of the node's own position. v is what the parent has seen through this arm less what the
//! arms have; at the root, and where a prior adds pseudo-visits, it is not known, and v_mix = q̄. Arms without visits are valued here,
//! so an urgency has no say.

use super::noise::gumbel;
use super::{Draw, Selector};
use crate::blueprint::Blueprint;
use crate::cx::{ChildMask, Cx, Estimates, Mixed};
use crate::estimate::mc::McColumns;
use crate::math::{argmax, at_least, ln};
use crate::tree::layout::{CountColumn, SumColumn};
use crate::tree::{ChildIdx, Node};
use goban::Rng;
use model::math::softmax;

recipe::params! {
    /// Sequential halving of a few random candidates at the root, an improved policy below it; for few simulations.
    pub struct Gumbel as "gumbel" {
        visits: u32 = 64, 2..=1_000_000_000, "simulations over which the candidates are halved: those that a move gets";
        candidates: u32 = 16, 2..=1024, "arms of the root that are tried at first";
        c_visit: f32 = 50.0, 0.0..=1_000_000.0, "visits that are added to the most of an arm, which scale values against ln P(a)";
        c_scale: f32 = 1.0, 0.0..=1000.0, "weight of a value for each of these visits";
    }
}

/// Probabilities count as at least this much where their logarithm is taken.
const LEAST_P: f32 = 1e-30;

/// The selector with its columns.
struct GumbelSelector {
    params: Gumbel,
    p: CountColumn,
    /// g(a) as `f32` bits; 0 but at a root.
    g: CountColumn,
    /// The place of the model `mc`, and its column.
    mc: (usize, SumColumn),
    /// Whether a prior adds visits that nobody made.
    has_pseudo_visits: bool,
}

/// Builds the selector.
pub fn build(params: &Gumbel, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    blueprint.need_win(VARIANT.name)?;
    let mc_idx = blueprint.model_idx("mc", VARIANT.name)?;
    let McColumns { sum } = blueprint.shared();
    Ok(Box::new(GumbelSelector {
        params: params.clone(),
        p: blueprint.need_p(VARIANT.name)?,
        g: blueprint.layout.count(),
        mc: (mc_idx, sum),
        has_pseudo_visits: blueprint.gives().h,
    }))
}

impl Selector for GumbelSelector {
    fn values_untried(&self) -> bool {
        true
    }

    fn needs_fresh_tree(&self) -> bool {
        true
    }

    fn ranks_root(&self) -> bool {
        true
    }

    fn begin_root(&self, root: Node<'_>, rng: &mut Rng) {
        let is_drawn = (0..root.n_children()).any(|idx| root.float(self.g, idx) != 0.0);
        if !is_drawn {
            let g: Vec<f32> = (0..root.n_children()).map(|_| gumbel(rng)).collect();
            root.write_floats(self.g, &g);
        }
    }

    /// At the root g(a) + ln P(a) + σ(q(a)), by which candidates are halved and the move is picked; elsewhere π′(a) − n/(1 + N).
    fn score(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        self.rate(cx, models, mixed, out);
        if cx.path.is_empty() {
            cx.node.add_floats(self.g, out);
        } else {
            lag(cx.arms.begun(), cx.arms.begun_total(), out);
        }
    }

    fn select(
        &self,
        cx: &Cx<'_>,
        models: &[Estimates],
        mixed: &Mixed,
        keep: &ChildMask,
        draw: &mut Draw<'_>,
    ) -> ChildIdx {
        self.rate(cx, models, mixed, draw.scores);
        let turn = if cx.path.is_empty() { self.turn(cx.node, keep) } else { None };
        match turn {
            Some(_) => cx.node.add_floats(self.g, draw.scores),
            None => lag(cx.arms.begun(), cx.arms.begun_total(), draw.scores),
        }
        for (child_idx, score) in draw.scores.iter_mut().enumerate() {
            let is_due = turn.is_none_or(|turn| cx.node.begun(ChildIdx(child_idx as u16)) == turn);
            *score = if is_due && keep.allows(child_idx) { *score } else { f32::NEG_INFINITY };
        }
        ChildIdx(argmax(draw.scores, |n| draw.rng.below(n)).unwrap_or(0) as u16)
    }
}

impl GumbelSelector {
    /// Writes ln P(a) + σ(q(a)).
    fn rate(&self, cx: &Cx<'_>, models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        cx.node.read_floats(self.p, out);
        let (n, total) = (cx.arms.begun(), cx.arms.begun_total());
        let unknown = unknown_value(self.own_value(cx, models), total, n, &mixed.value, out)
            .unwrap_or(cx.reward.neutral());
        let most = n.iter().copied().fold(0.0, at_least);
        let scale = (self.params.c_visit + most) * self.params.c_scale;
        for ((out, &n), &value) in out.iter_mut().zip(n).zip(&mixed.value) {
            let q = if n > 0.0 { value } else { unknown };
            *out = ln(at_least(*out, LEAST_P)) + scale * q;
        }
    }

    /// v: the mean of the samples of the node's own position, as its mover sees it.
    fn own_value(&self, cx: &Cx<'_>, models: &[Estimates]) -> Option<f32> {
        let step = cx.path.last().filter(|_| !self.has_pseudo_visits)?;
        let parent = cx.tree.node(step.node)?;
        let visits = parent.visits(step.child) as f32;
        let n_own = visits - cx.arms.total;
        let (mc_idx, sum) = self.mc;
        let mc = &models[mc_idx];
        let below: f32 = mc.mean.iter().zip(&mc.weight).map(|(mean, n)| mean * n).sum();
        // The parent's sum is the opponent's.
        let own = visits - parent.sum(sum, step.child) - below;
        (n_own > 0.0).then(|| (own / n_own).clamp(0.0, 1.0))
    }

    /// The visits of the root's arms whose turn it is; `None` beyond the schedule, and where no arm has that number.
    fn turn(&self, root: Node<'_>, keep: &ChildMask) -> Option<u32> {
        let begun = |child_idx: usize| root.begun(ChildIdx(child_idx as u16));
        let total: u64 = (0..root.n_children()).map(|idx| u64::from(begun(idx))).sum();
        let at = u32::try_from(total).ok().filter(|at| *at < self.params.visits)?;
        let kept = || (0..root.n_children()).filter(|&idx| keep.allows(idx));
        let n_candidates = self.params.candidates.min(kept().count() as u32);
        let turn = due_visits(n_candidates, self.params.visits, at);
        kept().any(|idx| begun(idx) == turn).then_some(turn)
    }
}

/// The visits of the arm that simulation `at` of `n` goes to, when sequential halving begins with `n_candidates`.
fn due_visits(n_candidates: u32, n: u32, at: u32) -> u32 {
    if n_candidates <= 1 {
        return at;
    }
    let n_phases = n_candidates.next_power_of_two().ilog2();
    let (mut left, mut visits, mut at) = (n_candidates, 0, at);
    loop {
        let more = (n / (n_phases * left)).max(1);
        if at / left < more {
            return visits + at / left;
        }
        at -= more * left;
        visits += more;
        left = (left / 2).max(2);
    }
}

/// v_mix: the value of arms without visits, from the node's own value and P(a) of all arms; `None` if nothing is known.
fn unknown_value(own: Option<f32>, total: f32, n: &[f32], values: &[f32], p: &[f32]) -> Option<f32> {
    let (mut p_tried, mut sum) = (0.0, 0.0);
    for ((&n, &value), &p) in n.iter().zip(values).zip(p) {
        if n > 0.0 {
            let p = at_least(p, LEAST_P);
            p_tried += p;
            sum += p * value;
        }
    }
    let mean = (p_tried > 0.0).then(|| sum / p_tried);
    match (own, mean) {
        (Some(own), Some(mean)) => Some((own + total * mean) / (1.0 + total)),
        (own, mean) => own.or(mean),
    }
}

/// Turns ln P(a) + σ(q(a)) into π′(a) − n/(1 + N).
fn lag(n: &[f32], total: f32, out: &mut [f32]) {
    softmax(out);
    out.iter_mut().zip(n).for_each(|(out, n)| *out -= n / (1.0 + total));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::tests::assert_close;

    #[test]
    fn sequential_halving_worked_by_hand() {
        let schedule = |k, n| (0..n).map(|at| due_visits(k, n, at)).collect::<Vec<u32>>();
        // Two phases: 8/(2·4) = 1 visit for each of four, then 8/(2·2) = 2 for each of two.
        assert_eq!(schedule(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        // Three phases: 16/(3·5) = 1 for each of five, 16/(3·2) = 2 for each of two, twice, and the three that are left.
        assert_eq!(schedule(5, 16), [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
        // Fewer simulations than candidates; one candidate; two.
        assert_eq!(schedule(16, 4), [0; 4]);
        assert_eq!((schedule(1, 3), schedule(2, 4)), (vec![0, 1, 2], vec![0, 0, 1, 1]));
        // The published setting: 16 candidates in 64 simulations get 1, 2, 4 and 8 visits in their four phases.
        let schedule = schedule(16, 64);
        let count = |visits| schedule.iter().filter(|&&due| due == visits).count();
        assert_eq!([0, 1, 2, 3, 6, 7, 14].map(count), [16, 8, 8, 4, 4, 2, 2]);
    }

    #[test]
    fn arms_without_visits_worked_by_hand() {
        let (n, values, p) = ([3.0, 0.0, 1.0], [0.5, 1e30, 0.9], [0.3, 0.6, 0.1]);
        // q̄ = (0.3·0.5 + 0.1·0.9)/0.4 = 0.6; with v = 0.1: (0.1 + 4·0.6)/5 = 0.5.
        assert_close(&[unknown_value(Some(0.1), 4.0, &n, &values, &p).unwrap()], &[0.5]);
        assert_close(&[unknown_value(None, 4.0, &n, &values, &p).unwrap()], &[0.6]);
        assert_eq!(unknown_value(Some(0.1), 0.0, &[0.0; 3], &values, &p), Some(0.1));
        assert_eq!(unknown_value(None, 0.0, &[0.0; 3], &values, &p), None);
    }

    #[test]
    fn the_improved_policy_worked_by_hand() {
        // e^0 : e^ln 3 is ¼ : ¾; three visits of four in all: ¼ − 3/5 and ¾ − 1/5.
        let mut scores = [5.0, 5.0 + 3f32.ln()];
        lag(&[3.0, 1.0], 4.0, &mut scores);
        assert_close(&scores, &[-0.35, 0.55]);
        // Before the first visit it is the policy itself, however far apart.
        let mut scores = [0.0, 1000.0];
        lag(&[0.0; 2], 0.0, &mut scores);
        assert_close(&scores, &[0.0, 1.0]);
    }
}
