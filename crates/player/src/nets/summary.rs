//! The size of a network, counted from its layers.

use model::net::cpu::engine::EngineI16;
use model::net::cpu::simd::Isa;
use model::net::graph::{Activation, Block, Graph};

/// The kinds of blocks and the parts of a network in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetSummary {
    /// The name inside the file.
    pub name: String,
    /// KataGo's version number of the format.
    pub version: u32,
    /// Channels that run through the trunk.
    pub n_channels: usize,
    /// The blocks of the trunk by kind, the first kind that occurs first.
    pub blocks: Vec<BlockCount>,
    /// The blocks inside of bottlenecks by kind.
    pub inner_blocks: Vec<BlockCount>,
    /// Weights, folded norms counted as two a channel.
    pub n_weights: usize,
    /// Policies that the policy head gives: 1, or 2 and more with an optimistic one.
    pub n_policies: usize,
    /// Numbers about the score that the value head gives.
    pub n_scores: usize,
    /// The activation functions in use, the first that occurs first.
    pub activations: Vec<&'static str>,
    /// Bytes of the weights in memory as they were read: four for each.
    pub graph_bytes: usize,
}

/// A kind of block and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCount {
    /// The kind, in one word.
    pub kind: &'static str,
    /// How many.
    pub n: usize,
}

impl NetSummary {
    /// Counts the parts of a network.
    pub fn new(graph: &Graph) -> Self {
        let (mut blocks, mut inner_blocks) = (Vec::new(), Vec::new());
        let mut activations = Vec::new();
        for block in &graph.trunk.blocks {
            count(block, &mut blocks, &mut inner_blocks);
            note_activations(block, &mut activations);
        }
        for activation in
            [graph.trunk.tip_activation, graph.policy.act.activation, graph.value.hidden_activation]
        {
            note(activation, &mut activations);
        }
        Self {
            name: graph.name.clone(),
            version: graph.version,
            n_channels: graph.trunk.n_channels,
            blocks,
            inner_blocks,
            n_weights: graph.n_weights(),
            n_policies: graph.policy.n_channels(),
            n_scores: graph.value.score.n_out,
            activations,
            graph_bytes: graph.n_weights() * size_of::<f32>(),
        }
    }

    /// The number of blocks of the trunk.
    pub fn n_blocks(&self) -> usize {
        self.blocks.iter().map(|count| count.n).sum()
    }
}

/// Bytes of the weights as the i16 engine packs them for boards of these columns and rows; they come on top of those that
/// were read, once for each size of board.
pub fn engine_bytes(graph: &Graph, board: [usize; 2]) -> usize {
    EngineI16::new(graph, board, Isa::best()).n_bytes()
}

/// Counts a block of the trunk and those inside of it.
fn count(block: &Block, blocks: &mut Vec<BlockCount>, inner: &mut Vec<BlockCount>) {
    let kind = kind(block);
    match blocks.iter_mut().find(|known| known.kind == kind) {
        Some(known) => known.n += 1,
        None => blocks.push(BlockCount { kind, n: 1 }),
    }
    if let Block::Bottleneck(bottleneck) = block {
        for block in &bottleneck.blocks {
            // Bottlenecks inside of bottlenecks are counted with all that is inside.
            let mut below = Vec::new();
            count(block, inner, &mut below);
            inner.extend(below);
        }
    }
}

/// The kind of a block.
pub fn kind(block: &Block) -> &'static str {
    match block {
        Block::Ordinary(_) => "ordinary",
        Block::Pooling(_) => "pooling",
        Block::Bottleneck(_) => "bottleneck",
        Block::Attention(_) => "attention",
        Block::FeedForward(_) => "feed-forward",
    }
}

fn note_activations(block: &Block, out: &mut Vec<&'static str>) {
    match block {
        Block::Ordinary(block) => {
            [&block.pre, &block.mid].iter().for_each(|step| note(step.activation, out));
        }
        Block::Pooling(block) => {
            [&block.pre, &block.pool_act, &block.mid].iter().for_each(|step| note(step.activation, out));
        }
        Block::Bottleneck(block) => {
            [&block.pre, &block.post].iter().for_each(|step| note(step.activation, out));
            block.blocks.iter().for_each(|inner| note_activations(inner, out));
        }
        Block::Attention(_) => {}
        Block::FeedForward(_) => note(Activation::Silu, out),
    }
}

fn note(activation: Activation, out: &mut Vec<&'static str>) {
    let name = match activation {
        Activation::Identity => return,
        Activation::Relu => "relu",
        Activation::Mish => "mish",
        Activation::Silu => "silu",
    };
    if !out.contains(&name) {
        out.push(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::net::sample;

    #[test]
    fn the_parts_of_a_sample_are_counted() {
        let summary = NetSummary::new(&sample::graph(15, 8, 1));
        let counts = |counts: &[BlockCount]| -> Vec<(&str, usize)> {
            counts.iter().map(|count| (count.kind, count.n)).collect()
        };
        let right =
            [("ordinary", 1), ("pooling", 1), ("bottleneck", 1), ("attention", 3), ("feed-forward", 3)];
        assert_eq!(counts(&summary.blocks), right);
        assert_eq!(counts(&summary.inner_blocks), [("ordinary", 1), ("pooling", 1)]);
        assert_eq!((summary.n_blocks(), summary.n_channels, summary.version), (9, 8, 15));
        assert_eq!((summary.n_policies, summary.n_scores), (2, 6));
        assert_eq!(summary.activations, ["mish", "silu"]);
        assert_eq!(summary.graph_bytes, 4 * summary.n_weights);
        assert!(engine_bytes(&sample::graph(15, 8, 1), [9, 9]) > 0);
        assert_eq!(NetSummary::new(&sample::conv_graph(8, 4, 1)).activations, ["relu"]);
    }
}
