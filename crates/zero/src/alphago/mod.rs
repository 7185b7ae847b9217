//! AlphaGo's pipeline, as far as it plays by itself [Silver et al. 2016]: a policy network that learned from recorded games goes on learning in
//! games against earlier selves, and its games teach a value network. There is no search: every move is drawn from a policy. The first
//! network of the pipeline, and the last one's training, are those of [`train::net::supervised`].
//!
//! In reading order: [`games`] many games at once · [`settings`] what a run of reinforcement is started with · [`point`] a point of its curve
//! · [`pool`] the earlier selves · [`reinforce`] the run · [`value_rows`] one position of each game for a value network.

pub mod games;
pub mod point;
pub mod pool;
pub mod reinforce;
pub mod settings;
#[cfg(test)]
mod tests;
pub mod value_rows;

use model::net::file::checksum::Fnv1a;

pub use reinforce::{ReinforceProgress, ReinforceRun};
pub use settings::{Baseline, ReinforceSettings};
pub use value_rows::{ValueRowsSettings, ValueRowsTally};

/// A seed that follows from some numbers.
fn seed_of(numbers: &[u64]) -> u64 {
    let mut sum = Fnv1a::default();
    numbers.iter().for_each(|number| sum.add(&number.to_le_bytes()));
    sum.value()
}
