//! Limited visits: an arm with more than k visits is not selected again. [You, appendix A.1]
//!
//! Real visits count, those in flight included. When all arms of a node are beyond the limit it is lifted there, since
//! some arm must be taken. The thesis gives no k; its final choice is random among the arms at the limit, which is the
//! business of the pick.

use super::Widener;
use crate::cx::{ChildMask, Cx, Estimates, Mixed};
use crate::game::Game;
use crate::search::Roster;
use crate::tree::layout::VISITS;
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// Arms with no more than k visits, as long as there are such.
    pub struct LimitedVisits as "limited-visits" {
        k: u32 = 300, 0..=4_000_000_000, "visits beyond which an arm is left alone";
    }
}

/// Builds the widener.
pub fn build<G: Game>(
    params: &LimitedVisits,
    _roster: &Roster,
) -> Result<Box<dyn Widener<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl<G: Game> Widener<G> for LimitedVisits {
    fn keep(&self, cx: &Cx<'_, G>, _models: &[Estimates], _mixed: &Mixed, out: &mut ChildMask) {
        for (child_idx, cell) in cx.node.counts(VISITS).iter().enumerate() {
            if cell.load(Relaxed) > self.k {
                out.drop(child_idx);
            }
        }
        if out.is_none() {
            out.reset(cx.node.n_children());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::layout::Gives;
    use crate::widen::tests::{Game5, Stage};

    #[test]
    fn beyond_the_limit_and_all_beyond() {
        let widener = build::<Game5>(&LimitedVisits { k: 3 }, &Roster::default()).unwrap();
        let stage = Stage::new(widener, Gives { p: false, h: true }, 3);
        stage.seed(&[], &[1000.0; 3]);
        assert_eq!(stage.mask(), "###");
        stage.observe(1, 1.0, 3);
        assert_eq!(stage.mask(), "###", "at the limit, not beyond");
        stage.observe(1, 1.0, 1);
        assert_eq!(stage.mask(), "#.#");
        stage.observe(0, 0.0, 10_000_000);
        assert_eq!(stage.mask(), "..#");
        stage.observe(2, 0.0, 4);
        assert_eq!(stage.mask(), "###", "all beyond");
    }
}
