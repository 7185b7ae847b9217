//! How long to think: every clock becomes a plan for one move, and a watch decides while the search runs whether the
//! move is worth less or more than planned. What is saved on one move is on the clock for the next.
//!
//! The rules are those of Huang, Coulom and Lin, "Time management for Monte-Carlo tree search applied to the game of Go"
//! (a share of the time left that depends on the moves to come) and of Baier and Winands, "Time management for
//! Monte-Carlo tree search" (STOP: a choice that cannot change is made; UNST and CLOSE: an unclear one gets more time).
//!
//! In reading order: [`plan`] (what a clock allows for a move), [`watch`] (thinking in slices), [`pace`] (how much of its
//! plans a player really spends).

pub mod pace;
pub mod plan;
pub mod watch;

#[cfg(test)]
mod games;

pub use pace::Pace;
pub use plan::{Course, TimePlan};
pub use watch::{SearchStanding, Watch};
