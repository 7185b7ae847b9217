//! Noise: even the same position gets a new answer each time.

use std::sync::atomic::{AtomicU64, Ordering};

use super::fake::draw;
use super::{Net, NetAnswer, NetQuery};
use goban::Rng;

recipe::params! {
    /// Answers drawn anew each time, as from a network that knows nothing and contradicts itself.
    pub struct Random as "random" {
        seed: u64 = 1, 0..=4_294_967_295, "seed of the answers";
    }
}

/// The network: its seed, and how many questions it has answered.
#[derive(Debug)]
pub struct Noise {
    seed: u64,
    n_answers: AtomicU64,
}

/// Builds the network.
pub fn build(params: &Random) -> Result<Box<dyn Net>, recipe::Error> {
    Ok(Box::new(Noise { seed: params.seed, n_answers: AtomicU64::new(0) }))
}

impl Net for Noise {
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        for (query, out) in batch.iter().zip(out) {
            let number = self.n_answers.fetch_add(1, Ordering::Relaxed);
            draw(&mut Rng::new(number ^ self.seed.rotate_left(32)), query.n_actions, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_repeats_and_the_position_does_not() {
        let batch = [NetQuery { key: 7, n_actions: 10, planes: None, board: None }; 2];
        let answers = |seed| {
            let mut out = [NetAnswer::default(), NetAnswer::default()];
            build(&Random { seed }).unwrap().evaluate(&batch, &mut out);
            out
        };
        let [first, second] = answers(1);
        assert_ne!(first, second);
        assert_eq!(answers(1), answers(1));
        assert_ne!(answers(1), answers(2));
    }
}
