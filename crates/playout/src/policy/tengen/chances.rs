//! The policy's probabilities, ready to be drawn.

use super::Tengen;
use crate::policy::{Chance, Share};

/// The probabilities among the parameters. Those that nearly every move asks about are dice of one throw.
#[derive(Clone, Copy, Debug)]
pub(super) struct TengenChances {
    pub(super) strict: Share,
    pub(super) two_liberty: Share,
    pub(super) race: Share,
    pub(super) nakade: Share,
    pub(super) ko: Chance,
    pub(super) atari: Chance,
    pub(super) counter: Chance,
    pub(super) repair: Chance,
    pub(super) patterns: Chance,
    pub(super) patterns_before: Chance,
    pub(super) capture: Chance,
    pub(super) cousin: Chance,
    pub(super) restore: Chance,
}

impl TengenChances {
    pub(super) fn new(params: &Tengen) -> TengenChances {
        TengenChances {
            strict: Share::new(params.strict),
            two_liberty: Share::new(params.two_liberty),
            race: Share::new(params.race),
            nakade: Share::new(params.nakade),
            ko: Chance::new(params.ko),
            atari: Chance::new(params.atari),
            counter: Chance::new(params.counter),
            repair: Chance::new(params.repair),
            patterns: Chance::new(params.patterns),
            patterns_before: Chance::new(params.patterns_before),
            capture: Chance::new(params.capture),
            cousin: Chance::new(params.cousin),
            restore: Chance::new(params.restore),
        }
    }
}
