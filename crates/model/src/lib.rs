//! Knowledge about moves and positions, by hand and learned: reasons for a move that the board gives away, factors
//! fitted to recorded games, and networks.
//!
//! In reading order: [`view`] (a position with its mover and the last moves) · [`features`] (reasons for and against a
//! move) · [`coulom`] (published factors for distance and line) · [`tactics`] (factors fitted to games) · [`ranking`]
//! (models that rank moves, from files) · [`net`] (what a network is asked, and stand-ins for one) · [`math`].

pub mod coulom;
pub mod features;
pub mod math;
pub mod net;
pub mod ranking;
pub mod tactics;
pub mod view;

pub use features::{MoveFeatures, Wanted};
pub use view::PositionView;
