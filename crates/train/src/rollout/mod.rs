//! Weights of the playouts' move model ([`playout::bt`]): fitted to games, or balanced against the values of a search.
//!
//! Both read the features by the code that the policy itself uses. In reading order: [`sets`] move sets of recorded games, for the
//! trainers of [`crate::ranking`] · `recorder` playouts that tell how their moves depend on the weights · [`balance`] simulation
//! balancing.

pub mod balance;
mod recorder;
pub mod sets;

pub use balance::{BalanceForm, BalanceScore, BalanceSettings, Balancing, LabelledPosition};
pub use sets::draw;

#[cfg(test)]
mod tests;
