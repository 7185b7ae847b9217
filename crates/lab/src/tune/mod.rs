//! Tuning: the best values of a recipe's parameters, by games, with an interval that can be trusted.
//!
//! In reading order: [`axis`] (parameters as axes of a box), [`sample`] (what is played), [`method`] (what methods have in
//! common), [`quadratic`] and [`regression`] (strength as a function of the values), [`local`] (the region that matters),
//! [`belief`] (the best values and their interval), [`clop`] and [`spsa`] (the methods), [`random`], [`session`] (steps
//! whose games end in any order); then [`task`] (the file), [`log`] (what was played), [`play`] (playing what is missing),
//! [`verdict`] (the result) and [`sheet`] (its page).

pub mod axis;
pub mod belief;
pub mod clop;
pub mod local;
pub mod log;
pub mod method;
pub mod play;
pub mod quadratic;
pub mod random;
pub mod regression;
pub mod sample;
pub mod session;
pub mod sheet;
pub mod spsa;
pub mod task;
pub mod verdict;

pub use axis::{AxisScale, TunedAxis};
pub use belief::{Belief, Top};
pub use clop::Clop;
pub use log::TuneLog;
pub use method::Method;
pub use play::{TuneProgress, run};
pub use sample::{Bout, Rival, TuneSample};
pub use session::{TuneGameId, TuneSession};
pub use spsa::{Gains, Spsa};
pub use task::TuneTask;
pub use verdict::TuneResult;
