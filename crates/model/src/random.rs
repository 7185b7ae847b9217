//! Noise: even the same position gets a new answer each time.

use crate::fake::draw;
use crate::{Evaluation, Model, Query};
use goban::Rng;

recipe::params! {
    /// Answers drawn anew each time, as from a network that knows nothing and contradicts itself.
    pub struct Random as "random" {
        seed: u64 = 1, 0..=4_294_967_295, "seed of the answers";
    }
}

/// The model with its generator.
#[derive(Debug)]
pub struct Noise {
    rng: Rng,
}

/// Builds the model.
pub fn build(params: &Random) -> Result<Box<dyn Model>, recipe::Error> {
    Ok(Box::new(Noise { rng: Rng::new(params.seed) }))
}

impl Model for Noise {
    fn evaluate(&mut self, query: Query, out: &mut Evaluation) {
        draw(&mut self.rng, query.n_actions, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_repeats_and_the_position_does_not() {
        let query = Query { key: 7, n_actions: 10 };
        let answers = |seed| {
            let mut model = build(&Random { seed }).unwrap();
            let (mut first, mut second) = Default::default();
            model.evaluate(query, &mut first);
            model.evaluate(query, &mut second);
            (first, second)
        };
        assert_ne!(answers(1).0, answers(1).1);
        assert_eq!(answers(1), answers(1));
        assert_ne!(answers(1), answers(2));
    }
}
