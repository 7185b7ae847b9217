//! Trainers: models fitted to recorded games.
//!
//! So far one: [`gammas`], the factors of the prior `tactics`.

pub mod gammas;
