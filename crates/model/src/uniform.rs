//! The smallest model, written to be copied.

use crate::{Evaluation, Model, Query};

recipe::params! {
    /// Every move equally likely, every game even.
    pub struct Uniform as "uniform" {}
}

/// Builds the model.
pub fn build(params: &Uniform) -> Result<Box<dyn Model>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Model for Uniform {
    fn evaluate(&mut self, query: Query, out: &mut Evaluation) {
        out.policy.clear();
        out.policy.resize(query.n_actions, 1.0 / query.n_actions.max(1) as f32);
        out.value = 0.5;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_action_is_no_division_by_zero() {
        let mut out = Evaluation::default();
        Uniform {}.evaluate(Query { key: 1, n_actions: 0 }, &mut out);
        assert!(out.is_finite() && out.policy.is_empty());
    }
}
