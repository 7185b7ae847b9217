//! Playout policies by name: the loops of the crate `playout`, each around its static policy.

use goban::{Size, SizeClass};

recipe::words! {
    /// Which surrounded points count as eyes that are left alone.
    pub enum Eye {
        /// Enemy stones on the diagonals: at most one in the centre, none at the edge.
        Standard = "standard",
        /// Diagonals that are not own, empty ones too. [You 3.3.1]
        GoYui = "goyui",
    }
}

impl From<Eye> for goban::EyeRule {
    fn from(eye: Eye) -> goban::EyeRule {
        match eye {
            Eye::Standard => goban::EyeRule::Standard,
            Eye::GoYui => goban::EyeRule::GoYui,
        }
    }
}

recipe::variants! {
    /// Who chooses the moves of a playout.
    pub static FAMILY = "policy";
    pub fn build<C: SizeClass>(choice, size: Size) -> Box<dyn playout::Rollout<C>>;
    uniform
}
