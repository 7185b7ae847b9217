//! Networks that learn: rows of positions with targets, and what makes a network fit them.
//!
//! A network sees every game as a board: planes and globals as KataGo's networks read them ([`model::net::InputForm::KataGo`]), a
//! logit for each point and one for the pass. So one kind of network, one file and one engine serve Go and the games beside it.
//!
//! In reading order: [`row`] a position with its targets · [`rows`] rows on disk · [`source`] rows from recorded games ·
//! [`supervised`] a network that learns from rows.

pub mod row;
pub mod rows;
pub mod source;
pub mod supervised;

pub use row::Row;
