//! The commands that the engine of Go and that of the board games share, in words.

pub(crate) const NAME: &str = "The name of the engine.";
pub(crate) const VERSION: &str = "The version of the engine.";
pub(crate) const PLAY: &str = "Plays a move.";
pub(crate) const GENMOVE: &str = "Thinks of a move and plays it, or resigns.";
pub(crate) const REG_GENMOVE: &str = "Thinks of a move and only shows it.";
pub(crate) const UNDO: &str = "Takes back the last move.";

/// The refusal of a size. Controllers compare this text word for word.
pub(crate) const UNACCEPTABLE_SIZE: &str = "unacceptable size";
