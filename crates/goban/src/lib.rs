//! Rules and board of Go: positions, legality, scoring.
pub mod rng;
pub mod color;
pub mod vertex;
pub use rng::Rng;
pub use color::Color;
pub use vertex::{Size, Vertex};
