//! As much of HTTP as the page needs: requests without a body in, whole answers out, and connections that stay open.
//!
//! A visitor has a thread. A general server with a runtime, a router and layers of its own did the same and took a sixth of
//! the time in which the whole program is compiled.
//!
//! In reading order: `wire` (bytes in and out, with a time by which they must have come), `request`, `response`, `websocket`.

mod request;
mod response;
pub(crate) mod websocket;
mod wire;

pub(crate) use request::{Headers, Refused, Request};
pub(crate) use response::{Response, Status};
pub(crate) use wire::{HttpWire, write_by};
