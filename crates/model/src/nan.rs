//! A broken network.

use crate::{Evaluation, Model, Query};

recipe::params! {
    /// Not a number, everywhere: what a broken network answers.
    pub struct Nan as "nan" {}
}

/// Builds the model.
pub fn build(params: &Nan) -> Result<Box<dyn Model>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Model for Nan {
    fn evaluate(&mut self, query: Query, out: &mut Evaluation) {
        out.policy.clear();
        out.policy.resize(query.n_actions, f32::NAN);
        out.value = f32::NAN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_recognised() {
        let mut out = Evaluation::default();
        Nan {}.evaluate(Query { key: 1, n_actions: 3 }, &mut out);
        assert!(!out.is_finite());
    }
}
