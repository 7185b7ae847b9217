//! Two networks as one: the policy of the first, and of the second everything that is told of the result. [Silver et al. 2016: AlphaGo had
//! a policy network and a value network]

use super::katago::KataGoNet;
use super::{InputForm, Net, NetAnswer, NetQuery};
use std::sync::{Arc, Mutex, PoisonError};

/// A policy network and a value network. Both are asked about every position.
pub struct PairNet {
    policy: Arc<KataGoNet>,
    value: Arc<KataGoNet>,
    /// Answers of the value network in buffers that threads borrow.
    spare: Mutex<Vec<Vec<NetAnswer>>>,
}

impl PairNet {
    /// The policy of one network with value, score and owners of another.
    pub fn new(policy: Arc<KataGoNet>, value: Arc<KataGoNet>) -> PairNet {
        PairNet { policy, value, spare: Mutex::default() }
    }
}

impl Net for PairNet {
    fn form(&self) -> InputForm {
        self.policy.form()
    }

    fn tells_scores(&self) -> bool {
        self.value.tells_scores()
    }

    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        self.policy.evaluate(batch, out);
        let lock = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let mut values = lock().pop().unwrap_or_default();
        values.resize_with(values.len().max(batch.len()), NetAnswer::default);
        self.value.evaluate(batch, &mut values[..batch.len()]);
        for (out, value) in out.iter_mut().zip(&mut values) {
            (out.value, out.lead) = (value.value, value.lead);
            std::mem::swap(&mut out.ownership, &mut value.ownership);
        }
        lock().push(values);
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{N_GLOBALS, N_PLANES};
    use super::super::output::NetInput;
    use super::super::{BoardInput, sample};
    use super::*;

    #[test]
    fn the_policy_is_of_one_and_the_rest_of_the_other() {
        let [policy, value] = [1, 2].map(|seed| Arc::new(KataGoNet::new(sample::conv_graph(9, 6, seed))));
        let pair = PairNet::new(Arc::clone(&policy), Arc::clone(&value));
        assert!(pair.form() == InputForm::Board && pair.tells_scores());
        let (planes, globals) = ([1.0; 25 * N_PLANES], [0.5; N_GLOBALS]);
        let input = NetInput { width: 5, height: 5, point_planes: &planes, globals: &globals };
        let board = BoardInput { input, legal: &[true; 26], may_end_without_result: true };
        let query = NetQuery { key: 1, n_actions: 26, planes: None, board: Some(board) };
        let ask = |net: &dyn Net| {
            // Twice, so that buffers are used again.
            let mut out = [NetAnswer::default(), NetAnswer::default()];
            net.evaluate(&[query, query], &mut out);
            net.evaluate(&[query, query], &mut out);
            assert_eq!(out[0], out[1]);
            out[0].clone()
        };
        let [of_policy, of_value, of_pair] = [ask(&*policy), ask(&*value), ask(&pair)];
        assert!(of_policy.policy != of_value.policy && of_policy.value != of_value.value);
        assert_eq!(of_pair, NetAnswer { policy: of_policy.policy, ..of_value });
    }
}
