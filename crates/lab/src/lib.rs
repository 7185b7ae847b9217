//! The laboratory: games between many players, what they say about strength, positions with answers, models that predict
//! moves, tuning, and reports of all of it.
//!
//! | what it is for | modules, in reading order |
//! |---|---|
//! | all of it | [`error`], [`entrant`] (who plays), [`clock`] (the text of clocks), [`algebra`] (small matrices) |
//! | games | [`opening`] (how games begin), [`game`] (what two entrants agree on, and what is kept of their games), `table` (where a game is played, whichever it is), [`hall`] (where games are played at the same time) |
//! | what games say | [`stats`] (strength; [`stats::score`] is the one score, with its words), [`tally`] (the sums of a match) |
//! | experiments (`tengen lab`, `tengen match`) | [`experiment`] (who plays whom, as a file; a match is one of one group), [`store`] (what was played, and its export), [`run`] (playing what is missing) |
//! | reports | [`plot`] (pictures of numbers), [`picture`] (boards of Go as SVG), [`text_picture`] (boards of other games), [`report`] (pages) |
//! | `tengen tune` | [`tune`] (the best values of parameters) |
//! | `tengen suite` | [`suite`] (positions with answers) |
//! | `tengen predict` | [`phase`] (opening, middle game, end), [`predict`] (how well recorded moves are foreseen) |
//! | `tengen accuracy` | [`accuracy`] (how well playouts judge positions) |

pub mod accuracy;
pub mod algebra;
pub mod clock;
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
pub mod text_picture;
pub mod tune;

pub use entrant::{Entrant, SearchMeans};
pub use error::{Error, ErrorPlace, Result};
pub use game::{Finished, FinishedGame, GameJob, PairSide, Pairing, Terms};
pub use hall::Schedule;
pub use opening::Openings;
