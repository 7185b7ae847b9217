//! Tests of game records from outside, in one program: each program more is linked once more.

mod big;
mod common;
mod go_view;
mod reading;
mod round_trip;
mod torture;
