//! Kernels: how similar two arms of a node are, for the regression of [`lwr`](super::lwr). A kernel weighs all arms of a
//! node against the one that was taken, at once.
//!
//! Where a kernel asks how similar two moves are, a pass is similar to a pass only.

use crate::blueprint::Blueprint;
use crate::cx::{Cx, Visit};

/// The most arms a kernel weighs: enough for 25×25 points and a pass. Its columns lie on the stack.
pub(super) const MAX_ARMS: usize = 640;

/// A similarity k(a, b) ≥ 0 between arms.
pub trait Kernel: Send + Sync {
    /// Whether it looks at the moves of the simulation.
    fn reads_trace(&self) -> bool {
        false
    }

    /// Writes k(a, b) for every arm a of `cx.node`, b being the arm that was taken. All are finite and none is negative.
    fn weigh(&self, cx: &Cx<'_>, visit: &Visit<'_>, out: &mut [f32]);
}

/// Makes the pass similar to itself and to nothing else.
fn set_pass_apart(cx: &Cx<'_>, visit: &Visit<'_>, out: &mut [f32]) {
    let Some(pass) = cx.pass.and_then(|pass| cx.node.find(pass)) else { return };
    if pass == visit.chosen {
        out.fill(0.0);
        out[pass.idx()] = 1.0;
    } else {
        out[pass.idx()] = 0.0;
    }
}

recipe::variants! {
    /// How similar two arms are.
    pub static FAMILY = "kernel";
    pub fn build(choice, blueprint: &mut Blueprint<'_>) -> Box<dyn Kernel>;
    manhattan, winrate, rave_root, amaf, tricube
}
