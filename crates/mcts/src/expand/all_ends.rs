//! A child grows at its first visit, and with it all its arms: they are in the columns of the new node from the start,
//! though none of them is a node yet. [Hsu 2018, "all ends"; Yajima et al. 2011]
//!
//! The same as `visits` with n = 1, under the name its source gives it and without a parameter.

use super::Expander;
use crate::blueprint::Blueprint;
use crate::cx::Cx;
use crate::tree::ChildIdx;

recipe::params! {
    /// At once: at the first visit.
    pub struct AllEnds as "all-ends" {}
}

/// Builds the expander.
pub fn build(params: &AllEnds, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Expander>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Expander for AllEnds {
    fn ripe(&self, _cx: &Cx<'_>, _child: ChildIdx) -> bool {
        true
    }
}
