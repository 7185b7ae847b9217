//! Monte-Carlo tree search over any two-player game: a tree in columns, a search that knows no policy, and one folder
//! per choice. Every choice handles all children of one node at once and is found by name, so an engine is a line of
//! text and nothing is paid per child. No I/O, no printing, no global state; with one thread and a seed a search is
//! repeatable bit for bit on any machine.
//!
//! In reading order, in which a module uses only those before it: [`math`] · [`game`] a game · [`trace`] a simulation's
//! moves · `sync` cells that threads share · [`tree`] nodes in columns · `by_action` columns found by action · [`cx`] the context of every call · [`blueprint`] a
//! search under construction · [`report`] the result of a search · `moments` mean and spread · the choices [`estimate`]
//! [`mix`] [`fpu`] [`select`] [`widen`] [`expand`] [`reward`] [`pick`], which know no game · [`prior`] and [`evaluate`],
//! which ask about positions · [`go`] the game of Go · [`games`] others · [`search`] the loop: descend, expand, evaluate,
//! back up · [`go_search`] a search over a Go board of any size.
//!
//! Points of view: an [`Outcome`] is seen by the first player (Black); everything kept at a node or
//! written into its scratch columns is seen by the player to move there; a report by the player to move at the root.

pub mod blueprint;
mod by_action;
pub mod cx;
pub mod estimate;
pub mod evaluate;
pub mod expand;
pub mod fpu;
pub mod game;
pub mod games;
pub mod go;
pub mod go_search;
pub mod math;
pub mod mix;
mod moments;
pub mod pick;
pub mod prior;
pub mod report;
pub mod reward;
pub mod search;
pub mod select;
mod sync;
pub mod trace;
pub mod tree;
pub mod widen;

pub use cx::{Cx, Visit};
pub use evaluate::Kit;
pub use game::{Action, Game, Outcome, Reward, Side};
pub use go::GoGame;
pub use report::Report;
pub use reward::GameProgress;
pub use search::{BuiltRecipe, Limits, LoadedNet, Notes, ROOT, Search, Settings};
