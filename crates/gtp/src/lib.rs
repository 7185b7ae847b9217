//! The Go Text Protocol, version 2, from both ends, as a crate that knows no Go: an engine fills a
//! [`Registry`] with handlers and calls [`serve()`]; a controller starts an engine as a [`Client`] and asks.
//!
//! In reading order: a [line](mod@line) becomes a command with its [`Args`]; a handler found in the
//! [`registry`] answers it, through a [`Context`] when it wants more than one reply text; the answer is framed
//! in [`reply`]; the loop that does this is [`serve()`], fed by a reader thread through the inbox, with lines of
//! bounded length; [`stderr`] keeps what is logged beside it harmless; [`client`] is the other end of the pipe.

mod args;
pub mod bounded;
pub mod client;
mod context;
mod inbox;
pub mod line;
pub mod registry;
pub mod reply;
mod serve;
pub mod stderr;

pub use args::Args;
pub use client::{Client, ClientError};
pub use context::Context;
pub use inbox::Interrupt;
pub use line::Command;
pub use registry::{Entry, Handler, Registry, RegistryError};
pub use reply::{GtpError, Response};
pub use serve::{End, serve};
