//! A network as plain data: the layers of a convolutional network of KataGo's family with their weights, as read from a
//! file and before any engine has rearranged them.
//!
//! Nothing here computes; an engine walks over a [`Graph`] and prepares its own memory from it. Points of a board are rows
//! from the top, activations have one number for each point and channel, and a convolution sees zeros outside the board.
//!
//! In reading order: this file, the network and its trunk · [`layer`] convolutions, norms, products · [`block`] the blocks
//! of a trunk · [`head`] what turns the trunk into a policy and a value.

pub mod block;
pub mod head;
pub mod layer;

pub use block::{
    AttentionBlock, Block, BottleneckBlock, FeedForwardBlock, OrdinaryBlock, PoolingBlock, Rope,
};
pub use head::{PassHidden, PolicyHead, ValueHead};
pub use layer::{Activation, Conv, MatBias, MatMul, Norm, NormAct, RmsNorm, TipNorm, TipRms};

/// The number of input planes of every network that can be read: KataGo's inputs V7.
pub const N_PLANES: usize = 22;

/// The number of inputs for the position as a whole.
pub const N_GLOBALS: usize = 19;

/// A network: a trunk of residual blocks and two heads. All outputs are from the side of the player to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// The name its trainer gave it.
    pub name: String,
    /// KataGo's version number of the architecture, 8..=17; decides how outputs are read.
    pub version: u32,
    /// Factors that turn outputs into points, turns and probabilities.
    pub multipliers: Multipliers,
    /// Whether the area planes should count pass-alive area alone when suicide is legal (from version 15 on).
    pub prefers_pass_alive: bool,
    /// From the inputs to the features of each point.
    pub trunk: Trunk,
    /// From the trunk to the logits of the moves.
    pub policy: PolicyHead,
    /// From the trunk to winner, score and owners of points.
    pub value: ValueHead,
}

/// Factors that turn a network's score outputs into their units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multipliers {
    /// Points, of the score after a short time; used in training alone.
    pub td_score: f32,
    /// Points, of the mean of the final score.
    pub score_mean: f32,
    /// Points, of the standard deviation of the final score.
    pub score_stdev: f32,
    /// Points, of the lead.
    pub lead: f32,
    /// Turns, of the time over which the value varies.
    pub variance_time: f32,
    /// Squared win probability, of the short-term error of the value.
    pub value_error: f32,
    /// Squared points, of the short-term error of the score.
    pub score_error: f32,
}

impl Default for Multipliers {
    /// The factors of files that do not tell theirs (before version 13).
    fn default() -> Multipliers {
        Multipliers {
            td_score: 20.0,
            score_mean: 20.0,
            score_stdev: 20.0,
            lead: 20.0,
            variance_time: 40.0,
            value_error: 0.25,
            score_error: 30.0,
        }
    }
}

/// The trunk: a first convolution plus a bias from the globals, residual blocks, and the norm at the tip. There is no norm
/// between the first convolution and the first block.
#[derive(Debug, Clone, PartialEq)]
pub struct Trunk {
    /// The name in the file.
    pub name: String,
    /// The number of channels that run through the trunk.
    pub n_channels: usize,
    /// From the planes to the trunk's channels.
    pub conv: Conv,
    /// From the globals to a number for each channel, added at every point.
    pub globals: MatMul,
    /// The residual blocks in order.
    pub blocks: Vec<Block>,
    /// The norm after the last block.
    pub tip: TipNorm,
    /// The activation after the norm at the tip.
    pub tip_activation: Activation,
}

impl Graph {
    /// The number of weights, folded norms counted as two numbers a channel.
    pub fn n_weights(&self) -> usize {
        let trunk = &self.trunk;
        let blocks: usize = trunk.blocks.iter().map(Block::n_weights).sum();
        trunk.conv.weights.len()
            + trunk.globals.weights.len()
            + blocks
            + 2 * trunk.n_channels
            + self.policy.n_weights()
            + self.value.n_weights()
    }

    /// Multiplications an evaluation takes on a board of `n_points` points, counted for direct convolutions that do not skip
    /// what is off the board.
    pub fn n_multiplies(&self, n_points: usize) -> u64 {
        let trunk = &self.trunk;
        let blocks: u64 = trunk.blocks.iter().map(|block| block.n_multiplies(n_points)).sum();
        trunk.conv.n_multiplies(n_points)
            + trunk.globals.n_multiplies(1)
            + blocks
            + self.policy.n_multiplies(n_points)
            + self.value.n_multiplies(n_points)
    }
}
