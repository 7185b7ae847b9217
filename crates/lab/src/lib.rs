//! The laboratory: games between many players, what they say about strength, positions with answers, models that predict
//! moves, tuning, and reports of all of it.

pub mod stats;
