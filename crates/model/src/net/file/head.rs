//! The two heads as they stand in a file.

use super::Reader;
use super::error::NetFileReason;
use super::tokens::Reading;
use crate::net::graph::{PassHidden, PolicyHead, ValueHead};

impl Reader<'_> {
    fn n_policy_channels(&mut self) -> Reading<usize> {
        match self.version {
            ..12 => Ok(1),
            12..16 => Ok(2),
            16 => Ok(4),
            _ => {
                let n = self.tokens.count("the number of policy channels", 1, 4)?;
                self.tokens.zeros(3, "the policy option")?;
                if n == 3 {
                    return self.tokens.fail(NetFileReason::Unsupported("a policy of 3 channels".into()));
                }
                Ok(n)
            }
        }
    }

    /// The policy head over a trunk of `n_trunk` channels.
    pub(super) fn policy_head(&mut self, n_trunk: usize) -> Reading<PolicyHead> {
        let name = self.tokens.name()?;
        let n_channels = self.n_policy_channels()?;
        let regular = self.conv_1x1(n_trunk, None)?;
        let n_head = regular.n_out;
        let pool = self.conv_1x1(n_trunk, None)?;
        let n_pooled = 3 * pool.n_out;
        let pool_act = self.norm_act(pool.n_out)?;
        let to_bias = self.product(n_pooled, Some(n_head))?;
        let act = self.norm_act(n_head)?;
        let out = self.conv_1x1(n_head, Some(n_channels))?;
        let (pass, pass_hidden) = if self.version < 15 {
            (self.product(n_pooled, Some(n_channels))?, None)
        } else {
            let pass = self.product(n_pooled, Some(n_head))?;
            let bias = self.bias(n_head)?;
            let activation = self.activation()?;
            let out = self.product(n_head, Some(n_channels))?;
            (pass, Some(PassHidden { bias, activation, out }))
        };
        Ok(PolicyHead { name, regular, pool, pool_act, to_bias, act, out, pass, pass_hidden })
    }

    /// The value head over a trunk of `n_trunk` channels.
    pub(super) fn value_head(&mut self, n_trunk: usize) -> Reading<ValueHead> {
        let name = self.tokens.name()?;
        if self.version >= 17 {
            self.tokens.zeros(3, "the value option")?;
        }
        let regular = self.conv_1x1(n_trunk, None)?;
        let act = self.norm_act(regular.n_out)?;
        let hidden = self.product(3 * regular.n_out, None)?;
        let hidden_bias = self.bias(hidden.n_out)?;
        let hidden_activation = self.activation()?;
        let winner = self.product(hidden.n_out, Some(3))?;
        let winner_bias = self.bias(3)?;
        let n_scores = if self.version >= 9 { 6 } else { 4 };
        let score = self.product(hidden.n_out, Some(n_scores))?;
        let score_bias = self.bias(n_scores)?;
        let ownership = self.conv_1x1(regular.n_out, Some(1))?;
        Ok(ValueHead {
            name,
            regular,
            act,
            hidden,
            hidden_bias,
            hidden_activation,
            winner,
            winner_bias,
            score,
            score_bias,
            ownership,
        })
    }
}
