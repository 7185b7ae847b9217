//! Rules and board of Go: positions, legality, scoring. No I/O, no global state, no allocation in the board.
//!
//! Modules in reading order: [`color`], [`vertex`] (sizes and coordinates), [`point`] and [`set`] (indices
//! into a board), [`class`] (memory layouts), [`board`], [`any`] (a board of any size), [`rules`], [`setup`] (drawn
//! boards), [`position`] (a game), [`score`], [`benson`] (unconditional life), [`symmetry`], [`circles`] (what
//! stands around a point), [`tactics`] (what is
//! taken, saved, dead or cut), [`rng`].
//!
//! ```
//! use goban::{Color, Position, Rules, Size, Vertex};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let size = Size::square(5)?;
//! let mut position = Position::new(size, Rules::TROMP_TAYLOR);
//! position.set_komi(0.5)?;
//! for name in ["C3", "C4", "D4", "B4", "pass", "E4"] {
//!     position.play(position.to_play(), size.parse_vertex(name)?)?;
//! }
//! assert!(position.play(Color::Black, Vertex::new(2, 2)).is_err(), "C3 has a stone already");
//! assert_eq!(
//!     position.board().to_string(),
//!     ". . . . .\n\
//!      . O O X O\n\
//!      . . X . .\n\
//!      . . . . .\n\
//!      . . . . .\n"
//! );
//! assert_eq!(position.score().to_string(), "W+1.5");
//! # Ok(())
//! # }
//! ```

pub mod any;
pub mod benson;
pub mod board;
pub mod circles;
pub mod class;
pub mod color;
pub mod point;
pub mod position;
pub mod rng;
pub mod rules;
pub mod score;
mod sealed;
pub mod set;
pub mod setup;
pub mod symmetry;
pub mod tactics;
pub mod vertex;

pub use any::AnyBoard;
pub use benson::PassAlive;
pub use board::code::{Code, EyeRule};
pub use board::{AdjacentChains, Board, Content, EmptyPoint, Full, Keep, Lean, Tactical};
pub use circles::{Circle, Circles};
pub use class::{CompactInt, PointMap, SizeClass, Upto9, Upto13, Upto19, Upto25, zobrist};
pub use color::Color;
pub use point::{Move, Point};
pub use position::{HandicapError, IllegalMove, IllegalReason, KomiError, PlayedMove, Position};
pub use rng::Rng;
pub use rules::{HandicapBonus, Ko, Rules, RulesError, Scoring, Tax};
pub use score::{PlayerScore, Score};
pub use set::PointSet;
pub use setup::{Setup, SetupError};
pub use symmetry::Symmetry;
pub use vertex::{Size, SizeError, Vertex, VertexError, column_letter};
