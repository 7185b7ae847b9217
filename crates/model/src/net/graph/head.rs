//! The two heads: what turns the features of the trunk's tip into a policy, a value, a score and owners.

use super::layer::{Activation, Conv, MatBias, MatMul, NormAct};

/// The policy head. With the trunk's tip x: g = pooled(pool_act(pool(x))) as in a pooling block,
/// y = act(regular(x) + to_bias(g)), the logits of the points are out(y), those of the pass come from g.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyHead {
    /// The name in the file.
    pub name: String,
    /// 1×1, from the trunk to the head's channels.
    pub regular: Conv,
    /// 1×1, from the trunk to the channels that are pooled.
    pub pool: Conv,
    /// Before pooling.
    pub pool_act: NormAct,
    /// From three numbers a pooled channel to a bias for each of the head's channels.
    pub to_bias: MatMul,
    /// Before the logits.
    pub act: NormAct,
    /// 1×1, from the head's channels to the policy channels: 0 the ordinary policy, 1 the optimistic one.
    pub out: Conv,
    /// From three numbers a pooled channel to the pass: its logits, or the inputs of `pass_hidden`.
    pub pass: MatMul,
    /// The second layer of the pass, from version 15 on.
    pub pass_hidden: Option<PassHidden>,
}

/// The second layer of the logits of the pass: out(activation(x + bias)).
#[derive(Debug, Clone, PartialEq)]
pub struct PassHidden {
    /// Added to what the first product gives.
    pub bias: MatBias,
    /// Applied to the sum.
    pub activation: Activation,
    /// To the policy channels.
    pub out: MatMul,
}

impl PolicyHead {
    /// The number of policy channels: 1, 2 or 4.
    #[inline]
    pub fn n_channels(&self) -> usize {
        self.out.n_out
    }

    /// The number of weights.
    pub fn n_weights(&self) -> usize {
        let hidden = self
            .pass_hidden
            .as_ref()
            .map_or(0, |hidden| hidden.bias.weights.len() + hidden.out.weights.len());
        self.regular.weights.len()
            + self.pool.weights.len()
            + self.pool_act.n_weights()
            + self.to_bias.weights.len()
            + self.act.n_weights()
            + self.out.weights.len()
            + self.pass.weights.len()
            + hidden
    }

    /// Multiplications on a board of `n_points` points.
    pub fn n_multiplies(&self, n_points: usize) -> u64 {
        let convs = [&self.regular, &self.pool, &self.out];
        let hidden = self.pass_hidden.as_ref().map_or(0, |hidden| hidden.out.n_multiplies(1));
        convs.iter().map(|conv| conv.n_multiplies(n_points)).sum::<u64>()
            + self.to_bias.n_multiplies(1)
            + self.pass.n_multiplies(1)
            + hidden
    }
}

/// The value head. With the trunk's tip x: v = act(regular(x)), p = pooled(v), h = hidden_activation(hidden(p) + bias);
/// winner and score are products of h, the owners of points are ownership(v).
///
/// `pooled` gives for a board of A points and s = √A − 14 the means of all channels, then mean · s / 10 of all channels,
/// then mean · (s² / 100 − 1 / 10) of all channels.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueHead {
    /// The name in the file.
    pub name: String,
    /// 1×1, from the trunk to the head's channels.
    pub regular: Conv,
    /// Before pooling and before the owners.
    pub act: NormAct,
    /// From three numbers a channel to the hidden layer.
    pub hidden: MatMul,
    /// Added in the hidden layer.
    pub hidden_bias: MatBias,
    /// The hidden layer's activation.
    pub hidden_activation: Activation,
    /// To three logits: win, loss, no result.
    pub winner: MatMul,
    /// Added to the logits.
    pub winner_bias: MatBias,
    /// To the score values: mean, spread, lead, variance time, and from version 9 on two short-term errors.
    pub score: MatMul,
    /// Added to the score values.
    pub score_bias: MatBias,
    /// 1×1, from the head's channels to one number a point, whose tanh is 1 for a point of the player to move.
    pub ownership: Conv,
}

impl ValueHead {
    /// The number of weights.
    pub fn n_weights(&self) -> usize {
        self.regular.weights.len()
            + self.act.n_weights()
            + self.ownership.weights.len()
            + [&self.hidden, &self.winner, &self.score]
                .iter()
                .map(|product| product.weights.len())
                .sum::<usize>()
            + [&self.hidden_bias, &self.winner_bias, &self.score_bias]
                .iter()
                .map(|bias| bias.weights.len())
                .sum::<usize>()
    }

    /// Multiplications on a board of `n_points` points.
    pub fn n_multiplies(&self, n_points: usize) -> u64 {
        self.regular.n_multiplies(n_points)
            + self.ownership.n_multiplies(n_points)
            + [&self.hidden, &self.winner, &self.score]
                .iter()
                .map(|product| product.n_multiplies(1))
                .sum::<u64>()
    }
}
