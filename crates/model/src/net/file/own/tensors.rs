//! A network without weights, made from the sizes of its layers, and the walk over its tensors in the order of the file.

use super::header::{BlockSizes, LayerSizes};
use crate::net::graph::*;

/// A tensor of a network on the way through [`each`].
pub struct Tensor<'a> {
    /// The layer that it belongs to.
    pub layer: &'a str,
    /// The numbers; empty in a network without weights.
    pub weights: &'a mut Vec<f32>,
    /// How many numbers there are to be.
    pub n: usize,
}

/// What is done with each tensor, until one fails.
type Visit<'v, E> = &'v mut dyn FnMut(Tensor<'_>) -> Result<(), E>;

/// Walks over all tensors: trunk (first convolution, globals, blocks, tip), policy head, value head; within each in the order in which
/// its structure declares them, a norm as its scales, then its biases.
///
/// # Errors
/// The first one of `visit`.
pub fn each<E>(graph: &mut Graph, visit: Visit<'_, E>) -> Result<(), E> {
    let trunk = &mut graph.trunk;
    conv("trunk", &mut trunk.conv, visit)?;
    product("trunk", &mut trunk.globals, visit)?;
    for (number, block) in trunk.blocks.iter_mut().enumerate() {
        let layer = format!("block {}", number + 1);
        match block {
            Block::Ordinary(block) => {
                norm(&layer, &mut block.pre.norm, block.first.n_in, visit)?;
                conv(&layer, &mut block.first, visit)?;
                norm(&layer, &mut block.mid.norm, block.first.n_out, visit)?;
                conv(&layer, &mut block.second, visit)?;
            }
            Block::Pooling(block) => {
                norm(&layer, &mut block.pre.norm, block.regular.n_in, visit)?;
                conv(&layer, &mut block.regular, visit)?;
                conv(&layer, &mut block.pool, visit)?;
                norm(&layer, &mut block.pool_act.norm, block.pool.n_out, visit)?;
                product(&layer, &mut block.to_bias, visit)?;
                norm(&layer, &mut block.mid.norm, block.regular.n_out, visit)?;
                conv(&layer, &mut block.last, visit)?;
            }
            // No network of these files has others.
            Block::Bottleneck(_) | Block::Attention(_) | Block::FeedForward(_) => {}
        }
    }
    if let TipNorm::Batch(tip) = &mut trunk.tip {
        norm("the trunk's tip", tip, trunk.n_channels, visit)?;
    }
    policy(&mut graph.policy, visit)?;
    value(&mut graph.value, visit)
}

fn policy<E>(head: &mut PolicyHead, visit: Visit<'_, E>) -> Result<(), E> {
    let layer = "the policy head";
    conv(layer, &mut head.regular, visit)?;
    conv(layer, &mut head.pool, visit)?;
    norm(layer, &mut head.pool_act.norm, head.pool.n_out, visit)?;
    product(layer, &mut head.to_bias, visit)?;
    norm(layer, &mut head.act.norm, head.regular.n_out, visit)?;
    conv(layer, &mut head.out, visit)?;
    product(layer, &mut head.pass, visit)
}

fn value<E>(head: &mut ValueHead, visit: Visit<'_, E>) -> Result<(), E> {
    let layer = "the value head";
    conv(layer, &mut head.regular, visit)?;
    norm(layer, &mut head.act.norm, head.regular.n_out, visit)?;
    product(layer, &mut head.hidden, visit)?;
    plain(layer, &mut head.hidden_bias.weights, head.hidden.n_out, visit)?;
    product(layer, &mut head.winner, visit)?;
    plain(layer, &mut head.winner_bias.weights, head.winner.n_out, visit)?;
    product(layer, &mut head.score, visit)?;
    plain(layer, &mut head.score_bias.weights, head.score.n_out, visit)?;
    conv(layer, &mut head.ownership, visit)
}

fn plain<E>(layer: &str, weights: &mut Vec<f32>, n: usize, visit: Visit<'_, E>) -> Result<(), E> {
    visit(Tensor { layer, weights, n })
}

fn conv<E>(layer: &str, conv: &mut Conv, visit: Visit<'_, E>) -> Result<(), E> {
    let n = conv.height * conv.width * conv.n_in * conv.n_out;
    plain(layer, &mut conv.weights, n, visit)
}

fn product<E>(layer: &str, product: &mut MatMul, visit: Visit<'_, E>) -> Result<(), E> {
    let n = product.n_in * product.n_out;
    plain(layer, &mut product.weights, n, visit)
}

fn norm<E>(layer: &str, norm: &mut Norm, n: usize, visit: Visit<'_, E>) -> Result<(), E> {
    plain(layer, &mut norm.scale, n, visit)?;
    plain(layer, &mut norm.bias, n, visit)
}

/// The network of these sizes, with no weight in any tensor.
pub(super) fn empty(name: &str, sizes: &LayerSizes) -> Graph {
    let n = sizes.n_channels;
    let act = || NormAct { norm: no_norm(), activation: sizes.activation };
    let block = |(number, block): (usize, &BlockSizes)| {
        let name = format!("block{}", number + 1);
        match *block {
            BlockSizes::Ordinary(n_mid) => Block::Ordinary(OrdinaryBlock {
                name,
                pre: act(),
                first: no_conv(3, n, n_mid),
                mid: act(),
                second: no_conv(3, n_mid, n),
            }),
            BlockSizes::Pooling(n_regular, n_pool) => Block::Pooling(PoolingBlock {
                name,
                pre: act(),
                regular: no_conv(3, n, n_regular),
                pool: no_conv(3, n, n_pool),
                pool_act: act(),
                to_bias: no_product(3 * n_pool, n_regular),
                mid: act(),
                last: no_conv(3, n_regular, n),
            }),
        }
    };
    Graph {
        name: name.to_string(),
        version: sizes.version,
        multipliers: sizes.multipliers,
        prefers_pass_alive: false,
        trunk: Trunk {
            name: "trunk".into(),
            n_channels: n,
            conv: no_conv(sizes.first_side, N_PLANES, n),
            globals: no_product(N_GLOBALS, n),
            blocks: sizes.blocks.iter().enumerate().map(block).collect(),
            tip: TipNorm::Batch(no_norm()),
            tip_activation: sizes.activation,
        },
        policy: empty_policy(sizes),
        value: empty_value(sizes),
    }
}

fn empty_policy(sizes: &LayerSizes) -> PolicyHead {
    let (n, [n_head, n_pool]) = (sizes.n_channels, sizes.policy);
    let n_policies = n_policies(sizes.version);
    let act = || NormAct { norm: no_norm(), activation: sizes.activation };
    PolicyHead {
        name: "policy".into(),
        regular: no_conv(1, n, n_head),
        pool: no_conv(1, n, n_pool),
        pool_act: act(),
        to_bias: no_product(3 * n_pool, n_head),
        act: act(),
        out: no_conv(1, n_head, n_policies),
        pass: no_product(3 * n_pool, n_policies),
        pass_hidden: None,
    }
}

fn empty_value(sizes: &LayerSizes) -> ValueHead {
    let (n, [n_head, n_hidden]) = (sizes.n_channels, sizes.value);
    let none = || MatBias { weights: Vec::new() };
    ValueHead {
        name: "value".into(),
        regular: no_conv(1, n, n_head),
        act: NormAct { norm: no_norm(), activation: sizes.activation },
        hidden: no_product(3 * n_head, n_hidden),
        hidden_bias: none(),
        hidden_activation: sizes.activation,
        winner: no_product(n_hidden, 3),
        winner_bias: none(),
        score: no_product(n_hidden, n_scores(sizes.version)),
        score_bias: none(),
        ownership: no_conv(1, n_head, 1),
    }
}

/// Policy channels of a version before 15.
pub(super) fn n_policies(version: u32) -> usize {
    if version < 12 { 1 } else { 2 }
}

/// Score outputs of a version.
pub(super) fn n_scores(version: u32) -> usize {
    if version < 9 { 4 } else { 6 }
}

fn no_norm() -> Norm {
    Norm { scale: Vec::new(), bias: Vec::new() }
}

fn no_conv(side: usize, n_in: usize, n_out: usize) -> Conv {
    Conv { height: side, width: side, n_in, n_out, weights: Vec::new() }
}

fn no_product(n_in: usize, n_out: usize) -> MatMul {
    MatMul { n_in, n_out, weights: Vec::new() }
}
