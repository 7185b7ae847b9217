//! Models of threads that share a tree, in one program.
//!
//! Each model runs to its end: neither preemptions nor permutations are bounded. All of them together take a few seconds.
//!
//! That they can fail was tried, one change in `mcts/src/tree` at a time, each of which fails at least one model:
//! - `link` exchanges with `Relaxed` or `Acquire`, or `child` loads with `Relaxed`;
//! - `open` stores or `is_open` loads with `Relaxed`; `claim_refinement` exchanges with `Relaxed`, or loads and stores;
//! - `add_visits`, `add_sum` or `Arena::reserve` load and store instead of adding at once;
//! - `link` keeps the slot of a node that came second; `add` does not clear the columns; `give_back` leaves the generation.
//!
//! `link` with `Release` alone fails none: nothing is read on the strength of having linked.

mod common;
mod counting;
mod linking;
mod opening;
mod recycling;
mod slots;
