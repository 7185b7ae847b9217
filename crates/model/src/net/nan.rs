//! A broken network.

use super::{Net, NetAnswer, NetQuery};

recipe::params! {
    /// Not a number, everywhere: what a broken network answers.
    pub struct Nan as "nan" {}
}

/// Builds the network.
pub fn build(params: &Nan) -> Result<Box<dyn Net>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Net for Nan {
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        for (query, out) in batch.iter().zip(out) {
            out.policy.clear();
            out.policy.resize(query.n_actions, f32::NAN);
            out.value = f32::NAN;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_recognised() {
        let mut out = NetAnswer::default();
        Nan {}.evaluate_one(&NetQuery { key: 1, n_actions: 3, planes: None, board: None }, &mut out);
        assert!(!out.is_finite());
    }
}
