//! Rules and board of Go: positions, legality, scoring. No I/O, no global state, no allocation in the board.
//!
//! Modules in reading order: [`color`], [`vertex`] (sizes and coordinates), [`point`] and [`set`] (indices
//! into a board), [`class`] (memory layouts), [`board`], [`rng`].

pub mod board;
pub mod class;
pub mod color;
pub mod point;
pub mod rng;
pub mod set;
pub mod vertex;

pub use board::code::{Code, EyeRule};
pub use board::{Board, Content, Full, Keep, Lean, Tactical};
pub use class::{SizeClass, Table, Upto9, Upto13, Upto19, Upto25, zobrist};
pub use color::Color;
pub use point::{Move, Point};
pub use rng::Rng;
pub use set::PointSet;
pub use vertex::{Size, SizeError, Vertex, VertexError, column_letter};
