//! The smallest widener, written to be copied.

use super::Widener;
use crate::blueprint::Blueprint;
use crate::cx::{ChildMask, Cx, Estimates, Mixed};

recipe::params! {
    /// All arms, always.
    pub struct All as "all" {}
}

/// Builds the widener.
pub fn build(params: &All, _blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Widener>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Widener for All {
    fn keeps_all(&self) -> bool {
        true
    }

    fn keep(&self, _cx: &Cx<'_>, _models: &[Estimates], _mixed: &Mixed, _out: &mut ChildMask) {}
}
