//! Playouts: from a position to the end of a game by a cheap policy, many thousand times a second.
//!
//! Modules in reading order: [`pattern3`] (natural moves by their neighbourhood), [`rule`] (reasons to move), [`shapes`] (values
//! of positions by what stands in small rectangles), [`bt`] (factors of moves by features), [`policy`]
//! (who chooses the moves), [`rollout`] (the loop and the count at the end), [`math`]. A policy is static inside its loop; the loop is boxed once, so a virtual call is paid per playout and
//! never per move.

pub mod bt;
pub mod math;
pub mod pattern3;
pub mod policy;
pub mod rollout;
pub mod rule;
pub mod shapes;

pub use pattern3::Pattern3;
pub use policy::MovePolicy;
pub use policy::uniform::UniformPolicy;
pub use rollout::{Ending, Playout, PlayoutRunner, Start};
