//! Game records in the Smart Game Format (`FF[1]` to `FF[4]` in, `FF[4]` out): nothing is lost between reading and writing.
//! A file becomes a [`Collection`] of [`GameTree`]s, arenas of nodes whose properties keep their order, names and
//! values, known or not; [`Game`] reads such a tree as a game of Go, and [`Builder`] makes a new one. No function
//! recurses over a tree, so depth costs nothing, and no input makes the crate panic.
//!
//! Modules in reading order: `coord` (colours and points), `position` (line and column, warnings), `error`, `value`
//! (escapes), `tree` (the arena), `decode` (bytes to text), `parse` (text to trees), `write` (trees to text),
//! `collection`, then the Go view: `result`, `header`, `clock`, `step`, `game`, `markup`, and for changes `edit` and, for new games, `builder`.
//!
//! ```
//! use sgf::{Collection, Color, Game};
//! let file = b"(;GM[1]SZ[9]KM[7]RE[B+R];B[ee];W[ec](;B[gd])(;B[cd]))";
//! let collection = Collection::read(file).unwrap();
//! let game = Game::new(&collection.games[0]).unwrap();
//! assert_eq!(game.header.komi, Some(7.0));
//! assert_eq!(game.moves().unwrap().len(), 3);
//! assert_eq!(game.first_to_play(), Color::Black);
//! ```

mod builder;
mod clock;
mod collection;
mod coord;
mod decode;
mod edit;
mod error;
mod game;
mod header;
mod markup;
mod parse;
mod position;
mod result;
mod step;
mod tree;
mod value;
mod write;

pub use builder::Builder;
pub use clock::Overtime;
pub use collection::Collection;
pub use coord::{Color, Coord, MAX_SIZE};
pub use error::{EditError, GameError, GameErrorKind, ReadError};
pub use game::Game;
pub use header::{Header, Player};
pub use position::{Position, Warning, WarningKind};
pub use result::{GameResult, Margin};
pub use step::{Move, Setup, Step};
pub use tree::{GameTree, NodeId, Property};
pub use value::{Value, escape, escape_composed};
