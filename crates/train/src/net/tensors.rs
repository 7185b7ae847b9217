//! All weights of a network as one vector, in a fixed order: what optimisers and checkpoints see.

use model::net::graph::{Block, Graph, Norm, NormAct, TipNorm};

/// The role of a group of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Multiplies what comes from several channels: decays.
    Kernel,
    /// Scales or shifts a channel: does not.
    Channel,
}

/// The groups of weights in order. Layers that cannot be trained are left out.
pub(super) fn tensors(graph: &mut Graph) -> Vec<(Role, &mut Vec<f32>)> {
    let mut all = Vec::new();
    let trunk = &mut graph.trunk;
    all.push((Role::Kernel, &mut trunk.conv.weights));
    all.push((Role::Kernel, &mut trunk.globals.weights));
    for block in &mut trunk.blocks {
        match block {
            Block::Ordinary(block) => {
                norm_act(&mut all, &mut block.pre);
                all.push((Role::Kernel, &mut block.first.weights));
                norm_act(&mut all, &mut block.mid);
                all.push((Role::Kernel, &mut block.second.weights));
            }
            Block::Pooling(block) => {
                norm_act(&mut all, &mut block.pre);
                all.push((Role::Kernel, &mut block.regular.weights));
                all.push((Role::Kernel, &mut block.pool.weights));
                norm_act(&mut all, &mut block.pool_act);
                all.push((Role::Kernel, &mut block.to_bias.weights));
                norm_act(&mut all, &mut block.mid);
                all.push((Role::Kernel, &mut block.last.weights));
            }
            Block::Bottleneck(_) | Block::Attention(_) | Block::FeedForward(_) => {}
        }
    }
    if let TipNorm::Batch(tip) = &mut trunk.tip {
        norm(&mut all, tip);
    }
    let policy = &mut graph.policy;
    all.push((Role::Kernel, &mut policy.regular.weights));
    all.push((Role::Kernel, &mut policy.pool.weights));
    norm_act(&mut all, &mut policy.pool_act);
    all.push((Role::Kernel, &mut policy.to_bias.weights));
    norm_act(&mut all, &mut policy.act);
    all.push((Role::Kernel, &mut policy.out.weights));
    all.push((Role::Kernel, &mut policy.pass.weights));
    let value = &mut graph.value;
    all.push((Role::Kernel, &mut value.regular.weights));
    norm_act(&mut all, &mut value.act);
    all.push((Role::Kernel, &mut value.hidden.weights));
    all.push((Role::Channel, &mut value.hidden_bias.weights));
    all.push((Role::Kernel, &mut value.winner.weights));
    all.push((Role::Channel, &mut value.winner_bias.weights));
    all.push((Role::Kernel, &mut value.score.weights));
    all.push((Role::Channel, &mut value.score_bias.weights));
    all.push((Role::Kernel, &mut value.ownership.weights));
    all
}

fn norm<'a>(all: &mut Vec<(Role, &'a mut Vec<f32>)>, norm: &'a mut Norm) {
    all.push((Role::Channel, &mut norm.scale));
    all.push((Role::Channel, &mut norm.bias));
}

fn norm_act<'a>(all: &mut Vec<(Role, &'a mut Vec<f32>)>, both: &'a mut NormAct) {
    norm(all, &mut both.norm);
}

/// The weights of a network, one after the other.
pub(super) fn flatten(graph: &Graph) -> Vec<f32> {
    tensors(&mut graph.clone()).into_iter().flat_map(|(_, weights)| weights.iter().copied()).collect()
}

/// The network with other weights, as many as it has.
pub(super) fn with_weights(graph: &Graph, mut weights: &[f32]) -> Graph {
    let mut graph = graph.clone();
    for (_, tensor) in tensors(&mut graph) {
        let (own, rest) = weights.split_at(tensor.len());
        tensor.copy_from_slice(own);
        weights = rest;
    }
    graph
}

/// The places of the weights that decay.
pub(super) fn decaying(graph: &Graph) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    let mut ranges = Vec::new();
    for (role, tensor) in tensors(&mut graph.clone()) {
        if role == Role::Kernel {
            ranges.push(at..at + tensor.len());
        }
        at += tensor.len();
    }
    ranges
}
