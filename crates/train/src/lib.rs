//! Trainers: models fitted to games.
//!
//! In reading order: [`gammas`] the factors of the prior `tactics` · [`net`] networks.

pub mod gammas;
pub mod net;
