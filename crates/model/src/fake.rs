//! A stand-in for a network: as uneven as a real one, and the same position always gets the same answer.

use crate::{Evaluation, Model, Query};
use goban::Rng;

recipe::params! {
    /// Answers drawn from the position's hash: uneven like a network's, and always the same for a position.
    pub struct Fake as "fake" {
        salt: u64 = 0, 0..=4_294_967_295, "another number is another network";
    }
}

/// Builds the model.
pub fn build(params: &Fake) -> Result<Box<dyn Model>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Model for Fake {
    fn evaluate(&mut self, query: Query, out: &mut Evaluation) {
        let mut rng = Rng::new(query.key ^ self.salt.rotate_left(32));
        draw(&mut rng, query.n_actions, out);
    }
}

/// A random policy and value. Squaring twice makes a few moves much likelier than the others.
pub(crate) fn draw(rng: &mut Rng, n_actions: usize, out: &mut Evaluation) {
    out.policy.clear();
    out.policy.extend((0..n_actions).map(|_| {
        let x = rng.unit() + 1e-3;
        x * x * x * x
    }));
    let sum: f32 = out.policy.iter().sum();
    out.policy.iter_mut().for_each(|p| *p /= sum);
    out.value = rng.unit();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_keeps_its_answer() {
        let (mut first, mut again, mut other) = Default::default();
        let mut fake = Fake::default();
        fake.evaluate(Query { key: 7, n_actions: 10 }, &mut first);
        fake.evaluate(Query { key: 8, n_actions: 10 }, &mut other);
        fake.evaluate(Query { key: 7, n_actions: 10 }, &mut again);
        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
