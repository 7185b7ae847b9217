//! Trainers: models fitted to games, recorded ones or those of a player against itself.
//!
//! In reading order: [`gammas`] the factors of the prior `tactics` · [`ranking`] models that rank moves, by several trainers
//! · [`rollout`] the weights of playouts, fitted or balanced · [`net`] networks · [`shapes`] the weights of local shapes.

pub mod gammas;
#[cfg(test)]
mod made_games;
pub mod net;
pub mod ranking;
pub mod rollout;
pub mod shapes;
