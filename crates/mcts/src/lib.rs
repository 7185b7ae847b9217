//! Monte-Carlo tree search over any two-player game: a tree in columns, a search that knows no policy, and one folder
//! per choice. Every choice handles all children of one node at once and is found by name, so an engine is a line of
//! text and nothing is paid per child. No I/O, no printing, no global state; with one thread and a seed a search is
//! repeatable bit for bit on any machine.
//!
//! In reading order: [`game`] what is searched · [`trace`] a simulation's moves · [`tree`] nodes in columns · [`cx`] what
//! every piece is told · [`search`] the loop: descend, expand, evaluate, back up · the choices [`estimate`] [`mix`]
//! [`fpu`] [`select`] [`widen`] [`expand`] [`prior`] [`leaf`] [`reward`] [`pick`] · [`math`] · [`go`] the game of Go.
//!
//! Points of view: an [`Outcome`] is seen by the first player (Black); everything kept at a node or
//! written into its scratch columns is seen by the player to move there; a report by the player to move at the root.

pub mod connect_four;
pub mod cx;
pub mod estimate;
pub mod expand;
pub mod fpu;
pub mod game;
pub mod go;
pub mod hex;
pub mod leaf;
pub mod math;
pub mod mix;
pub mod pick;
pub mod prior;
pub mod reward;
pub mod search;
pub mod select;
pub mod trace;
pub mod tree;
pub mod widen;

pub use cx::{Cx, Visit};
pub use game::{Action, Game, Outcome, Reward, Side, Stage};
pub use go::GoGame;
pub use search::report::Report;
pub use search::{Limits, Notes, ROOT, Search, Settings};
