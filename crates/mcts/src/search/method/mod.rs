//! Methods: how a simulation walks. A tree search follows the recipe's rules as deep as the tree has grown; a flat one
//! samples all positions at a fixed depth alike.

use crate::cx::Cx;
use crate::tree::ChildIdx;

/// How simulations walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchMethod {
    /// By selector and expander, without bound.
    Tree,
    /// By the least visited arm, `depth` plies deep.
    Flat {
        /// In plies, at least 1.
        depth: usize,
    },
}

impl SearchMethod {
    /// Whether a node at this depth may be passed through, the root being at 0.
    pub(crate) fn reaches(self, depth: usize) -> bool {
        match self {
            SearchMethod::Tree => true,
            SearchMethod::Flat { depth: deepest } => depth < deepest,
        }
    }

    /// Whether the child grows now, where the method and not the recipe's expander decides that.
    pub(crate) fn grows(self, cx: &Cx<'_>, _child: ChildIdx) -> Option<bool> {
        match self {
            SearchMethod::Tree => None,
            SearchMethod::Flat { .. } => Some(self.reaches(cx.path.len() + 1)),
        }
    }
}

recipe::variants! {
    /// How a simulation walks through the tree.
    pub static FAMILY = "method";
    pub fn build(choice) -> SearchMethod;
    tree, flat
}
