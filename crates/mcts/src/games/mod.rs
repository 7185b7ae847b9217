//! Games beside Go, one file or folder each: the rules as a [`Game`](crate::Game), and as a [`Kit`](crate::Kit) what a game
//! brings of its own. [`gomoku`] is the smallest, written to be copied; [`connect_four`] has a rollout of its own, and
//! [`hex`] one that fills the board. `board_form` shows their positions to networks.

mod board_form;
pub mod connect_four;
pub mod gomoku;
pub mod hex;
