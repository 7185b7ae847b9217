//! The smallest widener, written to be copied.

use super::Widener;
use crate::cx::{ChildMask, Cx, Estimates, Mixed};
use crate::game::Game;
use crate::search::Roster;

recipe::params! {
    /// All arms, always.
    pub struct All as "all" {}
}

/// Builds the widener.
pub fn build<G: Game>(params: &All, _roster: &Roster) -> Result<Box<dyn Widener<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl<G: Game> Widener<G> for All {
    fn keeps_all(&self) -> bool {
        true
    }

    fn keep(&self, _cx: &Cx<'_, G>, _models: &[Estimates], _mixed: &Mixed, _out: &mut ChildMask) {}
}
