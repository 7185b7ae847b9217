//! The page: a board in the browser to play at, to analyse positions with, and to look inside the search; and the server
//! behind it, which is safe to leave running.
//!
//! In reading order: [`config`] what is allowed · [`protocol`] what page and server
//! say to each other · `nets` networks to choose from · [`pool`] who searches when · `table` a game against Tengen · `study` searches that are watched ·
//! `survey` a whole game looked at move by move · `record` SGF for the page · `problems` exercises · `folders` work on disk by name · `laboratory` experiments · `runs` self-play ·
//! `session` what belongs to one visitor · `files` what is kept on disk · `http` requests, answers and WebSockets as bytes ·
//! `connections`, `gate`, `rate`, `network` how many at once and how often, and who counts as one · `guard`, [`token`] who may come in · `assets`, `socket`,
//! [`server`] what is served.
//!
//! No message of the network names a file: games are kept under names that the server made, experiments and networks are looked up in
//! lists that the server read, assets in a table. Every message is bounded in size and rate, every session in searches,
//! simulations and memory; what is wrong with a message is told to whoever sent it and nobody else.

mod assets;
pub mod config;
mod connections;
mod files;
mod folders;
mod gate;
mod guard;
mod http;
mod laboratory;
mod nets;
mod network;
pub mod pool;
mod problems;
pub mod protocol;
mod rate;
mod record;
mod runs;
pub mod server;
mod session;
mod socket;
mod study;
mod survey;
mod table;
pub mod token;

pub use config::{Bounds, Config};
pub use server::{Server, ServerError};
