//! The size of a network as text, and a new network of it.

use goban::Rng;
use model::net::graph::{
    Activation, Block, Conv, Graph, MatBias, MatMul, Multipliers, N_GLOBALS, N_PLANES, Norm, NormAct,
    OrdinaryBlock, PolicyHead, PoolingBlock, TipNorm, Trunk, ValueHead,
};
use std::fmt;
use std::str::FromStr;

/// KataGo's version of new networks: one policy, four score values, ReLU throughout.
const VERSION: u32 = 8;
/// Outputs of the score in this version.
const N_SCORES: usize = 4;
/// The most blocks and channels.
const MOST: [usize; 2] = [100, 1024];

/// The size of a network: `b6c64` has 6 residual blocks on 64 channels.
///
/// As in KataGo's small networks every third block is a pooling block, in which a quarter of the channels (whole sixteens) tell the
/// others what the whole board says; so one network serves boards of all sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetShape {
    /// Residual blocks.
    pub n_blocks: usize,
    /// Channels of the trunk.
    pub n_channels: usize,
}

/// A text that is not a network size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a network size: write b6c64 for 6 blocks of 64 channels, at most b{most_blocks}c{most_channels}",
    most_blocks = MOST[0], most_channels = MOST[1])]
pub struct BadShape(String);

impl FromStr for NetShape {
    type Err = BadShape;

    fn from_str(text: &str) -> Result<NetShape, BadShape> {
        NetShape::parse(text)
    }
}

impl fmt::Display for NetShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}c{}", self.n_blocks, self.n_channels)
    }
}

impl NetShape {
    /// Reads a size such as `b6c64`.
    ///
    /// # Errors
    /// When the text has another form, or a number is 0 or too large.
    pub fn parse(text: &str) -> Result<NetShape, BadShape> {
        let numbers = || {
            let (blocks, channels) = text.strip_prefix('b')?.split_once('c')?;
            Some([blocks.parse().ok()?, channels.parse().ok()?])
        };
        match numbers() {
            Some([n_blocks, n_channels])
                if (1..=MOST[0]).contains(&n_blocks) && (1..=MOST[1]).contains(&n_channels) =>
            {
                Ok(NetShape { n_blocks, n_channels })
            }
            _ => Err(BadShape(text.chars().take(40).collect())),
        }
    }

    /// The size of a network that is there.
    pub fn of(graph: &Graph) -> NetShape {
        NetShape { n_blocks: graph.trunk.blocks.len(), n_channels: graph.trunk.n_channels }
    }

    /// A new network with random weights.
    ///
    /// Activations keep their size from layer to layer, and the last convolution of each block is 0: a new network is its first layer
    /// and its heads, and grows deeper as it learns. So it needs no statistics of batches, and a row never depends on the others.
    pub fn graph(&self, seed: u64) -> Graph {
        let mut maker = Maker(Rng::new(seed));
        let n = self.n_channels;
        let n_head = if n < 64 { 16 } else { 32 };
        let n_pool = if n < 96 { 16 } else { 32 };
        let blocks = (0..self.n_blocks).map(|block| maker.block(block, n)).collect();
        Graph {
            name: format!("tengen-{self}"),
            version: VERSION,
            multipliers: Multipliers::default(),
            prefers_pass_alive: false,
            trunk: Trunk {
                name: "trunk".into(),
                n_channels: n,
                // Few planes are 1 at a point.
                conv: maker.conv(3, N_PLANES, n, 0.5),
                globals: maker.product(N_GLOBALS, n, 0.25),
                blocks,
                tip: TipNorm::Batch(norm(n)),
                tip_activation: Activation::Relu,
            },
            policy: PolicyHead {
                name: "policy".into(),
                regular: maker.conv(1, n, n_head, 1.0),
                pool: maker.conv(1, n, n_pool, 1.0),
                pool_act: norm_act(n_pool),
                to_bias: maker.product(3 * n_pool, n_head, 0.5),
                act: norm_act(n_head),
                out: maker.conv(1, n_head, 1, 0.25),
                pass: maker.product(3 * n_pool, 1, 0.25),
                pass_hidden: None,
            },
            value: maker.value_head(n, n_head),
        }
    }
}

/// Whether a block, counted from 0, is a pooling block: every third.
fn is_pooling(block: usize) -> bool {
    block % 3 == 2
}

fn norm(n: usize) -> Norm {
    Norm { scale: vec![1.0; n], bias: vec![0.0; n] }
}

fn norm_act(n: usize) -> NormAct {
    NormAct { norm: norm(n), activation: Activation::Relu }
}

struct Maker(Rng);

impl Maker {
    /// Weights around 0 by which ReLUs keep the size of what they read, times a gain: He et al. 2015, uniform instead of normal.
    fn weights(&mut self, n: usize, n_added: usize, gain: f32) -> Vec<f32> {
        let scale = gain * (6.0 / n_added as f32).sqrt();
        (0..n).map(|_| scale * (2.0 * self.0.unit() - 1.0)).collect()
    }

    fn conv(&mut self, side: usize, n_in: usize, n_out: usize, gain: f32) -> Conv {
        let weights = self.weights(side * side * n_in * n_out, side * side * n_in, gain);
        Conv { height: side, width: side, n_in, n_out, weights }
    }

    fn product(&mut self, n_in: usize, n_out: usize, gain: f32) -> MatMul {
        MatMul { n_in, n_out, weights: self.weights(n_in * n_out, n_in, gain) }
    }

    fn block(&mut self, block: usize, n: usize) -> Block {
        let name = format!("block{}", block + 1);
        if !is_pooling(block) {
            return Block::Ordinary(OrdinaryBlock {
                name,
                pre: norm_act(n),
                first: self.conv(3, n, n, 1.0),
                mid: norm_act(n),
                second: self.conv(3, n, n, 0.0),
            });
        }
        let n_pool = (n / 4).next_multiple_of(16);
        let n_regular = n.saturating_sub(n_pool).max(16);
        Block::Pooling(PoolingBlock {
            name,
            pre: norm_act(n),
            regular: self.conv(3, n, n_regular, 1.0),
            pool: self.conv(3, n, n_pool, 1.0),
            pool_act: norm_act(n_pool),
            to_bias: self.product(3 * n_pool, n_regular, 0.5),
            mid: norm_act(n_regular),
            last: self.conv(3, n_regular, n, 0.0),
        })
    }

    /// Two scores have no target and stay what they are here, 0: a spread of 20 · ln 2 points, and 40 · ln 2 turns over which the value
    /// varies.
    fn value_head(&mut self, n: usize, n_head: usize) -> ValueHead {
        let n_hidden = 3 * n_head / 2;
        ValueHead {
            name: "value".into(),
            regular: self.conv(1, n, n_head, 1.0),
            act: norm_act(n_head),
            hidden: self.product(3 * n_head, n_hidden, 1.0),
            hidden_bias: MatBias { weights: vec![0.0; n_hidden] },
            hidden_activation: Activation::Relu,
            winner: self.product(n_hidden, 3, 0.25),
            winner_bias: MatBias { weights: vec![0.0, 0.0, -4.0] },
            score: self.product(n_hidden, N_SCORES, 0.0),
            score_bias: MatBias { weights: vec![0.0; N_SCORES] },
            ownership: self.conv(1, n_head, 1, 0.25),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::net::{file, sample};

    #[test]
    fn sizes_as_text() {
        let shape = NetShape::parse("b6c96").unwrap();
        assert_eq!((shape.n_blocks, shape.n_channels, shape.to_string()), (6, 96, "b6c96".into()));
        for bad in ["", "b6", "6c96", "b0c64", "b6c0", "b6c64x", "b-1c64", "b101c64", "b6c2000"] {
            assert!(NetShape::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn new_networks_are_files_that_can_be_read() {
        for text in ["b1c8", "b3c16", "b6c64", "b6c96"] {
            let graph = NetShape::parse(text).unwrap().graph(3);
            assert_eq!(NetShape::of(&graph).to_string(), text);
            assert_eq!(graph, file::read(&sample::write(&graph, sample::Form::Binary)[..]).unwrap());
        }
        let b6 = NetShape::parse("b6c96").unwrap().graph(1);
        assert_eq!(b6.trunk.blocks.iter().filter(|block| matches!(block, Block::Pooling(_))).count(), 2);
        assert_ne!(b6, NetShape::parse("b6c96").unwrap().graph(2));
    }
}
