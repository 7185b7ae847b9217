//! Trainers: models fitted to games.
//!
//! In reading order: [`gammas`] the factors of the prior `tactics` · [`ranking`] models that rank moves, by several trainers
//! · [`net`] networks.

pub mod gammas;
pub mod net;
pub mod ranking;
