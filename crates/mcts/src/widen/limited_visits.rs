//! Limited visits: an arm with more than k visits is not selected again. [You, appendix A.1]
//!
//! Real visits count, those under way included. When all arms of a node are beyond the limit it is lifted there, since
//! some arm must be taken. The thesis gives no k; its final choice is random among the arms at the limit, which is the
//! business of the pick.

use super::Widener;
use crate::blueprint::Blueprint;
use crate::cx::{ChildMask, Cx, Estimates, Mixed};
use crate::tree::ChildIdx;

recipe::params! {
    /// Arms with no more than k visits, as long as there are such.
    pub struct LimitedVisits as "limited-visits" {
        k: u32 = 300, 0..=4_000_000_000, "visits beyond which an arm is left alone";
    }
}

/// Builds the widener.
pub fn build(
    params: &LimitedVisits,
    _blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Widener>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Widener for LimitedVisits {
    fn keep(&self, cx: &Cx<'_>, _models: &[Estimates], _mixed: &Mixed, out: &mut ChildMask) {
        for child in (0..cx.node.n_children()).map(|idx| ChildIdx(idx as u16)) {
            if cx.node.begun(child) > self.k {
                out.drop(child.idx());
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
    use crate::widen::tests::WidenedRoot;

    #[test]
    fn beyond_the_limit_and_all_beyond() {
        let build = |blueprint: &mut Blueprint<'_>| build(&LimitedVisits { k: 3 }, blueprint);
        let stage = WidenedRoot::new(build, Gives { p: false, h: true }, 3);
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
