//! How well playouts judge positions: the error of the Monte-Carlo estimate against labels, as in figure 3 of Gelly &
//! Silver 2007, "Combining online and offline knowledge in UCT".
//!
//! There, 1000 games of self-play by a policy were played from each of 200 hand-labelled positions, and the mean squared
//! error between the average return (the share of games won) and the label was measured, over policies of different
//! randomness. Here the labels come from a deep search of our own: nobody labels by hand what a program does a hundred times
//! over, and a file of labels says how each was found.
//!
//! In reading order: [`file`](mod@file) (labelled positions, one per line, with their provenance), [`label`] (draws positions
//! from games and labels them), [`playouts`] (plays from them), [`error`](mod@error) (what the estimates are worth), [`run`]
//! (all of it for one policy), [`page`] (what people read).

pub mod error;
pub mod file;
pub mod label;
pub mod page;
pub mod playouts;
pub mod run;

pub use error::Accuracy;
pub use file::{Label, LabelHeader, LabelProgram};
pub use run::{AccuracySettings, measure};

#[cfg(test)]
mod tests;
