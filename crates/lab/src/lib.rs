//! The laboratory: games between many players, what they say about strength, positions with answers, models that predict
//! moves, tuning, and reports of all of it.
//!
//! Modules in reading order: [`error`], [`entrant`] (who plays), [`clock`] (the text of clocks), [`opening`] (how games
//! begin), [`game`] (what two entrants agree on, and what is kept of their games), `table` (where a game is played, whichever it is), [`hall`] (where games are played at the
//! same time), [`tally`] (the sums of a match), [`algebra`] (small matrices), [`stats`] (what games say about strength),
//! [`experiment`] (who plays whom, as a file), [`store`] (what was played), [`run`] (playing what is missing), [`phase`]
//! (opening, middle game, end), [`predict`] (how well recorded moves are foreseen), [`accuracy`] (how well playouts judge positions),
//! [`plot`] (pictures of numbers), [`report`] (pages), [`picture`] (boards as SVG), [`suite`] (positions with
//! answers), [`tune`] (the best values of parameters), [`conform`] (whether an engine keeps to the protocol).

pub mod accuracy;
pub mod algebra;
pub mod clock;
pub mod conform;
pub mod entrant;
pub mod error;
pub mod experiment;
pub mod game;
pub mod hall;
pub mod opening;
pub mod phase;
pub mod picture;
pub mod plot;
pub mod predict;
pub mod report;
pub mod run;
mod spread;
pub mod stats;
pub mod store;
pub mod suite;
mod table;
pub mod tally;
pub mod tune;

pub use entrant::{Entrant, Means};
pub use error::{Error, Place, Result};
pub use game::{Finished, Job, Line, Pairing, Side, Terms};
pub use hall::Schedule;
pub use opening::Openings;
