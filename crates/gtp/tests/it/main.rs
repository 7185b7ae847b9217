//! Tests of the protocol from outside, in one program: each program more is linked once more.

mod any_bytes;
#[cfg(unix)]
mod client;
mod common;
mod framing;
mod registry;
mod serve;
