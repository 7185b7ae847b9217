//! Small networks of random weights, with every kind of block, and a writer of KataGo's file format for them: what tests of
//! this crate and of those that load networks read in place of a real one.

mod write;

pub use write::{Form, write};

use super::graph::*;
use goban::Rng;

/// A maker of layers with random weights.
pub(crate) struct Maker {
    rng: Rng,
    /// The activation of every layer.
    pub(crate) activation: Activation,
}

/// A network of this many trunk channels with a block of every kind: ordinary, pooling, a bottleneck around two more, and
/// attention with every embedding of positions, each with a feed-forward block behind it.
pub fn graph(version: u32, n_channels: usize, seed: u64) -> Graph {
    let mut maker = Maker::new(seed, if version < 11 { Activation::Relu } else { Activation::Mish });
    let mut blocks = maker.conv_blocks(n_channels);
    for rope in 0..3 {
        blocks.push(maker.attention(n_channels, rope));
        blocks.push(maker.feed_forward(n_channels));
    }
    maker.graph(version, n_channels, blocks)
}

/// A network of this many trunk channels with the three kinds of convolutional blocks.
pub fn conv_graph(version: u32, n_channels: usize, seed: u64) -> Graph {
    let mut maker = Maker::new(seed, if version < 11 { Activation::Relu } else { Activation::Mish });
    let blocks = maker.conv_blocks(n_channels);
    maker.graph(version, n_channels, blocks)
}

/// A network of this many trunk channels with an ordinary and a pooling block, such as our own files keep: `version` is below 15.
pub fn plain_graph(version: u32, n_channels: usize, seed: u64) -> Graph {
    let mut maker = Maker::new(seed, if version < 11 { Activation::Relu } else { Activation::Mish });
    let blocks = vec![maker.ordinary(n_channels), maker.pooling(n_channels)];
    maker.graph(version, n_channels, blocks)
}

impl Maker {
    pub(crate) fn new(seed: u64, activation: Activation) -> Maker {
        Maker { rng: Rng::new(seed), activation }
    }

    /// Weights around 0, smaller for layers that add more of them.
    fn weights(&mut self, n: usize, n_added: usize) -> Vec<f32> {
        let scale = (3.0 / n_added as f32).sqrt();
        (0..n).map(|_| scale * (2.0 * self.rng.unit() - 1.0)).collect()
    }

    pub(crate) fn conv(&mut self, side: usize, n_in: usize, n_out: usize) -> Conv {
        let weights = self.weights(side * side * n_in * n_out, side * side * n_in);
        Conv { height: side, width: side, n_in, n_out, weights }
    }

    pub(crate) fn product(&mut self, n_in: usize, n_out: usize) -> MatMul {
        MatMul { n_in, n_out, weights: self.weights(n_in * n_out, n_in) }
    }

    pub(crate) fn bias(&mut self, n: usize) -> MatBias {
        MatBias { weights: self.weights(n, 10) }
    }

    pub(crate) fn norm(&mut self, n: usize) -> Norm {
        let scale = self.weights(n, 10).iter().map(|weight| 1.0 + weight).collect();
        Norm { scale, bias: self.weights(n, 10) }
    }

    fn norm_act(&mut self, n: usize) -> NormAct {
        NormAct { norm: self.norm(n), activation: self.activation }
    }

    fn rms_norm(&mut self, n: usize) -> RmsNorm {
        RmsNorm { epsilon: 1e-6, weights: self.norm(n).scale }
    }

    fn conv_blocks(&mut self, n: usize) -> Vec<Block> {
        let ordinary = self.ordinary(n);
        let pooling = self.pooling(n);
        let bottleneck = self.bottleneck(n, n / 2);
        vec![ordinary, pooling, bottleneck]
    }

    pub(crate) fn ordinary(&mut self, n: usize) -> Block {
        let n_mid = n + 1;
        Block::Ordinary(OrdinaryBlock {
            name: "ordinary".into(),
            pre: self.norm_act(n),
            first: self.conv(3, n, n_mid),
            mid: self.norm_act(n_mid),
            second: self.conv(3, n_mid, n),
        })
    }

    pub(crate) fn pooling(&mut self, n: usize) -> Block {
        let (n_regular, n_pool) = (n.max(2) - 1, n / 2 + 1);
        Block::Pooling(PoolingBlock {
            name: "pooling".into(),
            pre: self.norm_act(n),
            regular: self.conv(3, n, n_regular),
            pool: self.conv(3, n, n_pool),
            pool_act: self.norm_act(n_pool),
            to_bias: self.product(3 * n_pool, n_regular),
            mid: self.norm_act(n_regular),
            last: self.conv(3, n_regular, n),
        })
    }

    pub(crate) fn bottleneck(&mut self, n: usize, n_inner: usize) -> Block {
        Block::Bottleneck(BottleneckBlock {
            name: "bottleneck".into(),
            pre: self.norm_act(n),
            enter: self.conv(1, n, n_inner),
            blocks: vec![self.ordinary(n_inner), self.pooling(n_inner)],
            post: self.norm_act(n_inner),
            leave: self.conv(1, n_inner, n),
        })
    }

    /// Attention with no embedding (0), a fixed one (1) or a learned one (2).
    pub(crate) fn attention(&mut self, n: usize, rope: u8) -> Block {
        let (n_heads, n_kv_heads, query_dim, value_dim) = (4, 2, 8, 3);
        Block::Attention(AttentionBlock {
            name: format!("attention{rope}"),
            n_heads,
            n_kv_heads,
            query_dim,
            value_dim,
            norm: self.rms_norm(n),
            query: self.product(n, n_heads * query_dim),
            key: self.product(n, n_kv_heads * query_dim),
            value: self.product(n, n_kv_heads * value_dim),
            out: self.product(n_heads * value_dim, n),
            rope: match rope {
                0 => None,
                1 => Some(Rope::Fixed { theta: 100.0 }),
                _ => {
                    let weights = self.weights(2 * n_kv_heads * query_dim / 2, 3);
                    let frequencies = weights.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
                    Some(Rope::Learned { frequencies })
                }
            },
        })
    }

    pub(crate) fn feed_forward(&mut self, n: usize) -> Block {
        Block::FeedForward(FeedForwardBlock {
            name: "feed-forward".into(),
            norm: self.rms_norm(n),
            up: self.product(n, 2 * n),
            gate: self.product(n, 2 * n),
            down: self.product(2 * n, n),
        })
    }

    fn policy_head(&mut self, version: u32, n: usize) -> PolicyHead {
        let (n_head, n_pool) = (5, 3);
        let n_channels = match version {
            ..12 => 1,
            12..16 => 2,
            _ => 4,
        };
        let is_deep = version >= 15;
        PolicyHead {
            name: "policy".into(),
            regular: self.conv(1, n, n_head),
            pool: self.conv(1, n, n_pool),
            pool_act: self.norm_act(n_pool),
            to_bias: self.product(3 * n_pool, n_head),
            act: self.norm_act(n_head),
            out: self.conv(1, n_head, n_channels),
            pass: self.product(3 * n_pool, if is_deep { n_head } else { n_channels }),
            pass_hidden: is_deep.then(|| PassHidden {
                bias: self.bias(n_head),
                activation: self.activation,
                out: self.product(n_head, n_channels),
            }),
        }
    }

    fn value_head(&mut self, version: u32, n: usize) -> ValueHead {
        let (n_head, n_hidden) = (4, 7);
        let n_scores = if version >= 9 { 6 } else { 4 };
        ValueHead {
            name: "value".into(),
            regular: self.conv(1, n, n_head),
            act: self.norm_act(n_head),
            hidden: self.product(3 * n_head, n_hidden),
            hidden_bias: self.bias(n_hidden),
            hidden_activation: self.activation,
            winner: self.product(n_hidden, 3),
            winner_bias: self.bias(3),
            score: self.product(n_hidden, n_scores),
            score_bias: self.bias(n_scores),
            ownership: self.conv(1, n_head, 1),
        }
    }

    /// A whole network around blocks that run on `n_channels` channels. From version 15 on its tip is a root-mean-square norm.
    pub(crate) fn graph(&mut self, version: u32, n_channels: usize, blocks: Vec<Block>) -> Graph {
        let tip = if version >= 15 {
            let Norm { scale, bias } = self.norm(n_channels);
            TipNorm::Rms(TipRms { epsilon: 1e-6, spatial: version.is_multiple_of(2), scale, bias })
        } else {
            TipNorm::Batch(self.norm(n_channels))
        };
        let multipliers = Multipliers { lead: if version >= 13 { 15.0 } else { 20.0 }, ..Default::default() };
        Graph {
            name: "sample-net_1".into(),
            version,
            multipliers,
            prefers_pass_alive: version >= 16,
            trunk: Trunk {
                name: "trunk".into(),
                n_channels,
                conv: self.conv(if version < 11 { 5 } else { 3 }, N_PLANES, n_channels),
                globals: self.product(N_GLOBALS, n_channels),
                blocks,
                tip,
                tip_activation: self.activation,
            },
            policy: self.policy_head(version, n_channels),
            value: self.value_head(version, n_channels),
        }
    }

    /// Planes and globals of a board: sparse ones and zeros, as in a real position.
    #[cfg(test)]
    pub(crate) fn input(&mut self, n_points: usize) -> (Vec<f32>, Vec<f32>) {
        let planes = (0..N_PLANES * n_points)
            .map(|idx| if idx % N_PLANES == 0 || self.rng.below(4) == 0 { 1.0 } else { 0.0 })
            .collect();
        (planes, self.weights(N_GLOBALS, 12))
    }
}
