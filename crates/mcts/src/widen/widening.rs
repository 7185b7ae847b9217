//! Progressive widening: only the T = 1 + ln N / ln μ arms with the highest static P(a) are searched.
//! [Ikeda & Viennot 2013, eq. 3; Coulom 2007]
//!
//! N is the number of real visits of the node, those under way included; a prior's pseudo-visits do not count. T is
//! rounded down, so the (k+1)-th arm comes at N = μᵏ; T = 1 for N ≤ 1. Arms of equal P(a) rank in the game's order. The
//! ranks are found once, when the node is made. With μ = 1.0001 all arms are there from the second visit on.

use super::Widener;
use crate::blueprint::Blueprint;
use crate::cx::{ChildMask, Cx, Estimates, Mixed, Priors};
use crate::math::ln;
use crate::tree::layout::CountColumn;
use crate::tree::{ChildIdx, Node};
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// The 1 + ln N / ln μ arms of highest P(a).
    pub struct Widening as "widening" {
        mu: f32 = 1.8, 1.0001..=1000.0, "μ: a node's visits grow by this factor from one arm to the next";
    }
}

/// The widener with its column.
struct Ranked {
    ln_mu: f32,
    /// 0 for the arm of highest P(a).
    rank: CountColumn,
}

/// Builds the widener.
pub fn build(params: &Widening, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Widener>, recipe::Error> {
    blueprint.need_p(VARIANT.name)?;
    Ok(Box::new(Ranked { ln_mu: ln(params.mu), rank: blueprint.layout.count() }))
}

impl Widener for Ranked {
    fn seed(&self, node: Node<'_>, _old: &Priors, new: &Priors) {
        for (child_idx, cell) in node.counts(self.rank).iter().enumerate() {
            cell.store(rank(&new.p, child_idx), Relaxed);
        }
    }

    fn keep(&self, cx: &Cx<'_>, _models: &[Estimates], _mixed: &Mixed, out: &mut ChildMask) {
        let begun = |idx| u64::from(cx.node.begun(ChildIdx(idx as u16)));
        let visits = (0..cx.node.n_children()).map(begun).sum();
        let n_kept = n_kept(visits, self.ln_mu);
        if n_kept as usize >= cx.node.n_children() {
            return;
        }
        for (child_idx, cell) in cx.node.counts(self.rank).iter().enumerate() {
            if cell.load(Relaxed) >= n_kept {
                out.drop(child_idx);
            }
        }
    }
}

/// T, rounded down. The hair that is added makes up for the rounding of the logarithms, so that N = μᵏ gives k + 1.
#[inline]
fn n_kept(visits: u64, ln_mu: f32) -> u32 {
    const HAIR: f32 = 1e-5;
    (1.0 + ln((visits as f32).max(1.0)) / ln_mu + HAIR) as u32
}

/// How many arms come before an arm: those of higher P(a), and those of equal P(a) that stand before it. Counting takes
/// arms² comparisons in all, many at a time, and no memory.
fn rank(p: &[f32], child_idx: usize) -> u32 {
    let own = p[child_idx];
    let before: u32 = p[..child_idx].iter().map(|&p| u32::from(p >= own)).sum();
    let after: u32 = p[child_idx + 1..].iter().map(|&p| u32::from(p > own)).sum();
    before + after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::tree::layout::Gives;
    use crate::widen::tests::WidenedRoot;

    #[test]
    fn t_worked_by_hand() {
        let t = |visits, mu| n_kept(visits, ln(mu));
        // μ = 1.8: the second arm at 1.8, the third at 3.24, then 5.832, 10.498, 18.896, 34.012, 61.222.
        let visits = [0, 1, 2, 3, 4, 5, 6, 10, 11, 18, 19, 34, 35, 61, 62];
        let expected = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8];
        assert_eq!(visits.map(|visits| t(visits, 1.8)), expected);
        // 10⁷ visits: 1 + 16.118/0.58779 = 28.42. Whole powers of two count in full.
        assert_eq!(t(10_000_000, 1.8), 28);
        (0..40).for_each(|k| assert_eq!(t(1 << k, 2.0), k + 1, "2^{k}"));
        (1..15).for_each(|k| assert_eq!(t((1 << k) - 1, 2.0), k, "2^{k} - 1"));
        // The widest: 1 + 0.6931/0.0001 = 6932 arms at the second visit. The narrowest: two arms from 1000 visits on.
        assert!((6931..=6933).contains(&t(2, 1.0001)));
        assert_eq!([t(999, 1000.0), t(1000, 1000.0), t(990_000, 1000.0)], [1, 2, 2]);
    }

    #[test]
    fn ranks_are_a_permutation_and_ties_keep_their_order() {
        let p = [0.1, 0.3, 0.1, 0.0, 0.3, 0.2];
        let ranks: Vec<u32> = (0..p.len()).map(|idx| rank(&p, idx)).collect();
        assert_eq!(ranks, [3, 0, 4, 5, 1, 2]);
        let flat: Vec<u32> = (0..4).map(|idx| rank(&[0.25; 4], idx)).collect();
        assert_eq!(flat, [0, 1, 2, 3]);
    }

    fn stage(mu: f32) -> WidenedRoot {
        let stage =
            WidenedRoot::new(|blueprint| build(&Widening { mu }, blueprint), Gives { p: true, h: true }, 4);
        // Pseudo-visits are no visits.
        stage.seed(&[0.1, 0.4, 0.1, 0.4], &[1000.0; 4]);
        stage
    }

    #[test]
    fn the_mask_grows_with_real_visits() {
        let stage = stage(1.8);
        let mut masks = Vec::new();
        for _ in 0..=6 {
            masks.push(stage.mask());
            stage.observe(1, 0.0, 1);
        }
        assert_eq!(masks, [".#..", ".#..", ".#.#", ".#.#", "##.#", "##.#", "####"]);
    }

    #[test]
    fn the_widest_is_all_from_the_second_visit_on() {
        let stage = stage(1.0001);
        assert_eq!(stage.mask(), ".#..");
        stage.observe(1, 1.0, 1);
        assert_eq!(stage.mask(), ".#..");
        stage.observe(1, 1.0, 1);
        assert_eq!(stage.mask(), "####");
        stage.observe(0, 1.0, 10_000_000);
        assert_eq!(stage.mask(), "####");
    }

    #[test]
    fn it_needs_a_probability() {
        let error = build(&Widening::default(), &mut Blueprint::drawn(&[], Gives::default(), Reward::Win))
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.starts_with("`widening` cannot be used here: it needs a static probability P(a)"),
            "{error}"
        );
    }
}
