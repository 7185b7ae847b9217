//! A child grows at its k-th visit. [You 3.3.4: GoYui the 6th]

use super::Expander;
use crate::blueprint::Blueprint;
use crate::cx::Cx;
use crate::tree::ChildIdx;

recipe::params! {
    /// At the n-th visit.
    pub struct Visits as "visits" {
        n: u32 = 1, 1..=1_000_000_000, "the visit at which a child becomes a node";
    }
}

/// Builds the expander.
pub fn build(params: &Visits, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Expander>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Expander for Visits {
    fn ripe(&self, cx: &Cx<'_>, child: ChildIdx) -> bool {
        cx.node.begun(child) >= self.n
    }
}
