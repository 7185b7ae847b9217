//! The trainers of what is learned from games.
//!
//! So far one: [`gammas`], the factors of the prior `tactics`.

pub mod gammas;
