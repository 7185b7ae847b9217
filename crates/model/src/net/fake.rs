//! A stand-in for a network: as uneven as a real one, and the same position always gets the same answer.

use super::{Net, NetAnswer, NetQuery};
use goban::Rng;

recipe::params! {
    /// Answers drawn from the position's hash: uneven like a network's, and always the same for a position.
    pub struct Fake as "fake" {
        salt: u64 = 0, 0..=4_294_967_295, "another number is another network";
    }
}

/// Builds the network.
pub fn build(params: &Fake) -> Result<Box<dyn Net>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Net for Fake {
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        for (query, out) in batch.iter().zip(out) {
            draw_by_key(query, self.salt, out);
        }
    }
}

/// The answer that belongs to the key of a position.
pub(super) fn draw_by_key(query: &NetQuery<'_>, salt: u64, out: &mut NetAnswer) {
    let mut rng = Rng::new(query.key ^ salt.rotate_left(32));
    draw(&mut rng, query.n_actions, out);
}

/// A random policy and value. Squaring twice makes a few moves much likelier than the others.
pub(super) fn draw(rng: &mut Rng, n_actions: usize, out: &mut NetAnswer) {
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
        let answer = |key| {
            let mut out = NetAnswer::default();
            Fake::default()
                .evaluate_one(&NetQuery { key, n_actions: 10, planes: None, board: None }, &mut out);
            out
        };
        assert_eq!(answer(7), answer(7));
        assert_ne!(answer(7), answer(8));
    }
}
