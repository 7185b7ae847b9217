//! The smallest network, written to be copied.

use super::{Net, NetAnswer, NetQuery};

recipe::params! {
    /// Every move equally likely, every game even.
    pub struct UniformNet as "uniform" {}
}

/// Builds the network.
pub fn build(params: &UniformNet) -> Result<Box<dyn Net>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Net for UniformNet {
    /// Nobody leads, and nobody owns a point.
    fn tells_scores(&self) -> bool {
        true
    }

    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        for (query, out) in batch.iter().zip(out) {
            out.policy.clear();
            out.policy.resize(query.n_actions, 1.0 / query.n_actions.max(1) as f32);
            (out.value, out.lead) = (0.5, 0.0);
            out.ownership.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_action_is_no_division_by_zero() {
        let mut out = NetAnswer::default();
        UniformNet {}.evaluate_one(&NetQuery { key: 1, n_actions: 0, planes: None, board: None }, &mut out);
        assert!(out.is_finite() && out.policy.is_empty());
    }
}
